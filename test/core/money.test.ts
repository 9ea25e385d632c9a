import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addMoney, decimalsOf, divideMoney, maxAmount, multiplyMoney, roundMoney, storedDecimalsOf } from '../../shared/core/money.ts';

/** A number given by its digits, so that expected values need only integers. */
interface Written {
  readonly digits: bigint;
  readonly places: number;
}

const written = (most: bigint, mostPlaces: number): fc.Arbitrary<Written> =>
  fc.record({ digits: fc.bigInt({ min: -most, max: most }), places: fc.integer({ min: 0, max: mostPlaces }) });
const numberOf = ({ digits, places }: Written): number => Number(`${digits}e-${places}`);
const ten = (power: number): bigint => 10n ** BigInt(power);

/** The whole number nearest to numerator / denominator; halves round away from zero. */
const nearest = (numerator: bigint, denominator: bigint): bigint => {
  const negative = numerator < 0n !== denominator < 0n;
  const [n, d] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator];
  const quotient = n / d;
  const up = 2n * (n % d) >= d ? quotient + 1n : quotient;
  return negative ? -up : up;
};
const money = (units: bigint, places = 2): number => Number(`${units}e-${places}`);

// A double keeps fifteen digits of a decimal.
const amount = written(10n ** 14n, 6);
const factor = written(10n ** 9n, 6);

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
    [1e21, 1e21],
  ])('rounding to cents makes %d to %d', (value, rounded) => {
    expect(roundMoney(value)).toBe(rounded);
  });

  test('rounding to cents takes halves away from zero, on both sides', () => {
    expect(roundMoney(-1.005)).toBe(-1.01);
    expect(roundMoney(-0.004)).toBe(0);
    expect(roundMoney(-0)).toBe(0);
  });

  test('rounding to cents uses the decimal as written, for cents and for whole units', () => {
    fc.assert(
      fc.property(amount, fc.constantFrom(0, 2, 3), (value, places) => {
        expect(roundMoney(numberOf(value), places)).toBe(money(nearest(value.digits * ten(places), ten(value.places)), places));
      }),
    );
  });

  test('rounding to cents keeps a rounded amount, and treats negative amounts alike', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: maxAmount, noNaN: true }), (value) => {
        const rounded = roundMoney(value);
        expect(roundMoney(rounded)).toBe(rounded);
        expect(roundMoney(-value)).toBe(rounded === 0 ? 0 : -rounded);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.005 + value * Number.EPSILON);
      }),
    );
  });
});

describe('sums', () => {
  test('sums have no errors of binary fractions', () => {
    expect(addMoney(0.1, 0.2)).toBe(0.3);
    expect(addMoney(...Array.from({ length: 1000 }, () => 0.01))).toBe(10);
    expect(addMoney()).toBe(0);
  });

  test('sums lose no cent if the sum of cents is not an exact double', () => {
    expect(addMoney(...Array.from({ length: 101 }, () => 999_999_999_999.99), -99_999_999_999_999)).toBe(999_999_999_999.99);
  });

  test('sums are exact on the decimals as written, and rounded once', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (all) => {
        const sum = all.reduce((total, { digits, places }) => total + digits * ten(6 - places), 0n);
        expect(addMoney(...all.map(numberOf))).toBe(money(nearest(sum, ten(4))));
      }),
    );
  });
});

describe('products', () => {
  test.each([
    [4.3, 1.15, 4.95],
    [5.33, 1.5, 8],
    [1.005, 1, 1.01],
    [0.07, 3, 0.21],
    [-4.3, 1.15, -4.95],
    [10.35, 0.1, 1.04],
    [1e-7, 1e7, 1],
    [999_999_999_999.99, 100_000, 99_999_999_999_999_000],
  ])('%d × %d is %d', (value, by, product) => {
    expect(multiplyMoney(value, by)).toBe(product);
  });

  test('products are exact on the decimals as written, and rounded once', () => {
    fc.assert(
      fc.property(amount, factor, fc.constantFrom(0, 2), (value, by, places) => {
        const exact = nearest(value.digits * by.digits * ten(places), ten(value.places + by.places));
        expect(multiplyMoney(numberOf(value), numberOf(by), places)).toBe(money(exact, places));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('quotients', () => {
  test.each([
    [10, 3, 3.33],
    [0.05, 2, 0.03],
    [1, 8, 0.13],
    [-1, 8, -0.13],
    [1.15, 0.9, 1.28],
  ])('%d ÷ %d is %d', (value, by, quotient) => {
    expect(divideMoney(value, by)).toBe(quotient);
  });

  test('quotients are exact on the decimals as written, and rounded once', () => {
    fc.assert(
      fc.property(
        amount,
        factor.filter(({ digits }) => digits !== 0n),
        fc.constantFrom(0, 2),
        (value, by, places) => {
          const exact = nearest(value.digits * ten(by.places + places), by.digits * ten(value.places));
          expect(divideMoney(numberOf(value), numberOf(by), places)).toBe(money(exact, places));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('decimals of a currency', () => {
  test.each([
    ['USD', 2, 2],
    ['EUR', 2, 2],
    ['HUF', 2, 2],
    ['TWD', 2, 2],
    ['JPY', 0, 0],
    ['KRW', 0, 0],
    ['UGX', 0, 0],
    ['ISK', 0, 0],
    ['KWD', 3, 2],
    ['XYZ', 2, 2],
  ])('%s has %d decimals, and its amounts have %d', (currency, decimals, places) => {
    expect([decimalsOf(currency), storedDecimalsOf(currency)]).toEqual([decimals, places]);
  });
});
