import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stripHtml } from '../../shared/core/html.ts';

describe('removing HTML', () => {
  test.each([
    ['<b>Flour</b> Co', 'Flour Co'],
    ['<script>alert(1)</script>Mill', 'alert(1)Mill'],
    ['<img src=x onerror="alert(1)">x', 'x'],
    ['a<br/>b', 'ab'],
    ['<p\nclass="x">y</p\n>', 'y'],
    ['a<!-- hidden <b>x</b> -->b', 'ab'],
    ['a<!-- never > closed', 'a'],
    ['a<!-->b', 'ab'],
    ['a<!-- b --!>c', 'ac'],
    ['<img src=x onerror=alert(1)//', ''],
    ['cake <img src=x onerror=alert(1)', 'cake '],
    ['cake <b class="x', 'cake '],
    ['cake </b ', 'cake '],
    ['cake <!doctype', 'cake '],
    ['<a title="1>2" href=x>z</a>', 'z'],
    ["<a title='1>2' href=x>z</a>", 'z'],
    ['<a href="x>y">z</a>', 'z'],
    ['<a href = "x>y" >z', 'z'],
    ['<a title=1"2>z">', 'z">'],
    ['<a "b>c">d', 'c">d'],
    ['<my-cake>x</my-cake>', 'x'],
    ['1 < 2 <i>x</i>', '1 < 2 x'],
    ['<!doctype html>x', 'x'],
    ['<?php echo 1 ?>x', 'x'],
    ['<<b>b>bold', 'bold'],
    ['<scr<script>ipt>x', 'x'],
    ['<scr<b></b>ipt>x</scr<b></b>ipt>', 'x'],
    ['<B>x</B>', 'x'],
  ])('removing HTML from %j leaves %j', (text, stripped) => {
    expect(stripHtml(text)).toBe(stripped);
  });
});

describe('text that is not HTML', () => {
  test.each([
    '5 < 6',
    '6 > 5',
    'a <- b -> c',
    '1<2 and 3>2',
    '<3',
    '</3',
    '</ b>',
    'a<b,c',
    'a<b',
    'a</b',
    '<b.c>',
    '<b_c d>',
    'Tom & Jerry',
    '&lt;b&gt;',
    '<',
    '<>',
    'x <y',
    '< b>',
  ])('removing HTML does not change %j', (text) => {
    expect(stripHtml(text)).toBe(text);
  });
});

const hostile = fc.string({
  unit: fc.constantFrom('<', '>', '!', '-', '/', 'b', ' ', '=', '<b', '<!--', '-->', '"', "'", '\u00a0', '\v', '1'),
  maxLength: 200,
});

test('no tag is left after removing HTML, and a repetition changes nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const stripped = stripHtml(text);
      expect(stripped).not.toMatch(/<(\/?[a-z][a-z0-9-]*[\s/>]|[!?])/i);
      expect(stripHtml(stripped)).toBe(stripped);
    }),
  );
});

test('a text without an opening bracket stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const open = text.replaceAll('<', '');
      expect(stripHtml(open)).toBe(open);
    }),
  );
});

/** A tag's attributes in each form that HTML allows. */
const attribute = fc.oneof(
  fc.constantFrom('hidden', '/', 'x="a>b"', "x='a>b'", 'x = "<i>"', "x='\"'", 'x=a"b', '"', "'"),
  fc.stringMatching(/^[a-z]{1,5}="[^"]{0,20}"$/),
);

test('a tag is removed whole, whatever its quoted attributes contain', () => {
  fc.assert(
    fc.property(fc.constantFrom('<b', '</b', '<my-cake', '<H1'), fc.array(attribute), (open, attributes) => {
      expect(stripHtml(`one ${open} ${attributes.join(' ')}>two`)).toBe('one two');
    }),
  );
});
