import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { openShop, type Shop } from '../checkout/shop.ts';
import { approveCard, openCounter, pendingCard } from '../checkout-page/page.ts';
import type { Hook } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

const service = shared(startBakeries);
const ada = { first_name: 'Ada', last_name: 'Crumb', email: 'ada@crumb.example', phone: '+49 30 555 0199' };
const bob = { first_name: 'Bob', last_name: 'Baker', email: 'bob@example.com', phone: ada.phone };
const bun = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }], emit_webhooks: true };

let shop: Shop;
let hook: Hook;
const call = async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
  const made = await service.world.request(method, path, { key: shop.secretKey, ...(body && { body }), headers });
  if (made.status >= 400) throw new Error(made.text);
  return made.body;
};
const register = async (body: object): Promise<string> => (await call('POST', '/customers', body)).id;
beforeEach(async () => {
  service.world.wire.intercept(undefined);
  await service.pipeline.clear();
  shop = await openShop(service.world);
  hook = service.receiver.hook();
  const events = eventTypes.filter((type) => /^(?:customer|order|payment)\./.test(type));
  await call('POST', '/webhooks', { url: hook.url, events });
});

const act = (action: string, input: object) => service.act(action, shop.account.id, input);
const erase = (id: string) => act('customer.erase', { id });
const read = async (id: string) => (await service.world.store.customers.get(shop.account.id, id))?.record;
const order = async (id: string) => (await service.world.store.orders.get(shop.account.id, id))?.record;
/** Returns the places of the texts, without those of the customers themselves. */
const keysContaining = async (texts: readonly string[], customers: readonly string[] = []) =>
  (await service.keysContaining(shop.account.id, texts)).filter(
    (key) => !key.startsWith('cue#') && !customers.some((id) => key.endsWith(id)),
  );

describe('customer.erase with a session that waits for its payment', () => {
  const zulu = { first_name: 'Zulu', last_name: 'Quill', email: 'zulu@quill.example', phone: '+44 20 7946 0123' };
  const phones = ['20 7946', '20-7946', '207946'];
  const fields = { customer: zulu, notes: 'Ring the blue bell', metadata: { who: 'Zulu Quill' } };
  /** Random ids never contain these texts by chance: they have no `i`, `l`, `o`, `u`, space or hyphen. Six digits are rare enough. */
  const texts = ['zulu', 'quill', ...phones, 'blue bell'];

  /** The persons: registered, in the session, and who else registers before the bank decides. */
  const cases: readonly (readonly [string, { known: object; shopper: object; heir?: object; texts: readonly string[] }])[] = [
    ['after another customer got the email', { known: zulu, shopper: zulu, heir: { last_name: 'Heir', email: zulu.email }, texts }],
    ['whose customer is new', { known: zulu, shopper: zulu, texts }],
    [
      'of a person known by phone only, with another email',
      {
        known: { phone: zulu.phone },
        shopper: { ...zulu, email: 'z@home.example', phone: '0044 20-7946-0123' },
        texts: [...texts, 'z@home'],
      },
    ],
  ];

  test.each(cases.flatMap(([name, one]) => [0, 1_000].map((ms) => [name, ms, one] as const)))(
    'customer.erase leaves nothing of an order %s, paid %i ms later, in any record',
    async (_, ms, { known, shopper, heir, texts: theirs }) => {
      const customer = await register(known);
      const counter = await openCounter(service.world, { shop, fields: { ...fields, customer: shopper } });
      await counter.pay(pendingCard);
      service.world.clock.advance(ms);
      expect(await erase(customer)).toMatchObject({ erased: false, running_payments: 1 });
      const owner = heir && (await register(heir));
      service.world.clock.advance(ms);
      await counter.decide('approve');
      const [made] = (await counter.made()).orders;
      if (owner) expect(made).toMatchObject({ customer_id: owner, customer_name: 'Zulu Quill' });
      // A stored response, an event and a fee that show the person.
      await act('order.update', { id: made.id, order_type: 'For Quill, Zulu' });
      const fee = { order_id: made.id, order_label: 'Cake of Zulu Quill', gateway: 'stripe', amount: 1, date: '2026-03-05' };
      await act('gateway_fee.record', fee);
      await service.pipeline.drain();
      const before = owner && (await read(owner));
      expect(await keysContaining(theirs)).not.toEqual([]);
      service.world.clock.advance(ms);
      const result = await erase(customer);
      expect(result).toMatchObject({ erased: true });
      expect(await order(made.id)).toMatchObject({ customer_name: null, customer_email: null, customer_phone: null, notes: null });
      if (owner) expect(await read(owner)).toEqual(before);
      // Another customer with the phone stays, with the event that created the record.
      const others = [...(owner ? [owner] : []), ...(result['same_contact'] ?? [])];
      const events = await service.keysContaining(shop.account.id, ['"type":"customer.created"', '\\"customer.created\\"']);
      expect((await keysContaining(theirs, others)).filter((key) => !events.includes(key))).toEqual([]);
      await act('gateway_fee.record', { ...fee, order_label: 'Tart of Zulu Quill' });
      const day = await call('GET', '/expenses/gateway_fees_2026-03-05');
      expect(new Set(day.line_items.map((line: any) => line.order_label))).toEqual(
        new Set([made.friendly_order_number ?? `#${made.order_number}`]),
      );
    },
  );

  test('customer.erase sends no event that shows the person, if fan-out reads the payment after it', async () => {
    const customer = await register(zulu);
    const counter = await openCounter(service.world, { shop, fields });
    await counter.pay(pendingCard);
    await service.pipeline.drain();
    await erase(customer);
    const heir = await register({ last_name: 'Heir', email: zulu.email });
    await counter.decide('approve');
    service.world.clock.advance(1_000);
    const sent = hook.requests.length;
    expect(await erase(customer)).toMatchObject({ erased: true });
    expect(await keysContaining(['zulu quill', ...phones], [heir])).toEqual([]);
    const bodies = hook.requests.slice(sent).map(({ body }) => String(body));
    expect(bodies.map((body) => JSON.parse(body).type)).toEqual(expect.arrayContaining(['order.created', 'payment.created']));
    expect(bodies.filter((body) => /zulu quill|20[ -]?7946/i.test(body))).toEqual([]);
  });
});

