import { personal } from '../../contract/specification.ts';
import type { Change, ErasureAction, Sight } from '../people/journal.ts';
import { endpointVersions } from './events.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { mayHaveErased } from './persons.ts';

/** Whether an erasure empties the field, in a customer or in the customer's orders. */
const isPersonal = ({ subject, member }: Change): boolean =>
  (subject.startsWith('cus_') && includes(personal.customer, member)) || (subject.startsWith('ord_') && includes(personal.order, member));
const includes = (names: readonly string[], name: string): boolean => names.includes(name);
const erasedAs = (member: string): unknown => (member === 'metadata' ? {} : null);

/** Returns the changes of each record's fields, including those by erasures and closings. */
export const changesOf = (evidence: Evidence): ReadonlyMap<string, readonly Change[]> => {
  const { changes, erasures, keys } = evidence.journal;
  const registers = new Map<string, Change[]>();
  const add = (change: Change): void => {
    const register = `${change.subject}/${change.member}`;
    const known = registers.get(register) ?? [];
    registers.set(register, known);
    known.push(change);
  };
  for (const change of changes) add(change);
  const empty = ({ account, begunMs, doneMs }: ErasureAction, subject: string, member: string, value: unknown): void =>
    add({ account, subject, member, value, begunMs, endedMs: doneMs ?? Number.POSITIVE_INFINITY, acknowledged: doneMs !== undefined });
  const erasuresOf = mayHaveErased(evidence);
  const buyers = new Map(changes.flatMap(({ subject, member, value }) => (member === 'customer_id' ? [[subject, value]] : [])));
  const personal = [...registers.values()].flatMap(([first]) => (first && isPersonal(first) ? [first] : []));
  for (const action of erasures) {
    if (action.customer === undefined) {
      empty(action, action.account, 'status', 'closed');
      for (const { id, account } of keys.values()) if (account === action.account) empty(action, id, 'revoked', true);
    }
  }
  for (const { subject, member } of personal)
    for (const action of erasuresOf(subject)) {
      // The email of an order may be the person's only after the erasure; then the text may stay.
      const mustEmpty = action.customer === subject || action.customer === buyers.get(subject);
      empty(mustEmpty ? action : { ...action, doneMs: undefined }, subject, member, erasedAs(member));
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
  return `${subject} ${saw}, after ${last?.member} ${JSON.stringify(last?.value)} was acknowledged.`;
};

/** Returns the reads that contradict the changes. */
export const unlikely = (changes: ReadonlyMap<string, readonly Change[]>, sights: readonly Sight[]): readonly string[] =>
  sights.flatMap((sight) => {
    const register = changes.get(`${sight.subject}/${sight.member}`);
    return register && !mayHaveBeen(register, sight) ? [sentenceOf(register, sight)] : [];
  });

type Members = Readonly<Record<string, unknown>>;

/** Reads a record at the end of the scenario; undefined for kinds that are not watched. */
const standing = ({ region }: Evidence, account: string, id: string): Promise<Members | undefined> | undefined => {
  const { store } = region;
  const read: Readonly<Record<string, () => Promise<object | undefined>>> = {
    cus: async () => (await store.customers.get(account, id))?.record,
    ord: async () => (await store.orders.get(account, id))?.record,
    prd: async () => (await store.products.get(account, id))?.record,
    exp: async () => (await store.expenses.get(account, id))?.record,
    acct: async () => await store.accounts.get(account),
    key: async () => {
      const key = await store.apiKeys.get(account, id);
      return key && { ...key, revoked: key.revoked_at !== null, expires: key.expires_at === null ? null : Date.parse(key.expires_at) };
    },
  };
  return read[id.split('_')[0] ?? '']?.() as Promise<Members | undefined> | undefined;
};

/** Returns every watched field at the end of the scenario. */
const lastSights = async (evidence: Evidence, changes: ReadonlyMap<string, readonly Change[]>): Promise<readonly Sight[]> => {
  const { erasures } = evidence.journal;
  const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
  const sights: Sight[] = [];
  for (const [first] of changes.values()) {
    if (!first || ended.has(first.account)) continue;
    const { account, subject, member } = first;
    const reading = standing(evidence, account, subject);
    const record = await reading;
    // Other kinds are not watched; a deleted expense is not readable.
    if (!reading || (!record && subject.startsWith('exp_'))) continue;
    const text = JSON.stringify(record?.[member]);
    const saw = record ? `stands with ${member} ${text}` : 'is not there';
    const agrees = (value: unknown): boolean => JSON.stringify(value) === text;
    sights.push({ subject, member, saw, agrees, begunMs: Number.POSITIVE_INFINITY, endedMs: Number.POSITIVE_INFINITY });
  }
  return sights;
};

const isOfAccess = ({ subject }: Sight): boolean => /^(?:acct|key)_/.test(subject);

export const changesLast: Invariant = {
  number: 1,
  name: 'every later read shows an acknowledged change, until another change overwrites it',
  only: ['office', 'mixed'],
  async breaches(evidence) {
    const changes = changesOf(evidence);
    const sights = evidence.journal.sights.filter((sight) => !isOfAccess(sight));
    return unlikely(changes, [...sights, ...(await lastSights(evidence, changes))]);
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
        member: 'status',
        saw: `sent ${event} to ${url}`,
        agrees: (status) => status !== 'closed',
        begunMs: invokedMs,
        endedMs: begunMs,
      }),
    );
    return unlikely(changes, [...journal.sights.filter(isOfAccess), ...sent]);
  },
};
