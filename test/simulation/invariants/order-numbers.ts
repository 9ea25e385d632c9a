import { madeBy } from '../people/journal.ts';
import type { Evidence, Invariant } from './invariant.ts';

/**
 * Returns every order as it was created, by id, without those of an account with a requested
 * erasure: it deletes the orders and their counter.
 */
const madeOrders = ({ region, journal }: Evidence) =>
  new Map(
    region.engine.table('simulated').changes.flatMap(({ key, before, after, atMs }) => {
      const [kind, account = ''] = String(key['pk']).split('#');
      if (kind !== 'ord' || before || !after) return [];
      if (journal.erasures.some((one) => one.account === account && one.customer === undefined && one.begunMs < atMs)) return [];
      const id = String(key['sk']);
      const { order_number } = after['view'] as unknown as { readonly order_number?: number };
      // A record that a person wrote by hand is not an order.
      if (order_number === undefined) return [];
      return [[id, { id, account, number: order_number }]];
    }),
  );

export const numbered: Invariant = {
  number: 15,
  name: 'no two orders of an account have one number, and one that is made after another has a higher one',
  breaches(evidence) {
    const orders = madeOrders(evidence);
    const holders = new Map<string, string[]>();
    for (const { id, account, number } of orders.values())
      holders.set(`${account} #${number}`, [...(holders.get(`${account} #${number}`) ?? []), id]);
    const twice = [...holders].flatMap(([number, ids]) => (ids.length > 1 ? [`${number} is the number of ${ids.join(' and ')}.`] : []));
    const seen = evidence.journal.intents.flatMap(({ tries }) => {
      const acknowledged = tries.find((one) => madeBy(one) !== undefined);
      const order = acknowledged && orders.get(String(madeBy(acknowledged)));
      return order ? [{ ...order, begunMs: tries[0]?.seen.begunMs ?? 0, endedMs: acknowledged.seen.endedMs }] : [];
    });
    const fallen = seen.flatMap((later) =>
      seen.flatMap((earlier) =>
        earlier.account === later.account && earlier.endedMs < later.begunMs && earlier.number > later.number
          ? [`${later.id} was asked for after ${earlier.id} was made, and has #${later.number} after #${earlier.number}.`]
          : [],
      ),
    );
    return [...twice, ...fallen];
  },
};
