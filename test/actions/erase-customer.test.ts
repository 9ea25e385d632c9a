import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { customerInputSchema } from '../../shared/domain/customer/input.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { personal } from '../contract/specification.ts';
import { until } from '../support/delivery.ts';
import { allItems, details, kindsWithTraces, marked, person, tracesIn } from '../support/person.ts';
import type { Hook } from '../support/receiver.ts';
import { type Bakery, openBakery, type Service, startBakeries } from './bakery.ts';

// Guarantee 11 (docs/guarantees.md)

let service: Service;
let bakery: Bakery;
beforeAll(async () => {
  service = await startBakeries();
});
afterAll(() => service.stop());

const open = async () => {
  service.world.wire.intercept(undefined);
  await service.pipeline.clear();
  bakery = await openBakery(service);
};

const itemsOf = (account: string) => allItems(service.world, account);
const remainingTraces = async ({ account }: Bakery) => tracesIn(await itemsOf(account));
const erase = (id = bakery.customer): Promise<Record<string, any>> => service.act('customer.erase', bakery.account, { id });

const bun = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] };

describe('customer.erase', () => {
  let neighbour: Bakery;
  let bystander: string;
  let hook: Hook;
  let erasure: Record<string, any>;
  let remainingAtOnce: readonly string[];
  /** What was stored, shown and queued before the erasure. */
  let before: Readonly<Record<'kinds' | 'payments' | 'order' | 'customer' | 'others', any>>;
  let waiting: readonly ReturnType<typeof decodeMessage>[];

  /** Items of another account, and of another customer of the account. */
  const others = async () => [
    ...(await itemsOf(neighbour.account)),
    ...(await itemsOf(bakery.account)).filter(({ item }) => JSON.stringify(item).includes(bystander)),
  ];

  beforeAll(async () => {
    await open();
    neighbour = await openBakery(service);
    bystander = (await bakery.call('POST', '/customers', { last_name: 'Bystander', email: 'by@stander.example' })).body.id;
    await bakery.call('POST', '/orders', { customer: { id: bystander }, ...bun, notes: 'Ring' });
    await service.pipeline.drain();
    hook = service.receiver.hook();
    await bakery.call('POST', '/webhooks', {
      url: hook.url,
      events: ['customer.updated', 'order.updated', 'payment.updated', 'order.status_changed'],
    });
    const items = await itemsOf(bakery.account);
    before = {
      kinds: kindsWithTraces(items),
      // Personal data of the payer: a description, or a card's digits.
      payments: items.filter(
        ({ key, item: { view } }) => key.startsWith('pay#') && ((view as any).description ?? (view as any).method_details) !== null,
      ).length,
      order: (await bakery.call('GET', `/orders/${bakery.orders.api}`)).body,
      customer: (await bakery.call('GET', `/customers/${bakery.customer}`)).body,
      others: await others(),
    };
    waiting = service.pipeline.waiting.map(({ body }) => decodeMessage(body)).filter((ref) => ref?.account === bakery.account);
    erasure = await erase();
    remainingAtOnce = await remainingTraces(bakery);
  });

  test('customer.erase changes no other customer or account', async () => {
    expect(before.others.length).toBeGreaterThan(10);
    expect(await others()).toEqual(before.others);
  });

  test('customer.erase sends waiting deliveries under the same id, without personal data', async () => {
    expect(waiting.length).toBeGreaterThan(0);
    for (const ref of waiting) {
      const stored = ref && (await service.world.store.attempts.read({ ref, withEndpoint: false }));
      const body = JSON.parse(stored?.body ?? '{}');
      expect(body.id).toBe(ref?.event);
      expect(tracesIn([{ key: '', item: body }])).toEqual([]);
    }
  });

  test('customer.erase removes personal data from every record, event body and stored response', async () => {
    expect(before.kinds).toEqual(['chk', 'cue', 'cus', 'dlv', 'evt', 'fel', 'idm', 'ord', 'pay']);
    expect(erasure).toMatchObject({ id: bakery.customer, erased: true, payments: before.payments });
    expect(remainingAtOnce).toEqual([]);
    // Neither the changes of the erasure nor the waiting attempts restore personal data.
    await service.pipeline.drain();
    service.world.clock.advance(5 * 60_000);
    await service.pipeline.drain();
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test("customer.erase sends the anonymized record to receivers that got the customer's data", async () => {
    await service.pipeline.drain();
    const events = hook.requests.map(({ body }) => JSON.parse(body.toString()));
    expect(events.map(({ type }) => type).sort()).toEqual(['customer.updated', 'order.updated', 'order.updated']);
    for (const { data } of events) expect(tracesIn([{ key: '', item: data }])).toEqual([]);
  });

  test("customer.erase keeps amounts, goods, dates and ids for the bakery's accounts", async () => {
    const { order, customer } = before;
    expect((await bakery.call('GET', `/orders/${bakery.orders.api}`)).body).toEqual({
      ...order,
      external_id: null,
      customer_name: null,
      customer_email: null,
      customer_phone: null,
      delivery_address: null,
      notes: null,
      custom_fields: {},
      metadata: {},
      items: [{ ...order.items[0], name: 'Cake for [erased]', notes: null }],
      payments: [{ ...order.payments[0], description: null, method_details: null }],
      updated_at: expect.any(String),
    });
    expect((await bakery.call('GET', `/customers/${bakery.customer}`)).body).toEqual({
      ...customer,
      ...Object.fromEntries(personal.customer.map((name) => [name, null])),
      custom_fields: {},
      metadata: {},
      tags: [],
      updated_at: expect.any(String),
    });
  });

  test("customer.erase rejects new orders, payments and changes with the customer's id", async () => {
    const response = await bakery.call('POST', '/orders', { customer: { id: bakery.customer }, ...bun });
    expect([response.status, response.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'customer_not_found', field: 'customer.id' }),
    ]);
    expect(await service.errorOf('customer.update', bakery.account, { id: bakery.customer, notes: 'x' })).toMatchObject({ status: 404 });
    const payment = { customer_id: bakery.customer, amount: 1, method: 'cash', status: 'completed' };
    expect(await service.errorOf('payment.create', bakery.account, payment)).toMatchObject({ status: 400, field: 'customer_id' });
  });

  test('customer.erase replays a stored response without personal data', async () => {
    const again = await bakery.call(
      'POST',
      '/customers',
      { ...marked(customerInputSchema, { ...person, ...details }), tags: ['nachtfalter'], custom_fields: { engraving: 'Für Zerlinde' } },
      { 'Idempotency-Key': 'customer' },
    );
    expect([again.status, again.headers['Idempotent-Replayed'], again.body.id]).toEqual([201, 'true', bakery.customer]);
    expect(tracesIn([{ key: '', item: again.body }])).toEqual([]);
  });

  test('customer.erase changes nothing if repeated, and says so', async () => {
    await service.pipeline.drain();
    // The progress of the erasure tells of its last call, and deliveries about the customer store no
    // response of a receiver from then on.
    const stored = async () =>
      (await itemsOf(bakery.account)).flatMap(({ key, item: { no_answer: _, ...item } }) =>
        key.startsWith('era#') ? [] : [{ key, item }],
      );
    const first = await stored();
    const { id, erased_at, erased, ...counts } = erasure;
    expect(await erase()).toEqual({ id, erased_at, erased, ...Object.fromEntries(Object.keys(counts).map((name) => [name, 0])) });
    await service.pipeline.drain();
    expect(await stored()).toEqual(first);
  });

  test('customer.erase returns 404 for an unknown customer and for one of another account', async () => {
    expect(await service.errorOf('customer.erase', bakery.account, { id: 'cus_unknown' })).toMatchObject({ status: 404 });
    expect(await service.errorOf('customer.erase', neighbour.account, { id: bakery.customer })).toMatchObject({ status: 404 });
    expect(await service.errorOf('customer.erase', bakery.account, {})).toMatchObject({ status: 400, field: 'id' });
  });

  test('customer.erase frees the email and removes the name from lists and searches', async () => {
    expect((await bakery.call('GET', `/customers?email=${encodeURIComponent(person.email)}`)).body.data).toEqual([]);
    expect((await bakery.call('GET', '/customers?search=zerlinde')).body.data).toEqual([]);
    const again = await bakery.call('POST', '/customers', person);
    expect([again.status, again.body.id === bakery.customer]).toEqual([201, false]);
    expect(await erase()).toMatchObject({ erased: true });
    expect((await bakery.call('GET', `/customers/${again.body.id}`)).body).toMatchObject(person);
  });
});

