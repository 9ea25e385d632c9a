import type { Evidence, Invariant } from './invariant.ts';

const windowMs = 60_000;
/** The most that the clock of a function may be wrong. */
const skewMs = 1_000;

export const lastRequest: Invariant = {
  number: 9,
  name: 'a bucket admits exactly its limit within a minute, whatever shares it and whichever processes count',
  only: ['shop'],
  breaches: ({ journal: { rushes } }: Evidence) =>
    rushes.flatMap(({ bucket, limit, seen }) => {
      const windows = new Set(seen.flatMap((one) => [one.begunMs - skewMs, one.endedMs + skewMs].map((ms) => Math.floor(ms / windowMs))));
      if (windows.size !== 1 || seen.some(({ disturbed }) => disturbed)) return [];
      const rejected = seen.filter(({ response }) => response?.status === 429);
      const expected = Math.max(0, seen.length - limit);
      const isNamed = rejected.every(({ response }) => response?.rateLimit === String(limit));
      return rejected.length === expected && isNamed
        ? []
        : [`Of ${seen.length} requests within a minute, the ${limit} of "${bucket}" rejected ${rejected.length}.`];
    }),
};

export const lastUnit: Invariant = {
  number: 8,
  name: 'exactly the rest of a payment can be given back, and not one unit more',
  only: ['shop'],
  breaches: ({ journal }: Evidence) =>
    journal.edges.flatMap(({ payment, amount, remaining, isMade }) =>
      isMade === amount <= remaining
        ? []
        : [`A refund of ${amount} of ${payment}, of which ${remaining} was left, was ${isMade ? 'made' : 'rejected'}.`],
    ),
};
