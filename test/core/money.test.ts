import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addMoney, maxAmount, roundMoney } from '../../shared/core/money.ts';

describe('rounding to cents', () => {
  test.each([
    [1.005, 1.01],
    [1.004, 1],
    [1.015, 1.02],
    [1.025, 1.03],
    [8.345, 8.35],
    [0.285, 0.29],
    [10.235, 10.24],
    [2.675, 2.68],
    [0.615, 0.62],
    [1.1, 1.1],
    [100, 100],
    [0.005, 0.01],
    [0.0049999, 0],
    [1e-7, 0],
    [5e-324, 0],
    [9.995, 10],
    [123_456_789_012.345, 123_456_789_012.35],
    [999_999_999_999.994, 999_999_999_999.99],
  ])('%d becomes %d', (amount, rounded) => {
    expect(roundMoney(amount)).toBe(rounded);
  });

  test('halves go away from zero on either side of it', () => {
    expect(roundMoney(-1.005)).toBe(-1.01);
    expect(roundMoney(-0.004)).toBe(0);
  });

  // The decimal is built from its digits, so the expected cents are exact whatever a double makes of it.
  const written = fc.record({ cents: fc.integer({ min: 0, max: 99_999_999 }), tail: fc.stringMatching(/^\d{1,4}$/) });
  const decimal = (cents: number, tail: string) => Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}${tail}`);

  test('it is decided by the third decimal as written', () => {
    fc.assert(
      fc.property(written, ({ cents, tail }) => {
        const up = Number(tail[0]) >= 5 ? 1 : 0;
        expect(roundMoney(decimal(cents, tail))).toBe(Number(`${cents + up}e-2`));
      }),
    );
  });

  test('a rounded amount stays as it is, and its negative is its mirror', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: maxAmount, noNaN: true }), (amount) => {
        const rounded = roundMoney(amount);
        expect(roundMoney(rounded)).toBe(rounded);
        expect(roundMoney(-amount)).toBe(rounded === 0 ? 0 : -rounded);
        expect(Math.abs(rounded - amount)).toBeLessThanOrEqual(0.005 + amount * Number.EPSILON);
      }),
    );
  });
});

describe('sums', () => {
  test('binary fractions do not creep in', () => {
    expect(addMoney(0.1, 0.2)).toBe(0.3);
    expect(addMoney(...Array.from({ length: 1000 }, () => 0.01))).toBe(10);
    expect(addMoney()).toBe(0);
  });

  test('a sum of amounts is the sum of their cents', () => {
    const cents = fc.integer({ min: -1_000_000_00, max: 1_000_000_00 });
    fc.assert(
      fc.property(fc.array(cents), (all) => {
        const sum = all.reduce((total, one) => total + one, 0);
        expect(addMoney(...all.map((one) => one / 100))).toBe(Number(`${sum}e-2`));
      }),
    );
  });
});
