import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { emailKey } from '../../../shared/domain/customer/fields.ts';
import { email } from '../../../shared/domain/free-members.ts';

/** An address of the greatest length, built from one character. */
const addressOf = (character: string): string => {
  const label = character.repeat(62);
  return `${label}@${label}.${label}.${label}`;
};

/** Some take more bytes in lower case or in NFC. */
test.each(['x', 'é', 'İ', 'Ⱥ', 'ﬃ', '\u0958', '\u{1d160}', '🍰'])('an accepted email of %s can be a key of the table', (character) => {
  const { success, output } = v.safeParse(email(), addressOf(character));
  if (character === 'x') expect(success).toBe(true);
  if (success) expect(Buffer.byteLength(emailKey(output as string))).toBeLessThanOrEqual(1_024);
});
