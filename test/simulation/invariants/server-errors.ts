import type { Invariant } from './invariant.ts';

/** The AWS clients try three times. Fewer faults must not show, unless one uses up the time. */
const triesOfClients = 3;

/** Whether it is the one 503 that the specification names: the shop has no search engine. */
const isDocumented = (response: string): boolean => response.startsWith('503') && response.includes('search_not_configured');

export const noServerErrors: Invariant = {
  number: 13,
  name: 'no answer is a fault of the service unless more befell that very request than three tries make good',
  breaches: ({ journal, region }) => [
    ...journal.outrages,
    ...region.serverErrors.flatMap(({ to, response, met }) =>
      met.faults >= triesOfClients || met.freezes > 0 || isDocumented(response)
        ? []
        : [`${to} was answered with ${response}, and ${met.faults} of its calls met a fault.`],
    ),
  ],
};
