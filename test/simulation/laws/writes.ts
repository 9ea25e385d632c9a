import { isDeepStrictEqual } from 'node:util';
import { expenseView } from '../../../shared/domain/expense-view.ts';
import { orderView } from '../../../shared/domain/order-view.ts';
import { type Intent, madeBy, madeRecord } from '../people/journal.ts';
import { type Evidence, itemsOf, type Law } from './law.ts';

const kinds = { expense: 'exp', order: 'ord', customer: 'cus' } as const satisfies Record<Intent['kind'], string>;

/** Ids of the records that were made with an intent's marker, whatever became of them. */
const madeWith = ({ region }: Evidence): ((intent: Intent) => readonly string[]) => {
  const byMarker = new Map<string, string[]>();
  for (const { key, before, after } of region.engine.table('simulated').changes) {
    const [kind] = String(key['pk']).split('#');
    if (before || !after || !Object.values<string>(kinds).includes(String(kind))) continue;
    const { description, notes } = after['view'] as { readonly description?: string; readonly notes?: string };
    const marker = `${kind}/${kind === 'exp' ? description : notes}`;
    byMarker.set(marker, [...(byMarker.get(marker) ?? []), String(key['sk'])]);
  }
  return ({ kind, marker }) => byMarker.get(`${kinds[kind]}/${marker}`) ?? [];
};

/** Whether a try may have made something: it was acknowledged, or nobody knows. */
const mayHaveMade = ({ seen: { answer } }: Intent['tries'][number]): boolean =>
  answer === undefined || answer.status < 300 || answer.status >= 500;

const stored = async ({ region }: Evidence, { kind, account }: Intent, id: string): Promise<unknown> => {
  if (kind === 'customer') return (await region.store.customers.get(account, id))?.record;
  if (kind === 'order') {
    const order = await region.store.orders.get(account, id);
    return order && orderView(order.record);
  }
  const expense = await region.store.expenses.get(account, id);
  return expense && expenseView(expense.expense);
};

export const acknowledged: Law = {
  number: 1,
  name: 'an acknowledged write is there, and a refused one left nothing',
  async breaches(evidence) {
    const { intents, touched, erasures } = evidence.journal;
    const found = madeWith(evidence);
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    const there = new Set(itemsOf(evidence).map((item) => `${item['pk']} ${item['sk']}`));
    const breaches: string[] = [];
    for (const intent of intents) {
      const ids = found(intent);
      for (const one of intent.tries) {
        const id = madeBy(one);
        if (id === undefined) continue;
        const isThere = ended.has(intent.account) || there.has(`${kinds[intent.kind]}#${intent.account} ${id}`);
        if (!ids.includes(id) || !isThere) breaches.push(`${id} of ${intent.marker} was acknowledged and is not there.`);
        else if (
          !touched.has(id) &&
          !ended.has(intent.account) &&
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
    const found = madeWith(evidence);
    const erased = new Set(evidence.journal.erasures.map(({ customer }) => customer));
    return evidence.journal.intents.flatMap((intent) => {
      if (intent.idempotencyKey === undefined) return [];
      const made = intent.tries.filter((one) => madeBy(one) !== undefined);
      // What is replayed of a person who was erased is what is left of them.
      const isErased = made.some((one) =>
        [madeRecord(one)?.['id'], madeRecord(one)?.['customer_id']].some((id) => erased.has(id as string)),
      );
      const answers = new Set(made.map((one) => (isErased ? madeBy(one) : one.seen.answer?.text)));
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
