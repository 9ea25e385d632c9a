import { knownIds } from '../people/journal.ts';
import type { Invariant } from './invariant.ts';

const lists = { customer: 'customers', order: 'orders', expense: 'expenses' } as const;

export const exported: Invariant = {
  number: 1,
  name: 'an export has every record that was acknowledged before it, once',
  only: ['office', 'mixed'],
  breaches: ({ journal }) =>
    journal.exports.flatMap(({ account, pages, begunMs }) => {
      const before = {
        ...journal,
        intents: journal.intents.map((one) => ({ ...one, tries: one.tries.filter(({ seen }) => seen.endedMs < begunMs) })),
      };
      return (Object.keys(lists) as (keyof typeof lists)[]).flatMap((kind) => {
        const shown = pages.flatMap((page) => page[lists[kind]] as readonly { readonly id: string }[]).map(({ id }) => id);
        const twice = shown.filter((id, i) => shown.indexOf(id) < i);
        const missing = knownIds(before, kind, account).filter((id) => !shown.includes(id));
        return [
          ...twice.map((id) => `The export of ${account} has ${id} twice.`),
          ...missing.map((id) => `The export of ${account} lacks ${id}, which was acknowledged before it.`),
        ];
      });
    }),
};
