const mostIntervals = 4;

/** Returns whole numbers from 0 to the highest count or more, at most four steps of 1, 2 or 5 times a power of ten. */
export const scaleOf = (highest: number): readonly number[] => {
  const least = Math.max(1, highest / mostIntervals);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5].find((one) => one * power >= least) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, at) => at * step);
};
