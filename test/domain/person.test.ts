import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emailKey } from '../../shared/core/email.ts';
import { foldCase } from '../../shared/core/text.ts';
import { nameKey, phoneDigits, withoutIdentifiers } from '../../shared/domain/person-texts.ts';
import { anyCharacter } from '../support/any-character.ts';

const none = { names: [], emails: [], phones: [] };

describe('an erasure of a text', () => {
  test.each<[string, string, string]>([
    ['Ada Brown', 'For ada   brown', 'For [erased]'],
    ['Ada Brown', 'For Brown Ada, BROWN, ADA and (Ada, Brown)', 'For [erased], [erased] and ([erased])'],
    ['Ada Brown', "Ada Brown's cake, Ada Brown’s tart, Ada Brownʼs roll", "[erased]'s cake, [erased]’s tart, [erased]ʼs roll"],
    ['Ada Jones', "Ada Jones' cake", "[erased]' cake"],
    ['Ada Braun', 'Ada Brauns Torte, BRAUN ADAS TORTE', '[erased] Torte, [erased] TORTE'],
    ['Ada Brown', 'Ada Brownies for Ada, and brown bread by Nada Brown', 'Ada Brownies for Ada, and brown bread by Nada Brown'],
    ['Ada Brown', 'Ada\u00a0Brown, Ada\u200b Brown, Ada\nBrown', '[erased], [erased], [erased]'],
    ['Ada Maria van Brown', 'van Brown, Ada Maria', '[erased]'],
    ['Victoria', 'Victoria sponge', 'Victoria sponge'],
    ['Ann Lee', 'Annual sleeve of Ann Lee', 'Annual sleeve of [erased]'],
    ["Sean O'Brien", 'Sean O’Brien and SEAN OʼBRIEN', '[erased] and [erased]'],
    ['Anne-Marie Groß', 'Anne‑Marie Groß, ANNE–MARIE GROSS', '[erased], [erased]'],
    ['İpek Öz', 'ipek öz, İPEK ÖZ', '[erased], [erased]'],
    ['Zoe\u0308 Brown', 'Zo\u00eb Brown', '[erased]'],
    ['Zoe Brown', 'Zoe\u0308 Brown', 'Zoe\u0308 Brown'],
    ['Élodie Brun', 'ÉLODIE BRUN et Mélodie Brun', '[erased] et Mélodie Brun'],
    ['芳 王', '给王芳的蛋糕', '给[erased]的蛋糕'],
    ['太郎 山田', '山田太郎様、山田　太郎、山田・太郎', '[erased]様、[erased]、[erased]'],
    ['민준 김', '김민준 케이크', '[erased] 케이크'],
    ['สมชาย ใจดี', 'เค้กของสมชาย ใจดีวันเกิด', 'เค้กของ[erased]วันเกิด'],
    ['Ada Brown', 'Ada Brownさんのケーキ', '[erased]さんのケーキ'],
    ['A.B (C)', 'a.b (c) or aXb (c)', '[erased] or aXb (c)'],
  ])('the erasure of the name %s turns "%s" into "%s"', (name, text, erased) => {
    expect(withoutIdentifiers(text, { ...none, names: [name] })).toBe(erased);
  });

  test.each<[string, string, string]>([
    ['ada@a.co', 'xada@a.co, ADA@A.CO and ada@a.co.uk', 'xada@a.co, [erased] and ada@a.co.uk'],
    ['ada@a.co', "<ada@a.co>, ada@a.co's, ada@a.co.", "<[erased]>, [erased]'s, [erased]."],
    ['ada@a.co', '写信给ada@a.co的人', '写信给[erased]的人'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example, ADA@BÜCHER.example', '[erased], [erased]'],
    ['ada@XN--BCHER-KVA.example', 'ada@bu\u0308cher.example', '[erased]'],
  ])('the erasure of the email %s turns "%s" into "%s"', (email, text, erased) => {
    expect(withoutIdentifiers(text, { ...none, emails: [email] })).toBe(erased);
  });

  test.each<[string, string, string]>([
    ['250 500', 'Flour 250-500 g', 'Flour 250-500 g'],
    ['250 500', 'Call 250 500', 'Call [erased]'],
    ['+1 555 010 0199', 'Call 1-555-010-0199 or 0015550100199', 'Call [erased] or [erased]'],
    ['+49 30 5550199', 'Ruf +49 (0)30 / 555 01 99 an, tel:+49305550199', 'Ruf [erased] an, tel:[erased]'],
    ['+49 (0) 30 5550199', '+49 30 5550199', '[erased]'],
    ['+49 30 5550199', '＋４９ ３０ ５５５ ０１９９, ٠٠٤٩ ٣٠ ٥٥٥ ٠١٩٩, \u{1d7dc}930 5550199', '＋[erased], [erased], [erased]'],
    ['5550100 (mobile)', 'Call 555-0100', 'Call [erased]'],
    ['5550100', '请致电5550100谢谢', '请致电[erased]谢谢'],
    ['5550100', 'Order 155501002, SKU5550100, 5550100X', 'Order 155501002, SKU5550100, 5550100X'],
    ['20260305', 'Cake 2026-03-05, 20260305', 'Cake 2026-03-05, [erased]'],
    ['1234567', 'Total 1,234,567, 1234567.00 and 1,234,567.50', 'Total 1,234,567, 1234567.00 and 1,234,567.50'],
  ])('the erasure of the phone %s turns "%s" into "%s"', (phone, text, erased) => {
    expect(withoutIdentifiers(text, { ...none, phones: [phone] })).toBe(erased);
  });

  test('the erasure of a text never fails, whatever people are called', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, name, other) => {
        const all = [name, `${name} ${other}`, `${name}@${other}`];
        expect(typeof withoutIdentifiers(text, { names: all, emails: all, phones: all })).toBe('string');
      }),
    );
  });

  test('the erasure of a text finds a name and a phone in every form in which people send them', () => {
    const word = fc.stringMatching(/^[a-zà-öø-ÿß][a-zà-öø-ÿß'-]{0,6}[a-zà-öø-ÿß]$/);
    const form = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize('NFD'),
      (text) => text.replaceAll("'", '’').replaceAll('-', '\u2011'),
      (text) => text.replaceAll(' ', '\u00a0'),
    );
    fc.assert(
      fc.property(word, word, fc.array(form, { maxLength: 4 }), fc.boolean(), (first, last, forms, isSwapped) => {
        const written = forms.reduce((text, change) => change(text), isSwapped ? `${last}, ${first}` : `${first} ${last}`);
        const name = `${first} ${last}`;
        expect(withoutIdentifiers(`For ${written}!`, { ...none, names: [name] })).toBe('For [erased]!');
        if (!isSwapped) expect(nameKey(written)).toBe(nameKey(name));
        expect(nameKey(nameKey(written))).toBe(nameKey(written));
      }),
    );
    const digits = fc.stringMatching(/^[1-9]\d{9,11}$/);
    const separator = fc.constantFrom(' ', '-', '', '.', '/', '\u00a0', '\u2011', '\u202c');
    fc.assert(
      fc.property(
        digits,
        fc.array(separator, { minLength: 12, maxLength: 12 }),
        fc.constantFrom('+', '00', ''),
        (phone, between, prefix) => {
          const written = prefix + [...phone].map((digit, index) => (index === 0 ? '' : between[index]) + digit).join('');
          fc.pre(!/[./-]\d\d$|[.,]\d{3}$/.test(written) || /^\+|^00/.test(written));
          expect(phoneDigits(written)).toBe(phone);
          expect(withoutIdentifiers(`Call ${written}!`, { ...none, phones: [`+${phone}`] })).toBe('Call [erased]!');
        },
      ),
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
