/** Limit of amounts. From this amount on, a double cannot represent every cent exactly. */
export const maxAmount = 1e12;

/** The number `digits × 10^-places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/**
 * Returns the shortest decimal that parses to the same double. It is the number that the caller
 * wrote.
 */
const decimalOf = (value: number): Decimal => {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e');
  const [integer = '0', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(`${integer}${fraction}`);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
};

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Returns the fraction as a number with `places` decimals, rounded half away from zero. */
const rounded = (numerator: bigint, denominator: bigint, places: number): number => {
  const [above, below] = [magnitude(numerator) * powerOfTen(places), magnitude(denominator)];
  const units = (2n * above + below) / (2n * below);
  return Number(`${numerator < 0n === denominator < 0n ? units : -units}e-${places}`);
};

/**
 * All arithmetic on amounts. It is exact on the decimals as written, and rounds once, half away
 * from zero. 1.005 becomes 1.01 although its double is smaller; 4.30 × 1.15 is 4.945 and becomes
 * 4.95.
 */

export const roundMoney = (amount: number, places = 2): number => multiplyMoney(amount, 1, places);

export const addMoney = (...amounts: readonly number[]): number => {
  const decimals = amounts.map(decimalOf);
  const finest = Math.max(0, ...decimals.map(({ places }) => places));
  const sum = decimals.reduce((total, { digits, places }) => total + digits * powerOfTen(finest - places), 0n);
  return rounded(sum, powerOfTen(finest), 2);
};

export const multiplyMoney = (amount: number, factor: number, places = 2): number => {
  const [a, b] = [decimalOf(amount), decimalOf(factor)];
  return rounded(a.digits * b.digits, powerOfTen(a.places + b.places), places);
};

/** Throws if the divisor is 0. */
export const divideMoney = (amount: number, divisor: number, places = 2): number => {
  const [a, b] = [decimalOf(amount), decimalOf(divisor)];
  return rounded(a.digits * powerOfTen(b.places), b.digits * powerOfTen(a.places), places);
};

/**
 * Currencies without a smaller unit: those that ISO 4217 lists, and the ariary (MGA). ISO 4217
 * gives the ariary two decimals for its fifths, but those are not used in payments.
 */
const withoutMinorUnit = new Set('BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const inThousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Returns the usual number of decimals of the currency. */
export const decimalsOf = (currency: string): 0 | 2 | 3 => {
  if (withoutMinorUnit.has(currency)) return 0;
  return inThousandths.has(currency) ? 3 : 2;
};

/** Returns the decimals of stored amounts: two, or none if the currency has no smaller unit. */
export const storedDecimalsOf = (currency: string): 0 | 2 => (withoutMinorUnit.has(currency) ? 0 : 2);
