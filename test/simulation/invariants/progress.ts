import type { Evidence, Invariant } from './invariant.ts';

export const payable: Invariant = {
  number: 22,
  name: 'a session that has not expired can be paid once nothing goes wrong any more, whatever was declined or left before',
  only: ['shop', 'mixed'],
  breaches: ({ journal: { purchases } }: Evidence) =>
    purchases.flatMap(({ session, paid, seen }) => (paid ? [] : [`${session} could not be paid: ${seen.join('; ')}.`])),
};
