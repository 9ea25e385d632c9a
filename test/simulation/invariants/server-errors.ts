import type { Invariant } from './invariant.ts';

/** The clients of AWS try three times: fewer faults are made good, unless one lets time run out. */
const triesOfClients = 3;

/** The one that the specification names: a shop without a search engine has no key for it. */
const isDocumented = (answer: string): boolean => answer.startsWith('503') && answer.includes('search_not_configured');

export const noServerErrors: Invariant = {
  number: 13,
  name: 'no answer is a fault of the service unless more befell that very request than three tries make good',
  breaches: ({ journal, region }) => [
    ...journal.outrages,
    ...region.serverErrors.flatMap(({ to, answer, met }) =>
      met.faults >= triesOfClients || met.freezes > 0 || isDocumented(answer)
        ? []
        : [`${to} was answered with ${answer}, and ${met.faults} of its calls met a fault.`],
    ),
  ],
};
