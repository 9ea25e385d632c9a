import * as v from 'valibot';

/** A whole number from 1 to `most` of things to work at once. */
export const limitOf = (standard: number, most: number) =>
  v.optional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(most, `must be at most ${most}`),
    ),
    standard,
  );
