import { isDeepStrictEqual } from 'node:util';
import { expectedEvents } from './events.ts';
import { bodyIn, type Evidence, type Invariant } from './invariant.ts';
import { mayHaveErased } from './persons.ts';

interface Body {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly tenant_id: string;
  readonly data: { readonly object: { readonly id?: string } };
}

interface StoredBodies {
  readonly bodies: Set<string>;
  /** The place of its first storage: its own item, or the record of its only delivery. */
  readonly made: string[];
}

/** Returns all that was ever stored as the body of an event, from the history of the table. */
const storedBodies = ({ region }: Evidence): ReadonlyMap<string, StoredBodies> => {
  const stored = new Map<string, StoredBodies>();
  for (const { key, before, after } of region.engine.table('simulated').changes) {
    if (!/^(evt|dlv)#/.test(String(key['pk'])) || isDeepStrictEqual(before?.['body'], after?.['body'])) continue;
    const body = bodyIn(after);
    if (body === undefined) continue;
    const id = String(key['sk']);
    const known = stored.get(id) ?? { bodies: new Set(), made: [] };
    stored.set(id, known);
    known.bodies.add(body);
    if (!before) known.made.push(String(key['pk']));
  }
  return stored;
};

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
    const expected = expectedEvents(evidence);
    const stored = storedBodies(evidence);
    return [
      ...[...stored.keys()].flatMap((id) => (expected.has(id) ? [] : [`${id} is an event of no change.`])),
      ...[...stored].flatMap(([id, bodies]) => findingsOf(evidence, id, bodies)),
      ...evidence.region.receivers.attempts.flatMap(({ event, body, url, isTest }) =>
        isTest || stored.get(event)?.bodies.has(body) ? [] : [`${event} came to ${url} with other bytes than those that are stored.`],
      ),
    ];
  },
};
