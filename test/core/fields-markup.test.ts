import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stripHtml } from '../../shared/core/fields.ts';

describe('what is stripped', () => {
  test.each([
    ['<b>Flour</b> Co', 'Flour Co'],
    ['<script>alert(1)</script>Mill', 'alert(1)Mill'],
    ['<img src=x onerror="alert(1)">x', 'x'],
    ['a<br/>b', 'ab'],
    ['<p\nclass="x">y</p\n>', 'y'],
    ['a<!-- hidden <b>x</b> -->b', 'ab'],
    ['a<!-- never > closed', 'a closed'],
    ['<!doctype html>x', 'x'],
    ['<?php echo 1 ?>x', 'x'],
    ['<<b>b>bold', 'bold'],
    ['<scr<script>ipt>x', 'ipt>x'],
    ['<scr<b></b>ipt>x</scr<b></b>ipt>', 'ipt>xipt>'],
    ['<B>x</B>', 'x'],
  ])('%j becomes %j', (text, stripped) => {
    expect(stripHtml(text)).toBe(stripped);
  });
});

describe('what is no markup', () => {
  test.each(['5 < 6', '6 > 5', 'a <- b -> c', '1<2 and 3>2', '<3', 'Tom & Jerry', '&lt;b&gt;', '<', '<>', 'x <y', '< b>'])(
    '%j stays',
    (text) => {
      expect(stripHtml(text)).toBe(text);
    },
  );
});

const hostile = fc.string({ unit: fc.constantFrom('<', '>', '!', '-', '/', 'b', ' ', '<!--', '-->', '"'), maxLength: 200 });

test('no tag survives, and stripping again changes nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const stripped = stripHtml(text);
      expect(stripped).not.toMatch(/<[a-z/!?][^>]*>/i);
      expect(stripHtml(stripped)).toBe(stripped);
    }),
  );
});

test('a text without a closing bracket stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const open = text.replaceAll('>', '');
      expect(stripHtml(open)).toBe(open);
    }),
  );
});
