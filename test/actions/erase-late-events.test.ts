import { beforeEach, describe, expect, test } from '@jest/globals';
import { openCounter, pendingCard } from '../checkout-page/page.ts';
import { standstillAt } from '../support/faults.ts';
import { keysContaining } from '../support/person.ts';
import type { Hook } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import type { WireCall, Hook as WireHook } from '../support/wire.ts';
import { startBakeries } from './bakery.ts';
import { itemsOf, keysOf, openShopFor, tombstoneOf } from './erasing.ts';

const service = shared(startBakeries);
const ada = { first_name: 'Ada', last_name: 'Crumb', email: 'ada@crumb.example', phone: '+49 30 555 0199' };
const bob = { first_name: 'Bob', last_name: 'Baker', email: 'bob@example.com' };
const bun = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }], emit_webhooks: true };
const withPerson = /Ada Crumb|555 0199/;

let hook: Hook;
const { at, call, act, register, erase } = openShopFor(beforeEach, service);
const placeOrder = (customer: object) => call('POST', '/orders', { customer, ...bun });
const eraseAccount = async () => expect(await act('account.erase')).toMatchObject({ erased: true });
const eraseCustomer = async (id: string) => expect(await erase(id)).toMatchObject({ erased: true });
beforeEach(async () => {
  hook = service.receiver.hook();
  await call('POST', '/webhooks', { url: hook.url, events: ['order.created', 'customer.created', 'payment.created'] });
});

/** Fails the reads by which fan-out looks for erasures. */
const failReadsOfErasures: WireHook = async ({ operation, input }, send) => {
  if (/GetItem$/.test(operation) && JSON.stringify(input).includes('"era#')) throw new Error('cut off');
  return await send();
};
type Changes = Awaited<ReturnType<typeof service.pipeline.changes>>;
/** Reads changes with fan-out, and fails it after it has stored the bodies. */
const failFanOut = async (changes: Changes): Promise<void> => {
  service.world.wire.intercept(failReadsOfErasures);
  expect((await service.pipeline.fanOut(changes)).batchItemFailures.length).toBeGreaterThan(0);
  service.world.wire.intercept(undefined);
};
const fanOut = async (changes: Changes): Promise<void> => {
  service.world.clock.advance(2_000);
  expect(await service.pipeline.fanOut(changes)).toEqual({ batchItemFailures: [] });
};
/** Returns the keys of the account's items that contain the person's name or phone. */
const keysWithPerson = async () => keysContaining(await itemsOf(service, at.account), ['Ada Crumb', '555 0199']);
const sent = () => hook.requests.map(({ body }) => String(body));

