import { beforeEach, describe, expect, test } from '@jest/globals';
import { approveCard, openCounter, pendingCard } from '../checkout-page/page.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';
import { openShopFor } from './erasing.ts';

const service = shared(startBakeries);
const ada = { first_name: 'Ada', last_name: 'Crumb', email: 'ada@crumb.example', phone: '+49 30 555 0199' };
const bob = { first_name: 'Bob', last_name: 'Baker', email: 'bob@example.com', phone: ada.phone };
const bun = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }], emit_webhooks: true };

const { at, call, act, register, erase } = openShopFor(beforeEach, service);
const read = async (id: string) => (await service.world.store.customers.get(at.account, id))?.record;
const order = async (id: string) => (await service.world.store.orders.get(at.account, id))?.record;
/** Returns the keys of items with any of the texts, without those of the customers themselves. */
const keysContaining = async (texts: readonly string[], customers: readonly string[] = []) =>
  (await service.keysContaining(at.account, texts)).filter((key) => !key.startsWith('cue#') && !customers.some((id) => key.endsWith(id)));
beforeEach(async () => {
  const events = ['customer', 'order', 'payment'].flatMap((noun) => [`${noun}.created`, `${noun}.updated`]);
  await call('POST', '/webhooks', { url: service.receiver.hook().url, events });
});

describe('customer.erase with a session that waits for its payment', () => {
  const zulu = { first_name: 'Zulumann', last_name: 'Quillfeder', email: 'zulu@quill.example', phone: '+44 20 7946 0123' };
  const texts = ['zulumann', 'quillfeder', 'zulu@quill', '20 7946', '20-7946', '207946', 'blue bell'];
  const ofPhone = { ...zulu, email: 'z@home.example', phone: '0044 20-7946-0123' };

  /** Who is registered, who has the session, and who else registers before the bank decides. */
  const cases: readonly (readonly [string, { known: object; shopper: object; heir?: object }])[] = [
    ['after another customer got the email', { known: zulu, shopper: zulu, heir: { last_name: 'Heir', email: zulu.email } }],
    ['whose customer is new', { known: zulu, shopper: zulu }],
    ['of a person known by phone only, with another email', { known: { phone: zulu.phone }, shopper: ofPhone }],
  ];

  test.each(cases.flatMap(([name, one]) => [0, 1_000].map((ms) => [name, ms, one] as const)))(
    'customer.erase leaves nothing of an order %s, paid %i ms later, in any record',
    async (_, ms, { known, shopper, heir }) => {
      const customer = await register(known);
      const fields = { customer: shopper, notes: 'Ring the blue bell', metadata: { who: 'Zulumann Quillfeder' } };
      const counter = await openCounter(service.world, { shop: at.shop, fields });
      await counter.pay(pendingCard);
      service.world.clock.advance(ms);
      expect(await erase(customer)).toMatchObject({ erased: false, running_payments: 1 });
      const owner = heir && (await register(heir));
      service.world.clock.advance(ms);
      await counter.decide('approve');
      const [made] = (await counter.made()).orders;
      if (owner) expect(made).toMatchObject({ customer_id: owner, customer_name: 'Zulumann Quillfeder' });
      // A stored response, an event and a fee that show the person.
      await act('order.update', { id: made.id, order_type: 'For Quillfeder, Zulumann' });
      const fee = { order_id: made.id, order_label: 'Cake of Zulumann Quillfeder', gateway: 'stripe', amount: 1, date: '2026-03-05' };
      await act('gateway_fee.record', fee);
      await service.pipeline.drain();
      const before = owner && (await read(owner));
      expect(await keysContaining([...texts, 'z@home'])).not.toEqual([]);
      service.world.clock.advance(ms);
      const result = await erase(customer);
      expect(result).toMatchObject({ erased: true });
      expect(await order(made.id)).toMatchObject({ customer_name: null, customer_email: null, customer_phone: null, notes: null });
      if (owner) expect(await read(owner)).toEqual(before);
      // Another customer with the phone stays, with the event that created the record.
      const others = [...(owner ? [owner] : []), ...(result['same_contact'] ?? [])];
      const events = await service.keysContaining(at.account, ['"type":"customer.created"', '\\"customer.created\\"']);
      expect((await keysContaining([...texts, 'z@home'], others)).filter((key) => !events.includes(key))).toEqual([]);
      await act('gateway_fee.record', { ...fee, order_label: 'Tart of Zulumann Quillfeder' });
      const { line_items } = await call('GET', '/expenses/gateway_fees_2026-03-05');
      const label = made.friendly_order_number ?? `#${made.order_number}`;
      expect(new Set(line_items.map((line: any) => line.order_label))).toEqual(new Set([label]));
    },
  );

  test('customer.erase of two persons, one by the phone and one by the email, erases the customer that their session created', async () => {
    const byPhone = await register({ last_name: 'Bell', phone: zulu.phone });
    // Ids sort by time: the erasure of the first person goes on first.
    service.world.clock.advance(1_000);
    const byEmail = await register({ last_name: 'Quillfeder', email: zulu.email });
    const counter = await openCounter(service.world, { shop: at.shop, fields: { customer: zulu } });
    await counter.pay(pendingCard);
    for (const id of [byPhone, byEmail]) expect(await erase(id)).toMatchObject({ erased: false, running_payments: 1 });
    await counter.decide('approve');
    expect((await counter.made()).orders).toMatchObject([{ customer_name: 'Zulumann Quillfeder' }]);
    for (const id of [byPhone, byEmail]) expect(await erase(id)).toMatchObject({ erased: true });
    await service.pipeline.drain();
    expect(await keysContaining(texts)).toEqual([]);
  });
});

