import { isDeepStrictEqual } from 'node:util';
import { sessionView } from '../../../functions/checkout/view.ts';
import { hostedPagePath } from '../../../shared/domain/checkout.ts';
import { expenseView } from '../../../shared/domain/expense-view.ts';
import { orderView } from '../../../shared/domain/order-view.ts';
import { type Intent, madeBy } from '../people/journal.ts';
import { pageOrigin } from '../world/shop-page.ts';
import { type MadeKind, madeKinds, whatIsMade } from './kinds.ts';
import { type Evidence, itemsOf, type Law } from './law.ts';

/** Ids of the records of a kind that bear an intent's marker. */
const standing = (evidence: Evidence): ((kind: MadeKind, intent: Intent) => readonly string[]) => {
  const byMarker = new Map<string, string[]>();
  for (const item of itemsOf(evidence)) {
    const made = whatIsMade(item);
    if (!made) continue;
    const marker = `${made.kind}/${made.marker}`;
    byMarker.set(marker, [...(byMarker.get(marker) ?? []), String(item['sk'])]);
  }
  return (kind, { marker }) => byMarker.get(`${kind}/${marker}`) ?? [];
};

/** Whether a try may have made something: it was acknowledged, or nobody knows. */
const mayHaveMade = ({ seen: { answer } }: Intent['tries'][number]): boolean =>
  answer === undefined || answer.status < 300 || answer.status >= 500;

const stored = async ({ region }: Evidence, kind: MadeKind, account: string, id: string): Promise<unknown> => {
  if (kind === 'order') {
    const order = await region.store.orders.get(account, id);
    return order && orderView(order.record);
  }
  if (kind === 'session') {
    const session = await region.store.checkoutSessions.get(account, id);
    // What becomes of it later is told by its page.
    return session && { ...sessionView(session.record, `${pageOrigin}${hostedPagePath(session.record)}`), status: 'open' };
  }
  const expense = await region.store.expenses.get(account, id);
  return expense && expenseView(expense.expense);
};

export const acknowledged: Law = {
  number: 1,
  name: 'an acknowledged write is there, and a refused one left nothing',
  async breaches(evidence) {
    const { intents, touched } = evidence.journal;
    const found = standing(evidence);
    const breaches: string[] = [];
    for (const intent of intents) {
      for (const one of intent.tries) {
        const id = madeBy(one);
        if (id === undefined) continue;
        if (!found(one.kind, intent).includes(id)) breaches.push(`${id} of ${intent.marker} was acknowledged and is not there.`);
        else if (
          !touched.has(id) &&
          !isDeepStrictEqual(
            JSON.parse(JSON.stringify(await stored(evidence, one.kind, intent.account, id))),
            JSON.parse(one.seen.answer?.text ?? ''),
          )
        )
          breaches.push(`${id} of ${intent.marker} is not as it was acknowledged.`);
      }
      for (const kind of madeKinds) {
        const count = found(kind, intent).length;
        const most = intent.tries.filter((one) => one.kind === kind && mayHaveMade(one)).length;
        if (count > most) breaches.push(`${intent.marker} stands ${count} times as an ${kind}, and ${most} tries may have made it.`);
      }
    }
    return breaches;
  },
};