describe('an erasure beside other work', () => {
  beforeEach(open);

  test('customer.erase stores no response of a running attempt, because it may echo personal data', async () => {
    const door = Promise.withResolvers<void>();
    const hook = service.receiver.hook();
    hook.respondWith(async () => {
      await door.promise;
      return 'echo' as const;
    });
    await bakery.call('POST', '/webhooks', { url: hook.url, events: ['customer.updated'] });
    await service.act('customer.update', bakery.account, { id: bakery.customer, notes: `${details.notes}!` });
    await service.pipeline.fanOut(await service.pipeline.changes());
    const running = service.pipeline.deliver(service.pipeline.receive());
    await until(() => hook.requests.length === 1);
    expect(String(hook.requests[0]?.body)).toContain(person.last_name);
    await erase();
    door.resolve();
    await running;
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test.each(['pending', 'cancelled'])('customer.erase rejects or erases a %s order that is created at the same time', async (status) => {
    const order = { customer: { id: bakery.customer }, ...bun, notes: details.notes, status };
    let erasing: Promise<unknown> | undefined;
    service.world.wire.intercept(async ({ operation }, send) => {
      // The order is accepted; the customer is erased before it is written.
      if (operation === 'TransactWriteItems' && !erasing) {
        erasing = erase();
        await erasing;
      }
      return await send();
    });
    const made = await bakery.call('POST', '/orders', order);
    service.world.wire.intercept(undefined);
    expect([made.status, made.body.error?.code]).toEqual([400, 'customer_not_found']);
    expect(await remainingTraces(bakery)).toEqual([]);
  });
});
