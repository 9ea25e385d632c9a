import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutText } from '../../shared/core/text.ts';
import { anyCharacter } from '../support/any-character.ts';

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.nat(0xffff).map((unit) => String.fromCharCode(unit))).map((all) => all.join('')),
);

test('cutText returns whole characters from the start, and never more than the limit', () => {
  fc.assert(
    fc.property(anyText, fc.nat(30), (text, most) => {
      const cut = cutText(text, most);
      expect(cut.isWellFormed()).toBe(true);
      expect([...cut]).toEqual([...text.toWellFormed()].slice(0, most));
    }),
  );
});
