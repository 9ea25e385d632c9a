import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emailKey } from '../../../shared/core/email.ts';
import { parse } from '../../../shared/core/fields.ts';
import { email } from '../../../shared/domain/free-fields.ts';

const read = (text: string) => parse(email(), text);

describe('accepted email addresses', () => {
  test.each([
    'ada@example.com',
    'Ada.Baker+shop@Example.co.uk',
    "o'brien@example.com",
    'jos\u00e9@b\u00e4ckerei.example',
    '\u{1f370}@example.com',
    '"a,b;c:d?e"@example.com',
    'a@xn--bckerei-5wa.example',
    'a-@b-c.de',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.de`,
    `a@${['b'.repeat(63), 'c'.repeat(63), 'd'.repeat(63), 'e'.repeat(57)].join('.')}.de`,
  ])('the email address %s is accepted as it was sent', (text) => {
    expect(read(text)).toBe(text);
    expect(read(` ${text}\n`)).toBe(text);
  });
});

describe('rejected email addresses', () => {
  test.each([
    ['with markup', 'v<i>ictim@example.com'],
    ['with markup around it', '<b>ada@example.com</b>'],
    ['with a comma', 'a,b@c.de'],
    ['with a semicolon', 'a;b@c.de'],
    ['with a colon', 'mailto:a@b.cd'],
    ['with a question mark', 'a@b.cd?subject=x'],
    ['with a quote that closes nothing', 'a"b@c.de'],
    ['with text behind a quoted local part', '"a"b@c.de'],
    ['with a zero-width space', 'a\u200b@b.cd'],
    ['with a soft hyphen', 'a@b\u00ad.cd'],
    ['with a text direction mark', 'a@b.cd\u202e'],
    ['with an invisible letter', 'a\u3164@b.cd'],
    ['with a variation selector', 'a\ufe0f@b.cd'],
    ['with a control character', 'a\u0007@b.cd'],
    ['with a space', 'a b@c.de'],
    ['with an empty label', 'a@b..com'],
    ['with an empty first label', 'a@.com'],
    ['with an empty last label', 'a@b.com.'],
    ['without a dot', 'a@b'],
    ['without a local part', '@b.cd'],
    ['without an at sign', 'b.cd'],
    ['with two at signs', 'a@b@c.de'],
    ['with a label that begins with a hyphen', 'a@-b.cd'],
    ['with a label that ends with a hyphen', 'a@b-.cd'],
    ['with a last label that ends with a hyphen', 'a@b.cd-'],
    ['with a label of 64 characters', `a@${'b'.repeat(64)}.de`],
    ['with a local part of 65 characters', `${'a'.repeat(65)}@b.cd`],
    ['of 255 characters', `a@${['b'.repeat(63), 'c'.repeat(63), 'd'.repeat(63), 'e'.repeat(58)].join('.')}.de`],
    ['that NFC makes longer than 254 characters', `${'\u{1d160}'.repeat(60)}@${Array(3).fill('\u{1d160}'.repeat(60)).join('.')}`],
    ['that is empty', ''],
  ])('an email address is rejected: %s', (_what, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});

test('the key of an address is the same for NFC and NFD forms, in any case', () => {
  expect(emailKey('JOSE\u0301@Example.com')).toBe(emailKey('jos\u00e9@example.com'));
});

test.each([
  ['ada@bücher.example', 'Ada@XN--BCHER-KVA.Example'],
  ['ada@bu\u0308cher.example', 'ada@ｂücher.example'],
  ['ada@İstanbul.example', 'ada@i\u0307stanbul.example'],
])('the key of %s is the key of %s', (email, other) => {
  expect(emailKey(email)).toBe(emailKey(other));
  expect(emailKey(emailKey(email))).toBe(emailKey(email));
});

test('the key of an address keeps a domain that has no other form', () => {
  expect(emailKey('ada@1.2')).toBe('ada@1.2');
  expect(emailKey('ada@xn--a.example')).toBe('ada@xn--a.example');
});

test('the key of an accepted address fits into a key of the table', () => {
  const character = fc.constantFrom('a', '\u0130', '\u1e9e', '\u{1f370}', '\u{1d160}', 'e\u0301', 'ü', '例', '\u{20000}');
  const label = fc.array(character, { minLength: 1, maxLength: 64 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(label, fc.array(label, { minLength: 2, maxLength: 5 }), (local, labels) => {
      const text = `${local}@${labels.join('.')}`;
      try {
        read(text);
      } catch {
        return;
      }
      expect(Buffer.byteLength(emailKey(text))).toBeLessThanOrEqual(1_024);
    }),
  );
});