describe('readers of stored bodies', () => {
  const orderOf: Readonly<Record<string, (customer: string) => Promise<unknown>>> = {
    'of an order of the customer': (customer) => call('POST', '/orders', { customer: { id: customer }, ...bun }),
    'of an order that a session became, and that another customer has': async (customer) => {
      const counter = await openCounter(service.world, { shop, fields: { customer: ada } });
      await counter.pay(pendingCard);
      await erase(customer);
      await register({ last_name: 'Heir' });
      await call('POST', '/customers', { last_name: 'Heir', email: ada.email });
      await counter.decide('approve');
    },
    "of another customer's order with the phone": async () => {
      const other = await register({ ...bob, phone: null });
      await call('POST', '/orders', { customer: { email: bob.email, phone: ada.phone }, ...bun });
      return other;
    },
  };

  test.each(Object.entries(orderOf))('readers of stored bodies show no erased person in events %s, if fan-out failed', async (_, make) => {
    const customer = await register(ada);
    await make(customer);
    const records = await service.pipeline.changes();
    service.world.clock.advance(1_000);
    expect(await erase(customer)).toMatchObject({ erased: true });
    // Fan-out stores the bodies, and fails before it looks for erasures.
    service.world.wire.intercept(async ({ operation, input }, send) => {
      if (operation === 'BatchGetItem' && JSON.stringify(input).includes('"era#')) throw new Error('cut off');
      return await send();
    });
    await service.pipeline.fanOut(records).catch(() => undefined);
    service.world.wire.intercept(undefined);
    const stored = (await service.keysContaining(shop.account.id, ['order.created'])).filter((key) => key.startsWith('dlv#'));
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(await act('account.export', {}))).not.toMatch(/Ada Crumb|555 0199/);
    for (const key of stored) {
      const [endpoint_id = '', event_id = ''] = key.split('#').at(-1)?.split(' ') ?? [];
      expect(JSON.stringify(await act('delivery.find', { event_id, body: true }))).not.toMatch(/Ada Crumb|555 0199/);
      await act('webhook.redeliver', { endpoint_id, event_id });
    }
    await service.pipeline.drain();
    const bodies = hook.requests.map(({ body }) => String(body));
    expect(bodies.filter((body) => JSON.parse(body).type === 'order.created')).not.toEqual([]);
    expect(bodies.filter((body) => /Ada Crumb|555 0199/.test(body))).toEqual([]);
  });
});

