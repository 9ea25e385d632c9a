import { personal } from '../../contract/specification.ts';
import type { Change, ErasureAction, Sight } from '../people/journal.ts';
import { endpointVersions } from '../reading/endpoints.ts';
import type { Kind } from '../reading/records.ts';
import { recordAt } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { mayHaveErased } from './persons.ts';

/** Whether an erasure empties the field, in a customer or in the customer's orders. */
const isPersonal = ({ subject, field }: Change): boolean =>
  (subject.startsWith('cus_') && includes(personal.customer, field)) || (subject.startsWith('ord_') && includes(personal.order, field));
const includes = (names: readonly string[], name: string): boolean => names.includes(name);
const erasedAs = (field: string): unknown => (field === 'metadata' ? {} : null);

/** Returns the changes of each record's fields, including those by erasures and closings. */
export const changesOf = (evidence: Evidence): ReadonlyMap<string, readonly Change[]> => {
  const { changes, erasures, keys } = evidence.journal;
  const registers = new Map<string, Change[]>();
  const add = (change: Change): void => {
    const register = `${change.subject}/${change.field}`;
    const known = registers.get(register) ?? [];
    registers.set(register, known);
    known.push(change);
  };
  for (const change of changes) add(change);
  const empty = ({ account, begunMs, doneMs }: ErasureAction, subject: string, field: string, value: unknown): void =>
    add({ account, subject, field, value, begunMs, endedMs: doneMs ?? Number.POSITIVE_INFINITY, acknowledged: doneMs !== undefined });
  const erasuresOf = mayHaveErased(evidence);
  const buyers = new Map(changes.flatMap(({ subject, field, value }) => (field === 'customer_id' ? [[subject, value]] : [])));
  const personal = [...registers.values()].flatMap(([first]) => (first && isPersonal(first) ? [first] : []));
  for (const action of erasures) {
    if (action.customer === undefined) {
      empty(action, action.account, 'status', 'closed');
      for (const { id, account } of keys.values()) if (account === action.account) empty(action, id, 'revoked', true);
    }
  }
  for (const { subject, field } of personal)
    for (const action of erasuresOf(subject)) {
      // The email of an order may be the person's only after the erasure; then the text may stay.
      const mustEmpty = action.customer === subject || action.customer === buyers.get(subject);
      empty(mustEmpty ? action : { ...action, doneMs: undefined }, subject, field, erasedAs(field));
    }
  return registers;
};

/**
 * Whether a field may have had the value that a person read. A change must have set it before the
 * read ended. No acknowledged change may lie between that change and the start of the read. Without
 * any change, the first value is allowed.
 */
export const mayHaveBeen = (changes: readonly Change[], { begunMs, endedMs, agrees }: Sight): boolean => {
  const settled = changes.filter((change) => change.acknowledged && change.endedMs < begunMs);
  if (settled.length === 0) return true;
  return changes.some(
    (change) => change.begunMs <= endedMs && agrees(change.value) && !settled.some((later) => later.begunMs > change.endedMs),
  );
};

const sentenceOf = (changes: readonly Change[], { subject, saw, begunMs }: Sight): string => {
  const last = changes.filter(({ acknowledged, endedMs }) => acknowledged && endedMs < begunMs).at(-1);
  return `${subject} ${saw}, after ${last?.field} ${JSON.stringify(last?.value)} was acknowledged.`;
};

/** Returns the reads that contradict the changes. */
export const unlikely = (changes: ReadonlyMap<string, readonly Change[]>, sights: readonly Sight[]): readonly string[] =>
  sights.flatMap((sight) => {
    const register = changes.get(`${sight.subject}/${sight.field}`);
    return register && !mayHaveBeen(register, sight) ? [sentenceOf(register, sight)] : [];
  });

type Fields = Readonly<Record<string, unknown>>;

/** The kinds of record with watched fields, by the prefix of their ids. */
const watched: Readonly<Record<string, Kind>> = {
  cus: 'customer',
  ord: 'order',
  prd: 'product',
  exp: 'expense',
  acct: 'account',
  key: 'apiKey',
};

/** Returns a record at the end of the scenario, with the fields under which changes of a key are recorded. */
const recordAtEnd = (evidence: Evidence, kind: Kind, account: string, id: string): Fields | undefined => {
  const record = recordAt(evidence, kind, account, id);
  if (!record || kind !== 'apiKey') return record;
  const { revoked_at, expires_at } = record;
  return { ...record, revoked: revoked_at !== null, expires: expires_at === null ? null : Date.parse(String(expires_at)) };
};

/** Returns every watched field at the end of the scenario. */
const lastSights = (evidence: Evidence, changes: ReadonlyMap<string, readonly Change[]>): readonly Sight[] => {
  const { erasures } = evidence.journal;
  const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
  return [...changes.values()].flatMap(([first]): readonly Sight[] => {
    const kind = watched[first?.subject.split('_')[0] ?? ''];
    if (!first || !kind || ended.has(first.account)) return [];
    const { account, subject, field } = first;
    const record = recordAtEnd(evidence, kind, account, subject);
    const text = JSON.stringify(record?.[field]);
    const saw = record ? `stands with ${field} ${text}` : 'is not there';
    const agrees = (value: unknown): boolean => JSON.stringify(value) === text;
    return [{ subject, field, saw, agrees, begunMs: Number.POSITIVE_INFINITY, endedMs: Number.POSITIVE_INFINITY }];
  });
};

const isOfAccess = ({ subject }: Sight): boolean => /^(?:acct|key)_/.test(subject);

export const changesLast: Invariant = {
  number: 1,
  name: 'every later read shows an acknowledged change, until another change overwrites it',
  only: ['office', 'mixed'],
  breaches(evidence) {
    const changes = changesOf(evidence);
    const sights = evidence.journal.sights.filter((sight) => !isOfAccess(sight));
    return unlikely(changes, [...sights, ...lastSights(evidence, changes)]);
  },
};

export const accessHolds: Invariant = {
  number: 14,
  name: 'a revocation, a scope, a plan and the end of an account hold from the moment they are acknowledged, and for deliveries as well',
  only: ['office', 'mixed'],
  breaches(evidence) {
    const { region, journal } = evidence;
    const changes = changesOf(evidence);
    const versions = [...endpointVersions(evidence).values()].flat();
    const accountOf = new Map(versions.flatMap(({ endpoint }) => (endpoint ? [[endpoint.url, endpoint.account] as const] : [])));
    // Tests that an owner sends are not deliveries.
    const deliveries = region.receivers.attempts.filter(({ isTest }) => !isTest);
    const sent = deliveries.map(
      ({ url, event, invokedMs, begunMs }): Sight => ({
        subject: accountOf.get(url) ?? '',
        field: 'status',
        saw: `sent ${event} to ${url}`,
        agrees: (status) => status !== 'closed',
        begunMs: invokedMs,
        endedMs: begunMs,
      }),
    );
    return unlikely(changes, [...journal.sights.filter(isOfAccess), ...sent]);
  },
};