describe('an event that fan-out reads after the erasure of its person', () => {
  /** Orders with the data of a customer, to whom they lead in different ways. */
  const orders: Readonly<Record<string, (customer: string) => Promise<unknown>>> = {
    'an order of the customer': (id) => placeOrder({ id }),
    'an order that a session became, and that another customer has': async (id) => {
      const counter = await openCounter(service.world, { shop: at.shop, fields: { customer: ada } });
      await counter.pay(pendingCard);
      await erase(id);
      await register({ last_name: 'Heir', email: ada.email });
      await counter.decide('approve');
    },
    "another customer's order with the phone": async () => {
      await register(bob);
      await placeOrder({ email: bob.email, phone: ada.phone });
    },
  };
  const fanOuts = { 'is late': fanOut, 'fails before it looks for erasures': failFanOut };
  const cases = Object.entries(orders).flatMap(([what, make]) =>
    Object.entries(fanOuts).map(([when, read]) => [what, when, make, read] as const),
  );

  test.each(cases)('every reader shows the event of %s without the erased person, if fan-out %s', async (_what, _when, make, read) => {
    const customer = await register(ada);
    await make(customer);
    const changes = await service.pipeline.changes();
    service.world.clock.advance(1_000);
    await eraseCustomer(customer);
    await read(changes);
    expect((await keysWithPerson()).length > 0).toBe(read === failFanOut);
    const deliveries = (await keysOf(service, at.account)).filter((key) => key.startsWith('dlv#'));
    const shown = [await act('account.export')];
    for (const key of deliveries) {
      const [endpoint_id = '', event_id = ''] = key.split('#').at(-1)?.split(' ') ?? [];
      shown.push(await act('delivery.find', { event_id, body: true }), await act('delivery.get', { endpoint_id, event_id }));
      await act('webhook.redeliver', { endpoint_id, event_id });
    }
    expect(JSON.stringify(shown)).not.toMatch(withPerson);
    await service.pipeline.drain();
    expect(sent().map((body) => JSON.parse(body).type)).toContain('order.created');
    expect(sent().filter((body) => withPerson.test(body))).toEqual([]);
  });

  test('if fan-out reads a change again after an erasure, it stores the event without the person, also without a subscriber', async () => {
    const id = await register(ada);
    await placeOrder({ id });
    const changes = await service.pipeline.changes();
    await eraseCustomer(id);
    await failFanOut(changes);
    expect(await keysWithPerson()).not.toEqual([]);
    for (const endpoint of await service.world.store.endpoints.all(at.account)) await act('webhook.delete', { id: endpoint.id });
    await fanOut(changes);
    expect(await keysWithPerson()).toEqual([]);
  });

  test('a receiver gets no erased person, however long fan-out takes to remove the person from a body', async () => {
    const id = await register(ada);
    await service.pipeline.drain();
    const { id: order } = await placeOrder({ id });
    const changes = await service.pipeline.changes();
    await eraseCustomer(id);
    const isRewriting = ({ operation, input }: WireCall) => operation === 'UpdateItem' && JSON.stringify(input).includes('"evt#');
    const rewriting = standstillAt(service.world.wire, 0, 'before', isRewriting);
    const fanningOut = service.pipeline.fanOut(changes);
    await rewriting.reached;
    await service.pipeline.drain();
    rewriting.goOn();
    await fanningOut;
    await service.pipeline.drain();
    const received = sent()
      .map((body) => JSON.parse(body))
      .filter(({ type }) => type === 'order.created');
    expect(received.map(({ data }) => data.object)).toMatchObject([{ id: order, customer_name: null, customer_email: null }]);
  });
});

describe('an event that fan-out reads while its account is erased', () => {
  /** Reads the change of an order with fan-out, and erases the account before the first body is stored. */
  const eraseDuringFanOut = async (next: WireHook | undefined) => {
    await placeOrder({ id: await register(ada) });
    const changes = await service.pipeline.changes();
    service.world.wire.intercept(async (wireCall, send) => {
      if (!/^(Put|Update)Item$/.test(wireCall.operation)) return await send();
      service.world.wire.intercept(undefined);
      await eraseAccount();
      service.world.wire.intercept(next);
      return await send();
    });
    const { batchItemFailures } = await service.pipeline.fanOut(changes);
    service.world.wire.intercept(undefined);
    return { changes, failures: batchItemFailures.length };
  };

  test('an event that is stored after the erasure of its account has no data, and a repeated erasure deletes it', async () => {
    expect(await eraseDuringFanOut(undefined)).toMatchObject({ failures: 0 });
    const bodies = (await itemsOf(service, at.account)).filter(({ item }) => item['body'] instanceof Uint8Array);
    expect(bodies.length).toBeGreaterThan(0);
    expect(await keysWithPerson()).toEqual([]);
    await eraseAccount();
    expect(await keysOf(service, at.account)).toEqual(tombstoneOf(at.account));
  });

  test('an event of an erased account is stored without data once fan-out can read the erasure', async () => {
    const { changes, failures } = await eraseDuringFanOut(failReadsOfErasures);
    expect(failures).toBeGreaterThan(0);
    await fanOut(changes);
    expect(await keysWithPerson()).toEqual([]);
  });
});
