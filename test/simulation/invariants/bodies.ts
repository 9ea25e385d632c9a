import { type Body, type StoredBodies, storedBodies } from '../reading/bodies.ts';
import { expectedEvents } from '../reading/expected-events.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { mayHaveErased } from './persons.ts';

/** Whether the erasure of the event's person or account was requested. */
const mayChange = (evidence: Evidence, { tenant_id, data: { object } }: Body): boolean =>
  evidence.journal.erasures.some(({ account, customer }) => account === tenant_id && customer === undefined) ||
  mayHaveErased(evidence)(object.id ?? '').length > 0;

const findingsOf = (evidence: Evidence, id: string, { bodies, made }: StoredBodies): readonly string[] => {
  const read = [...bodies].map((body) => JSON.parse(body) as Body);
  const [first] = read;
  if (!first) return [];
  const free = mayChange(evidence, first);
  const envelopes = new Set(read.map(({ id: own, type, created, tenant_id }) => JSON.stringify([own, type, created, tenant_id])));
  return [
    ...(bodies.size > 1 && !free ? [`${id} has had ${bodies.size} bodies, and tells of nobody who was erased.`] : []),
    ...(envelopes.size > 1 ? [`${id} has changed its envelope: ${[...envelopes].join(', ')}.`] : []),
    // The body of an erased account may be stored again, empty.
    ...(new Set(made).size < made.length &&
    !evidence.journal.erasures.some(({ account, customer }) => account === first.tenant_id && customer === undefined)
      ? [`${id} was made ${made.length} times.`]
      : []),
  ];
};

export const sameBytes: Invariant = {
  number: 4,
  name: 'an event is made once, and its bytes never differ but for a person who was erased',
  breaches(evidence) {
    const expected = new Set(expectedEvents(evidence).map(({ id }) => id));
    const stored = storedBodies(evidence);
    return [
      ...[...stored.keys()].flatMap((id) =>
        expected.has(id) ? [] : [`${id} is the event of no change: ${JSON.stringify(stored.get(id)?.first)}.`],
      ),
      ...[...stored].flatMap(([id, bodies]) => findingsOf(evidence, id, bodies)),
      ...evidence.region.receivers.attempts.flatMap(({ event, body, url, isTest }) =>
        isTest || stored.get(event)?.bodies.has(body) ? [] : [`${event} came to ${url} with other bytes than those that are stored.`],
      ),
    ];
  },
};
