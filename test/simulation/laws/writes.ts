import { isDeepStrictEqual } from 'node:util';
import { sessionView } from '../../../functions/checkout/view.ts';
import { hostedPagePath } from '../../../shared/domain/checkout.ts';
import { expenseView } from '../../../shared/domain/expense-view.ts';
import { orderView } from '../../../shared/domain/order-view.ts';
import { type Intent, madeBy } from '../people/journal.ts';
import { pageOrigin } from '../world/shop-page.ts';
import { type Evidence, itemsOf, type Law } from './law.ts';

/** First segment of the keys of what an intent makes, and the member of it that bears the marker. */
const kinds = {
  expense: { key: 'exp', marked: 'description' },
  order: { key: 'ord', marked: 'notes' },
  session: { key: 'chk', marked: 'notes' },
} as const satisfies Record<Intent['kind'], { readonly key: string; readonly marked: string }>;

/** Ids of the records that bear an intent's marker. */
const standing = (evidence: Evidence): ((intent: Intent) => readonly string[]) => {
  const byMarker = new Map<string, string[]>();
  for (const item of itemsOf(evidence)) {
    const [key] = String(item['pk']).split('#');
    const kind = Object.values(kinds).find((one) => one.key === key);
    if (!kind) continue;
    const marker = `${key}/${(item['view'] as Readonly<Record<string, unknown>>)[kind.marked]}`;
    byMarker.set(marker, [...(byMarker.get(marker) ?? []), String(item['sk'])]);
  }
  return ({ kind, marker }) => byMarker.get(`${kinds[kind].key}/${marker}`) ?? [];
};

/** Whether a try may have made something: it was acknowledged, or nobody knows. */
const mayHaveMade = ({ seen: { answer } }: Intent['tries'][number]): boolean =>
  answer === undefined || answer.status < 300 || answer.status >= 500;

const stored = async ({ region }: Evidence, { kind, account }: Intent, id: string): Promise<unknown> => {
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
      const ids = found(intent);
      for (const one of intent.tries) {
        const id = madeBy(one);
        if (id === undefined) continue;
        if (!ids.includes(id)) breaches.push(`${id} of ${intent.marker} was acknowledged and is not there.`);
        else if (
          !touched.has(id) &&
          !isDeepStrictEqual(JSON.parse(JSON.stringify(await stored(evidence, intent, id))), JSON.parse(one.seen.answer?.text ?? ''))
        )
          breaches.push(`${id} of ${intent.marker} is not as it was acknowledged.`);
      }
      const most = intent.tries.filter(mayHaveMade).length;
      if (ids.length > most) breaches.push(`${intent.marker} stands ${ids.length} times, and ${most} tries may have made it.`);
    }
    return breaches;
  },
};

export const once: Law = {
  number: 2,
  name: 'one Idempotency-Key makes one object and has one answer',
  breaches(evidence) {
    const found = standing(evidence);
    return evidence.journal.intents.flatMap((intent) => {
      if (intent.idempotencyKey === undefined) return [];
      const made = intent.tries.filter((one) => madeBy(one) !== undefined);
      const answers = new Set(made.map(({ seen }) => seen.answer?.text));
      const bodies = new Set(made.map(({ body }) => JSON.stringify(body)));
      const ids = found(intent);
      return [
        ...(ids.length > 1 ? [`${intent.marker} was made ${ids.length} times under one key: ${ids.join(', ')}.`] : []),
        ...(answers.size > 1 ? [`${intent.marker} has ${answers.size} answers under one key.`] : []),
        ...(bodies.size > 1 ? [`${intent.marker} was acknowledged with two bodies under one key.`] : []),
      ];
    });
  },
};

export const noFaults: Law = {
  number: 13,
  name: 'no answer is a fault of the service unless an accident befell that very request',
  breaches: ({ journal }) => journal.outrages,
};
