import { isDeepStrictEqual } from 'node:util';
import { sessionView } from '../../../functions/checkout/app.ts';
import { hostedPagePath } from '../../../shared/domain/checkout/record.ts';
import { expenseView } from '../../../shared/domain/expense/fields.ts';
import { orderView } from '../../../shared/domain/order/fields.ts';
import { type Intent, madeBy, madeRecord } from '../people/journal.ts';
import { pageOrigin } from '../world/shop-page.ts';
import { type Evidence, type Invariant, itemsOf } from './invariant.ts';
import { type MadeKind, madeKinds, prefixOf, whatIsMade } from './kinds.ts';

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

const isAsAnswered = async (
  evidence: Evidence,
  { account }: Intent,
  { kind, seen }: Intent['tries'][number],
  id: string,
): Promise<boolean> =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(await stored(evidence, kind, account, id))), JSON.parse(seen.answer?.text ?? ''));

/**
 * Whether a record may differ from the response: it was changed, or its person or account was
 * erased.
 */
const changedSince = ({ journal: { touched, erasures } }: Evidence, ended: ReadonlySet<string>) => {
  const erased = new Set(erasures.flatMap(({ customer }) => customer ?? []));
  return ({ account }: Intent, one: Intent['tries'][number], id: string): boolean =>
    ended.has(account) || touched.has(id) || erased.has(id) || erased.has(String(madeRecord(one)?.['customer_id']));
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
