import type { Random } from '../scheduler/random.ts';
import { pageOrigin } from '../world/shop-page.ts';
import { insist, send } from './integrator.ts';
import { type Intent, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { marker } from './person-data.ts';
import { forget } from './privacy-officer.ts';
import { formValues, hiddenField, nextMonth, thanks } from './shopper.ts';

/** The card of the sandbox for which the bank decides later. */
const slowCard = '4000 0000 0000 3220';

/** Returns the data of a person with an email that only this person and an heir ever have. */
const personOf = (by: string) => ({
  first_name: marker(by, 'first'),
  last_name: marker(by, 'last'),
  email: `${marker(by, 'own mail')}@post.example`,
  phone: marker(by, 'phone'),
});

/**
 * A customer whose card waits for the bank, and who is erased meanwhile. Somebody else registers with the
 * freed email. Then the bank approves the payment.
 */
export const payLate = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account, key, shop } = tenant;
  const { scheduler } = region.world;
  const { stripe } = region.page;
  const name = `waiting-${number}`;
  const pageOf = (session: string) => `/checkout/${account}/${session}`;

  const intend = (kind: 'customer' | 'session' | 'order', by: string, body: object): Intent => {
    const notes = marker(by, `${kind} notes`);
    const intent: Intent = { kind, account, marker: notes, idempotencyKey: `key-${by}-${kind}`, body: { ...body, notes }, tries: [] };
    journal.intents.push(intent);
    return intent;
  };
  const make = async (kind: 'customer' | 'session' | 'order', by: string, body: object, random: Random): Promise<string | undefined> => {
    const intent = intend(kind, by, body);
    await insist(stage, name, intent, random, [key]);
    return intent.tries.map(madeBy).find((id) => id !== undefined);
  };
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    region.page.visit({ method: 'POST', path, form, headers: { origin: pageOrigin, 'sec-fetch-site': 'same-origin' } });

  /** Pays with a card that waits for the bank. Returns what lets the bank decide; undefined if none has to. */
  const begin = async (
    session: string,
    details: Readonly<Record<string, string>>,
    random: Random,
  ): Promise<(() => Promise<unknown>) | undefined> => {
    const page = pageOf(session);
    const shown = await region.page.visit({ method: 'GET', path: page });
    if (!shown?.text.includes(`action="${page}/pay"`)) return undefined;
    const payForm = { token: hiddenField(shown.text, 'token'), ...formValues(shown.text, random, { card: slowCard, details }) };
    const paid = await post(`${page}/pay`, payForm);
    const url = paid?.location;
    // Stripe's bank decides within hours.
    if (url?.startsWith('https://checkout.stripe.com')) {
      stripe.pay(url, 'decided later', random);
      return () => region.page.visit({ method: 'GET', path: `${page}/return` });
    }
    const waiting = await region.page.visit({ method: 'GET', path: page });
    if (!waiting?.text.includes('/notices/sandbox')) return undefined;
    const fields = ['session', 'token', 'transaction_id'].map((field) => [field, hiddenField(waiting.text, field)]);
    return () => post(`/checkout/${account}/notices/sandbox`, { ...Object.fromEntries(fields), answer: 'approve' });
  };

  await atWork(stage, {
    name,
    actions: 1 + scheduler.stream(name).below(2),
    pauseMs: (random) => random.below(random.chance(0.3) ? 900_000 : 60_000),
    async act(random, action) {
      const by = `${name}-${action}`;
      const person = personOf(by);
      // A customer may be known by phone only, and give an email in the shop.
      const isByPhone = random.chance(0.3);
      const { email: _, ...byPhone } = person;
      const customer = await make('customer', by, isByPhone ? byPhone : person, random);
      const cart = {
        items: [{ product_id: random.pick(shop.products), quantity: 1 }],
        customer: person,
        ...{ delivery_type: 'dispatch', delivery_date: nextMonth(scheduler.now()), delivery_address: marker(by, 'address') },
        ...{ success_url: thanks, cancel_url: 'https://shop.example.com/' },
      };
      const session = customer && (await make('session', by, cart, random));
      if (!customer || !session) return;
      journal.touched.add(customer);
      const decide = await begin(session, { ...person, delivery_address: marker(by, 'address') }, random);
      // Clocks differ: only an erasure that begins surely after the session has to find it.
      await scheduler.sleep(3_000 + random.below(5_000));
      const erased = forget(stage, name, customer, random);
      if (!isByPhone && random.chance(0.7)) {
        await scheduler.sleep(random.below(8_000));
        const heir = { first_name: marker(`${by} heir`, 'first'), last_name: marker(`${by} heir`, 'last'), email: person.email };
        const id = await make('customer', `${by}-heir`, heir, random);
        // The late order counts in the totals of the heir.
        if (id !== undefined) journal.touched.add(id);
      }
      await scheduler.sleep(random.below(20_000));
      await decide?.();
      await erased;
      if (random.chance(0.3)) await send(region, journal, { method: 'GET', path: '/orders?limit=100', key });
    },
  });
};
