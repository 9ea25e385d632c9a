import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { until } from '../support/delivery.ts';
import { isCommit, runBefore } from '../support/faults.ts';
import { details, kindsWithTraces, person, tracesIn } from '../support/person.ts';
import { type Bakery, createPerson, openBakery } from './bakery.ts';
import { openForAllTests, openForEachTest } from './each-test.ts';
import { itemsOf, tracesOf } from './erasing.ts';

// Guarantee 11 (docs/guarantees.md)

const bun = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] };

describe('customer.erase', () => {
  const at = openForAllTests();
  let neighbour: Bakery;
  let bystander: string;
  let erasure: Record<string, any>;
  let remainingAtOnce: readonly string[];
  /** What was stored and queued before the erasure. */
  let before: { kinds: readonly string[]; payments: number; others: readonly unknown[]; waiting: ReturnType<typeof decodeMessage>[] };

  const erase = () => at.service.act('customer.erase', at.bakery.account, { id: at.bakery.customer });
  const remaining = () => tracesOf(at.service, at.bakery.account);
  /** Returns items of another account, and of another customer of the account. */
  const others = async () => [
    ...(await itemsOf(at.service, neighbour.account)),
    ...(await itemsOf(at.service, at.bakery.account)).filter(({ item }) => JSON.stringify(item).includes(bystander)),
  ];

  beforeAll(async () => {
    const { service, bakery } = at;
    neighbour = await openBakery(service);
    bystander = (await bakery.call('POST', '/customers', { last_name: 'Bystander', email: 'by@stander.example' })).body.id;
    await bakery.call('POST', '/orders', { customer: { id: bystander }, ...bun, notes: 'Ring' });
    await service.pipeline.drain();
    const items = await itemsOf(service, bakery.account);
    before = {
      kinds: kindsWithTraces(items),
      // Personal data of the payer: a description, or a card's digits.
      payments: items.filter(
        ({ key, item: { view } }) => key.startsWith('pay#') && ((view as any).description ?? (view as any).method_details) !== null,
      ).length,
      others: await others(),
      waiting: service.pipeline.waiting.map(({ body }) => decodeMessage(body)).filter((ref) => ref?.account === bakery.account),
    };
    erasure = await erase();
    remainingAtOnce = await remaining();
  });

  test('customer.erase changes no other customer or account', async () => {
    expect(before.others.length).toBeGreaterThan(10);
    expect(await others()).toEqual(before.others);
  });

  test('customer.erase keeps waiting deliveries under the same id, without personal data', async () => {
    expect(before.waiting.length).toBeGreaterThan(0);
    for (const ref of before.waiting) {
      const stored = ref && (await at.service.world.store.attempts.read({ ref, withEndpoint: false }));
      const body = JSON.parse(stored?.body ?? '{}');
      expect(body.id).toBe(ref?.event);
      expect(tracesIn([{ key: '', item: body }])).toEqual([]);
    }
  });

  test('customer.erase removes personal data from every record, event body and stored response', async () => {
    const { pipeline, world } = at.service;
    expect(before.kinds).toEqual(['chk', 'cue', 'cus', 'dlv', 'evt', 'fel', 'idm', 'ord', 'pay']);
    expect(erasure).toMatchObject({ id: at.bakery.customer, erased: true, payments: before.payments });
    expect(remainingAtOnce).toEqual([]);
    // Neither the changes of the erasure nor the waiting attempts restore personal data.
    await pipeline.drain();
    world.clock.advance(5 * 60_000);
    await pipeline.drain();
    expect(await remaining()).toEqual([]);
  });

  test('customer.erase replays a stored response without personal data', async () => {
    const { status, headers, body } = await createPerson(at.bakery.call);
    expect([status, headers['Idempotent-Replayed'], body.id]).toEqual([201, 'true', at.bakery.customer]);
    expect(tracesIn([{ key: '', item: body }])).toEqual([]);
  });

  test('customer.erase counts no change if repeated', async () => {
    const { id, erased_at, erased, ...counts } = erasure;
    expect(await erase()).toEqual({ id, erased_at, erased, ...Object.fromEntries(Object.keys(counts).map((name) => [name, 0])) });
  });

  test('customer.erase frees the email and removes the name from lists and searches', async () => {
    const { call, customer } = at.bakery;
    for (const query of [`email=${encodeURIComponent(person.email)}`, 'search=zerlinde'])
      expect((await call('GET', `/customers?${query}`)).body.data).toEqual([]);
    const again = await call('POST', '/customers', person);
    expect([again.status, again.body.id === customer]).toEqual([201, false]);
    expect(await erase()).toMatchObject({ erased: true });
    expect((await call('GET', `/customers/${again.body.id}`)).body).toMatchObject(person);
  });
});

describe('an erasure of a customer beside other work', () => {
  const at = openForEachTest();
  const act = (action: string, fields: object = {}) => at.service.act(action, at.bakery.account, { id: at.bakery.customer, ...fields });
  const remaining = () => tracesOf(at.service, at.bakery.account);

  test('customer.erase removes the name that the customer had when ordering from all records', async () => {
    await act('customer.update', { first_name: 'Grete', last_name: 'Neu', phone: null });
    await act('customer.erase');
    await at.service.pipeline.drain();
    expect(await remaining()).toEqual([]);
  });

  test('customer.erase stores no response of a running attempt, because it may echo personal data', async () => {
    const { pipeline, receiver } = at.service;
    const door = Promise.withResolvers<void>();
    const hook = receiver.hook();
    hook.respondWith(async () => {
      await door.promise;
      return 'echo' as const;
    });
    await at.bakery.call('POST', '/webhooks', { url: hook.url, events: ['customer.updated'] });
    await act('customer.update', { notes: `${details.notes}!` });
    await pipeline.fanOut(await pipeline.changes());
    const running = pipeline.deliver(pipeline.receive());
    await until(() => hook.requests.length === 1);
    expect(String(hook.requests[0]?.body)).toContain(person.last_name);
    await act('customer.erase');
    door.resolve();
    await running;
    expect(await remaining()).toEqual([]);
  });

  test.each(['pending', 'cancelled'])('customer.erase rejects a %s order that is created at the same time', async (status) => {
    const { wire } = at.service.world;
    // The order is accepted; the customer is erased before it is written.
    wire.intercept(runBefore(isCommit, () => act('customer.erase')));
    const order = { customer: { id: at.bakery.customer }, ...bun, notes: details.notes, status };
    const made = await at.bakery.call('POST', '/orders', order);
    wire.intercept(undefined);
    expect([made.status, made.body.error?.code]).toEqual([400, 'customer_not_found']);
    expect(await remaining()).toEqual([]);
  });
});
