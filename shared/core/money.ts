/** Amounts at or above this have no exact cents in a double. */
export const maxAmount = 1e12;

/**
 * Rounds to 2 decimals, half away from zero on the decimal as written: 1.005 → 1.01, although the nearest double lies below it.
 * The shortest decimal that reads back as the same double is what the caller wrote, so the rounding is done on its digits.
 */
export const roundMoney = (amount: number): number => {
  const [digits = '0', exponent = '0'] = Math.abs(amount).toString().split('e');
  const cents = Math.round(Number(`${digits}e${Number(exponent) + 2}`));
  const rounded = Number(`${cents}e-2`);
  return amount < 0 && rounded !== 0 ? -rounded : rounded;
};

/** Sums amounts without letting binary fractions creep in. */
export const addMoney = (...amounts: number[]): number =>
  roundMoney(amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100);