describe('customer.erase of a phone that others have', () => {
  test("customer.erase keeps another customer whom a paid checkout with the person's phone created, and their order", async () => {
    const customer = await register(ada);
    const counter = await openCounter(service.world, { shop, fields: { customer: bob } });
    await counter.pay(approveCard);
    const { orders } = await counter.made();
    const [before, session] = [await read(orders[0].customer_id), await counter.session()];
    expect(before).toMatchObject(bob);
    expect(await erase(customer)).toMatchObject({ erased: true, same_contact: [orders[0].customer_id] });
    expect(await read(orders[0].customer_id)).toEqual(before);
    expect((await counter.made()).orders).toEqual(orders);
    expect(await counter.session()).toEqual(session);
  });

  const cases: readonly (readonly [
    string,
    { owner: object; orderCustomer?: object; isErased?: true; phone: string | null; name: string | null },
  ])[] = [
    ['stays, because its own customer has it', { owner: bob, phone: ada.phone, name: 'Bob Baker' }],
    [
      'stays, because its own customer has it in another spelling',
      { owner: { ...bob, phone: '0049 30 5550199' }, phone: '0049 30 5550199', name: 'Bob Baker' },
    ],
    [
      'is removed, because its own customer does not have it',
      { owner: { ...bob, phone: null }, orderCustomer: { phone: ada.phone, email: bob.email }, phone: null, name: 'Bob Baker' },
    ],
    ['is removed, because its own customer is erased', { owner: bob, isErased: true, phone: null, name: null }],
  ];

  test.each(cases)('the phone of another order %s', async (_, { owner, orderCustomer, isErased, phone, name }) => {
    const customer = await register(ada);
    const other = await register(owner);
    const body = { customer: orderCustomer ?? { id: other }, ...bun };
    const made = await call('POST', '/orders', body, { 'Idempotency-Key': 'order' });
    expect(made.customer_phone).not.toBeNull();
    await service.pipeline.drain();
    if (isErased) await erase(other);
    service.world.clock.advance(1_000);
    const { total_orders: _totals, updated_at: _time, ...before } = (await order(made.id)) as any;
    expect(await erase(customer)).toMatchObject({ erased: true, ...(owner !== undefined && phone !== null && { same_contact: [other] }) });
    expect(await order(made.id)).toMatchObject({ ...before, customer_phone: phone, customer_name: name });
    const again = await call('POST', '/orders', body, { 'Idempotency-Key': 'order' });
    expect(again).toMatchObject({ customer_phone: phone, customer_name: name });
    const bodies = await service.keysContaining(shop.account.id, ['555 0199', '5550199']);
    expect(bodies.some((key) => /^(?:evt|dlv)#/.test(key))).toBe(phone !== null);
  });

  test('customer.erase keeps the phone of another customer on their order with the email of the person, and erases the rest', async () => {
    const customer = await register({ ...ada, phone: null });
    const other = await register({ last_name: 'Former', phone: '+49 40 1234567' });
    const { id } = await call('POST', '/orders', { customer: { id: other }, ...bun, notes: 'Ring Ada' });
    const stored = await service.world.store.orders.get(shop.account.id, id);
    if (!stored) throw new Error('No order.');
    const { store } = service.world;
    await store.commit([store.orders.replaceWrite(shop.account.id, { ...stored.record, customer_email: ada.email }, stored)]);
    expect(await erase(customer)).toMatchObject({ erased: true, orders: 1 });
    expect(await order(id)).toMatchObject({ customer_id: other, customer_email: null, notes: null, customer_phone: '+49 40 1234567' });
  });

  test('customer.erase names the other customers of a guest who ordered three times by phone, as long as they are not erased', async () => {
    const guest = { first_name: 'Ada', last_name: 'Crumb', phone: ada.phone };
    const made = [];
    for (const spelling of [guest.phone, '0049 30 5550199', '+49 (0)30 5550199'])
      made.push((await call('POST', '/orders', { customer: { ...guest, phone: spelling }, ...bun })).customer_id as string);
    const [first = '', second = '', third = ''] = made;
    expect(new Set(made).size).toBe(3);
    await register({ last_name: 'Other', phone: '+49 40 1234567' });
    const result = await erase(first);
    expect([...result['same_contact']].sort()).toEqual([second, third].sort());
    expect((await erase(first))['same_contact']).toEqual(result['same_contact']);
    expect(await erase(second)).toMatchObject({ erased: true, same_contact: [third] });
    expect(await erase(first)).toMatchObject({ erased: true, same_contact: [third] });
    expect(await erase(third)).not.toHaveProperty('same_contact');
    expect(await keysContaining(['crumb', '5550199', '555 0199'])).toEqual([]);
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
