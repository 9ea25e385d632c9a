import { insist } from './integrator.ts';
import { type Intent, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { marker } from './person-data.ts';
import { forget } from './privacy-officer.ts';

/**
 * Two customers of one household, who share a phone and each order with it. One of them is erased: the
 * order of the other stays as it was acknowledged.
 */
export const shareAPhone = async (stage: Stage): Promise<void> => {
  const { journal, tenant, number } = stage;
  const { account, key } = tenant;
  const name = `household-${number}`;

  await atWork(stage, {
    name,
    actions: 1,
    pauseMs: (random) => random.below(random.chance(0.3) ? 900_000 : 60_000),
    async act(random, action) {
      const by = `${name}-${action}`;
      const phone = random.pick([`+49 30 5550${number}${action}1`, marker(by, 'phone')]);
      const make = async (kind: 'customer' | 'order', own: string, body: object): Promise<string | undefined> => {
        const notes = marker(own, kind);
        const intent: Intent = { kind, account, marker: notes, idempotencyKey: `key-${own}-${kind}`, body: { ...body, notes }, tries: [] };
        journal.intents.push(intent);
        await insist(stage, name, intent, random, [key]);
        return intent.tries.map(madeBy).find((id) => id !== undefined);
      };
      const people: (string | undefined)[] = [];
      for (const personName of ['ada', 'ben']) {
        const own = `${by}-${personName}`;
        const person = {
          first_name: marker(own, 'first'),
          last_name: marker(own, 'last'),
          email: `${marker(own, 'mail')}@post.example`,
          phone,
        };
        const id = await make('customer', own, person);
        people.push(id);
        // The order counts in the totals of the customer.
        if (id !== undefined) journal.touched.add(id);
        if (id !== undefined) await make('order', own, { customer: { id }, items: [{ name: 'Bread', quantity: 1, unit_price: 4 }] });
      }
      const [ada] = people;
      if (ada !== undefined) await forget(stage, name, ada, random);
    },
  });
};
