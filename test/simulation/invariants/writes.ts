import { isDeepStrictEqual } from 'node:util';
import { type Intent, madeBy } from '../people/journal.ts';
import { viewOf } from '../reading/views.ts';
import { recordAt } from './history.ts';
import { type Evidence, type Invariant, itemsOf } from './invariant.ts';
import { type MadeKind, madeKinds, prefixOf, whatIsMade } from './kinds.ts';
import { mayHaveErased } from './persons.ts';

/** Returns a function from an intent to the ids of the records that have its marker. */
const madeWith = ({ region }: Evidence): ((kind: MadeKind, intent: Intent) => readonly string[]) => {
  const byMarker = new Map<string, string[]>();
  for (const { key, before, after } of region.engine.table('simulated').changes) {
    const made = before || !after ? undefined : whatIsMade(after);
    if (!made) continue;
    const marker = `${made.kind}/${made.marker}`;
    byMarker.set(marker, [...(byMarker.get(marker) ?? []), String(key['sk'])]);
  }
  return (kind, { marker }) => byMarker.get(`${kind}/${marker}`) ?? [];
};

/** Whether a try may have created a record: it succeeded, or its response is unknown. */
const mayHaveMade = ({ seen: { response } }: Intent['tries'][number]): boolean =>
  response === undefined || response.status < 300 || response.status >= 500;

const shownKinds = { expense: 'expense', order: 'order', customer: 'customer', session: 'checkoutSession' } as const;

/** A customer's totals, which follow from orders: invariant 8 checks them. */
interface Totals {
  readonly total_orders?: unknown;
  readonly total_spent?: unknown;
  readonly last_order_date?: unknown;
}

/**
 * Returns a record as the response shows it, without totals. The erasure of a person ends their open
 * session at once.
 */
const asShown = (record: object | undefined, { journal }: Evidence, { account }: Intent): unknown => {
  const { total_orders: _, total_spent: __, last_order_date: ___, ...fields } = (record ?? {}) as Totals;
  const { expires_at: expires, ...shown } = fields as { readonly expires_at?: string };
  const mayEnd = expires !== undefined && journal.erasures.some((action) => action.account === account);
  return { ...shown, ...(expires === undefined || mayEnd ? {} : { expires_at: expires }) };
};

const matchesResponse = (evidence: Evidence, intent: Intent, { kind, seen }: Intent['tries'][number], id: string): boolean => {
  const shown = shownKinds[kind];
  const record = recordAt(evidence, shown, intent.account, id);
  const view = record && viewOf(shown, record);
  // A session's page shows its later state.
  const is = view && kind === 'session' ? { ...view, status: 'open' } : view;
  const returned = JSON.parse(seen.response?.text ?? '') as object;
  return isDeepStrictEqual(asShown(is, evidence, intent), asShown(returned, evidence, intent));
};

/**
 * Whether a record may differ from the response: it was changed, or its person or account was
 * erased.
 */
const changedSince = (evidence: Evidence, ended: ReadonlySet<string>) => {
  const erasures = mayHaveErased(evidence);
  return ({ account }: Intent, { kind }: Intent['tries'][number], id: string): boolean =>
    ended.has(account) || evidence.journal.touched.has(id) || (kind !== 'session' && erasures(id).length > 0);
};

export const acknowledged: Invariant = {
  number: 1,
  name: 'an acknowledged write is there, and a refused one left nothing',
  breaches(evidence) {
    const { intents, erasures } = evidence.journal;
    const found = madeWith(evidence);
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    const mayDiffer = changedSince(evidence, ended);
    const there = new Set(itemsOf(evidence).map((item) => `${item['pk']} ${item['sk']}`));
    const breaches: string[] = [];
    for (const intent of intents) {
      for (const one of intent.tries) {
        const id = madeBy(one);
        if (id === undefined) continue;
        const isThere = ended.has(intent.account) || there.has(`${prefixOf(one.kind)}#${intent.account} ${id}`);
        if (!found(one.kind, intent).includes(id) || !isThere)
          breaches.push(`${id} of ${intent.marker} was acknowledged and is not there.`);
        else if (!mayDiffer(intent, one, id) && !matchesResponse(evidence, intent, one, id))
          breaches.push(`${id} of ${intent.marker} is not as it was acknowledged.`);
      }
      for (const kind of madeKinds) {
        const count = found(kind, intent).length;
        const most = intent.tries.filter((one) => one.kind === kind && mayHaveMade(one)).length;
        if (count > most) breaches.push(`${intent.marker} stands ${count} times as ${kind}, and ${most} tries may have made it.`);
      }
    }
    return breaches;
  },
};
