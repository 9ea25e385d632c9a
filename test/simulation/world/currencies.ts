/**
 * Decimals of each currency's smallest unit, by ISO 4217. Written by hand: the product's table is
 * under test.
 */
const smallestUnit: Readonly<Record<string, 0 | 2 | 3>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };

export const isoDecimals = (currency: string): number => {
  const decimals = smallestUnit[currency.toUpperCase()];
  if (decimals === undefined) throw new Error(`The simulator does not know the decimals of ${currency}.`);
  return decimals;
};

/** Returns an amount in the currency's smallest unit. */
export const minorOf = (amount: number, currency: string): number => Math.round(amount * 10 ** isoDecimals(currency));

/** Whether Stripe takes the amount: a whole number, with a last digit of 0 in a currency of thousandths. */
export const isChargeable = (minor: number, currency: string): boolean =>
  Number.isInteger(minor) && minor > 0 && (isoDecimals(currency) < 3 || minor % 10 === 0);
