import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldCase } from '../../shared/core/text.ts';
import { emailKey } from '../../shared/domain/customer/fields.ts';
import { withoutIdentifiers } from '../../shared/domain/person.ts';
import { anyCharacter } from '../support/any-character.ts';

describe('an erasure of a text', () => {
  test.each<[string, string, string]>([
    ['Brown', 'Cake for Brown', 'Cake for [erased]'],
    ['Brown', 'Brownies', 'Brownies'],
    ['Brown', "Brown's cake, Brown’s tart and the Browns' roll", "[erased]'s cake, [erased]’s tart and the Browns' roll"],
    ['Jones', "Jones' cake", "[erased]' cake"],
    ['brown', 'BROWN, Brown; (brown)', '[erased], [erased]; ([erased])'],
    ['Ada Brown', 'For ada   brown', 'For [erased]'],
    ['Ann', 'Anniversary of Ann', 'Anniversary of [erased]'],
    ['Li', 'Li and Lily', '[erased] and Lily'],
    ['Zoe\u0308', 'Zo\u00eb', '[erased]'],
    ['Zoe', 'Zoe\u0308', 'Zoe\u0308'],
    ['Élodie', 'ÉLODIE et Mélodie', '[erased] et Mélodie'],
    ['王芳', '给王芳的蛋糕', '给[erased]的蛋糕'],
    ['สมชาย', 'เค้กของสมชายวันเกิด', 'เค้กของ[erased]วันเกิด'],
    ['Brown', 'Brownさんのケーキ', '[erased]さんのケーキ'],
    ['ada@a.co', 'xada@a.co, ADA@A.CO and ada@a.co.uk', 'xada@a.co, [erased] and ada@a.co.uk'],
    ['250 500', 'Flour 250-500 g', 'Flour 250-500 g'],
    ['250 500', 'Call 250 500', 'Call [erased]'],
    ['+1 555 010 0199', 'Call 1-555-010-0199 or 0015550100199', 'Call [erased] or [erased]'],
    ['5550100', 'Order 155501002', 'Order 155501002'],
    ['20260305', 'Cake 2026-03-05, 20260305', 'Cake 2026-03-05, [erased]'],
    ['1234567', 'Total 1,234,567', 'Total 1,234,567'],
    ['A.B (C)', 'a.b (c) or aXb (c)', '[erased] or aXb (c)'],
  ])('the erasure of %s turns "%s" into "%s"', (identifier, text, left) => {
    expect(withoutIdentifiers(text, [identifier])).toBe(left);
  });

  test('the erasure of a text never fails, whatever people are called', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'binary' }), (text, name) => {
        expect(typeof withoutIdentifiers(text, [name])).toBe('string');
      }),
    );
  });
});

test('the key of an email, and of any text that is compared without case, is its own key', () => {
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .array(
        fc.constantFrom('İ', 'ı', 'ẞ', 'ß', 'ﬁ', 'Σ', 'ς', 'K', 'Å', 'e\u0301', '\u0345', 'ᾼ', '각', 'ᄀ', 'ᅡ', 'ᆨ', 'J\u030c', '\u1e9e'),
      )
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(foldCase(foldCase(text))).toBe(foldCase(text));
      expect(emailKey(emailKey(text))).toBe(emailKey(text));
    }),
    { numRuns: 2_000 },
  );
});