describe('customer.erase of a phone that others have', () => {
  test("customer.erase keeps another customer whom a paid checkout with the person's phone created, and their order", async () => {
    const customer = await register(ada);
    const counter = await openCounter(service.world, { shop: at.shop, fields: { customer: bob } });
    await counter.pay(approveCard);
    const { orders } = await counter.made();
    const id = orders[0].customer_id;
    const stored = async () => [await read(id), await counter.session(), (await counter.made()).orders];
    const before = await stored();
    expect(before[0]).toMatchObject(bob);
    expect(await erase(customer)).toMatchObject({ erased: true, same_contact: [id] });
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['response', 'idm#'],
    ['delivery', 'dlv#'],
    ['event', 'evt#'],
  ])('two erasures that rewrite one stored %s at the same time leave neither person in it', async (what, prefix) => {
    if (what === 'event') await call('POST', '/webhooks', { url: service.receiver.hook().url, events: ['order.created'] });
    const [customer, other] = [await register(ada), await register({ ...bob, phone: null })];
    await call('POST', '/orders', { customer: { phone: ada.phone, email: bob.email }, ...bun }, { 'Idempotency-Key': 'order' });
    await service.pipeline.drain();
    service.world.clock.advance(1_000);
    service.world.wire.intercept(async ({ operation, input }, next) => {
      const text = JSON.stringify(input);
      if (operation === 'UpdateItem' && text.includes(`"pk":"${prefix}`) && text.includes('body')) {
        service.world.wire.intercept(undefined);
        expect(await erase(other)).toMatchObject({ erased: true });
      }
      return await next();
    });
    expect(await erase(customer)).toMatchObject({ erased: true });
    expect(await keysContaining(['"bob', 'bob baker', 'bob@example', '555 0199'])).toEqual([]);
  });

  const spelling = '0049 30 5550199';
  test.each<[string, { owner: object; orderCustomer?: object; isErased?: true; phone: string | null; name: string | null }]>([
    ['stays, because its own customer has it', { owner: bob, phone: ada.phone, name: 'Bob Baker' }],
    [
      'stays, because its own customer has it in another spelling',
      { owner: { ...bob, phone: spelling }, phone: spelling, name: 'Bob Baker' },
    ],
    [
      'is removed, because its own customer does not have it',
      { owner: { ...bob, phone: null }, orderCustomer: { phone: ada.phone, email: bob.email }, phone: null, name: 'Bob Baker' },
    ],
    ['is removed, because its own customer is erased', { owner: bob, isErased: true, phone: null, name: null }],
  ])('the phone of another order %s', async (_, { owner, orderCustomer, isErased, phone, name }) => {
    const customer = await register(ada);
    const other = await register(owner);
    const placeOrder = () => call('POST', '/orders', { customer: orderCustomer ?? { id: other }, ...bun }, { 'Idempotency-Key': 'order' });
    const { id, customer_phone } = await placeOrder();
    expect(customer_phone).not.toBeNull();
    await service.pipeline.drain();
    if (isErased) await erase(other);
    service.world.clock.advance(1_000);
    const { updated_at: _time, ...before } = (await order(id)) as any;
    expect(await erase(customer)).toMatchObject({ erased: true, ...(phone !== null && { same_contact: [other] }) });
    expect(await order(id)).toMatchObject({ ...before, customer_phone: phone, customer_name: name });
    expect(await placeOrder()).toMatchObject({ customer_phone: phone, customer_name: name });
    const bodies = await service.keysContaining(at.account, ['555 0199', '5550199']);
    expect(bodies.some((key) => /^(?:evt|dlv)#/.test(key))).toBe(phone !== null);
  });

  test('customer.erase keeps the phone of another customer on their order with the email of the person, and erases the rest', async () => {
    const customer = await register({ ...ada, phone: null });
    const other = await register({ last_name: 'Former', phone: '+49 40 1234567' });
    const { id } = await call('POST', '/orders', { customer: { id: other }, ...bun, notes: 'Ring Ada' });
    const { store } = service.world;
    const stored = await store.orders.get(at.account, id);
    if (!stored) throw new Error('No order.');
    await store.commit([store.orders.replaceWrite(at.account, { ...stored.record, customer_email: ada.email }, stored)]);
    expect(await erase(customer)).toMatchObject({ erased: true, orders: 1 });
    expect(await order(id)).toMatchObject({ customer_id: other, customer_email: null, notes: null, customer_phone: '+49 40 1234567' });
  });

  test('customer.erase names the other customers of a guest who ordered three times by phone, as long as they are not erased', async () => {
    const placeOrder = async (phone: string): Promise<string> =>
      (await call('POST', '/orders', { customer: { first_name: 'Ada', last_name: 'Crumb', phone }, ...bun })).customer_id;
    const [first, second, third] = [await placeOrder(ada.phone), await placeOrder(spelling), await placeOrder('+49 (0)30 5550199')];
    expect(new Set([first, second, third]).size).toBe(3);
    await register({ last_name: 'Other', phone: '+49 40 1234567' });
    const others = async (id: string) => (await erase(id))['same_contact'];
    expect((await others(first)).sort()).toEqual([second, third].sort());
    expect((await others(first)).sort()).toEqual([second, third].sort());
    expect(await others(second)).toEqual([third]);
    expect(await others(first)).toEqual([third]);
    expect(await erase(third)).not.toHaveProperty('same_contact');
    expect(await keysContaining(['"crumb', 'ada crumb', '5550199', '555 0199'])).toEqual([]);
  });

  test('customer.erase names at most 100 other customers with the phone', async () => {
    const customer = await register(ada);
    for (let i = 0; i < 101; i++) {
      if (i % 50 === 0) service.world.clock.advance(60_000);
      await register({ last_name: `Guest ${i}`, phone: ada.phone });
    }
    expect((await erase(customer))['same_contact']).toHaveLength(100);
  });
});
