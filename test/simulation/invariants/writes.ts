import { isDeepStrictEqual } from 'node:util';
import { sessionView } from '../../../functions/checkout/app.ts';
import { hostedPagePath } from '../../../shared/domain/checkout/record.ts';
import { expenseView } from '../../../shared/domain/expense/fields.ts';
import { orderView } from '../../../shared/domain/order/fields.ts';
import { type Intent, madeBy } from '../people/journal.ts';
import { pageOrigin } from '../world/shop-page.ts';
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
const mayHaveMade = ({ seen: { answer } }: Intent['tries'][number]): boolean =>
  answer === undefined || answer.status < 300 || answer.status >= 500;

const stored = async ({ region }: Evidence, kind: MadeKind, account: string, id: string): Promise<unknown> => {
  if (kind === 'customer') return (await region.store.customers.get(account, id))?.record;
  if (kind === 'order') {
    const order = await region.store.orders.get(account, id);
    return order && orderView(order.record);
  }
  if (kind === 'session') {
    const session = await region.store.checkoutSessions.get(account, id);
    // The session's page shows its later state.
    return session && { ...sessionView(session.record, `${pageOrigin}${hostedPagePath(session.record)}`), status: 'open' };
  }
  const stored = await region.store.expenses.get(account, id);
  return stored && expenseView(stored.record);
};

/** Returns a record as the response shows it. The erasure of a person ends their open session at once. */
const asShown = (record: unknown, { journal }: Evidence, { account }: Intent): unknown => {
  const { expires_at: expires, ...shown } = JSON.parse(JSON.stringify(record)) as { readonly expires_at?: string };
  const mayEnd = expires !== undefined && journal.erasures.some((action) => action.account === account);
  return { ...shown, ...(expires === undefined || mayEnd ? {} : { expires_at: expires }) };
};

const isAsAnswered = async (evidence: Evidence, intent: Intent, { kind, seen }: Intent['tries'][number], id: string): Promise<boolean> => {
  const [is, was] = [await stored(evidence, kind, intent.account, id), JSON.parse(seen.answer?.text ?? '')];
  return isDeepStrictEqual(asShown(is, evidence, intent), asShown(was, evidence, intent));
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
  async breaches(evidence) {
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
        else if (!mayDiffer(intent, one, id) && !(await isAsAnswered(evidence, intent, one, id)))
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
