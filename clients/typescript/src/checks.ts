/** Throws for a value that is no number in the bounds. A comparison with NaN would accept any. */
export const assertNumber = (name: string, value: number, least: number, most = Number.POSITIVE_INFINITY): void => {
  if (!(typeof value === 'number' && value >= least && value <= most))
    throw new TypeError(`${name} must be a number of at least ${least}, and is ${String(value)}. Perhaps a variable is not set.`);
};
