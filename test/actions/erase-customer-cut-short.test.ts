import { beforeEach, describe, expect, test } from '@jest/globals';
import { failWritesAfter, standstillAt } from '../support/faults.ts';
import { allItems, person, tracesIn } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import type { WireCall } from '../support/wire.ts';
import { type Bakery, openBakery, type Service, startBakeries } from './bakery.ts';

const service = shared(startBakeries);
let bakery: Bakery;
beforeEach(async () => {
  service.world.wire.intercept(undefined);
  await service.pipeline.clear();
  bakery = await openBakery(service);
});

const bun = { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] };
const itemsOf = (account: string) => allItems(service.world, account);
const remainingTraces = async ({ account }: Bakery) => tracesIn(await itemsOf(account));
const erase = (): Promise<Record<string, any>> => service.act('customer.erase', bakery.account, { id: bakery.customer });

/** Fan-out stores the bodies of the changes and fails before it looks for erasures. */
const failToForget = async (late: Awaited<ReturnType<Service['pipeline']['changes']>>): Promise<void> => {
  service.world.wire.intercept(async ({ operation, input }, send) => {
    if (operation === 'BatchGetItem' && JSON.stringify(input).includes('"era#')) throw new Error('out of order');
    return await send();
  });
  expect((await service.pipeline.fanOut(late)).batchItemFailures).toHaveLength(1);
  service.world.wire.intercept(undefined);
  expect(await remainingTraces(bakery)).not.toEqual([]);
};

describe('customer.erase that is cut short', () => {
  test('an erasure that is cut short says that it is incomplete, and the next call continues', async () => {
    service.world.wire.intercept(async (_call, send) => {
      service.world.clock.advance(2_000);
      return await send();
    });
    const outcomes: boolean[] = [];
    for (let calls = 0; calls < 20 && !outcomes.includes(true); calls++) outcomes.push((await erase())['erased']);
    service.world.wire.intercept(undefined);
    expect(outcomes.length).toBeGreaterThan(1);
    expect(outcomes.slice(0, -1)).toEqual(outcomes.slice(0, -1).map(() => false));
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test('an erasure that is cut short between pages continues at the next page', async () => {
    await service.pipeline.drain();
    service.world.wire.intercept(async ({ operation, input }, send) => {
      if (operation === 'Query') Object.assign(input, { Limit: 1 });
      service.world.clock.advance(4_000);
      return await send();
    });
    let [calls, erased] = [0, false];
    for (; calls < 50 && !erased; calls++) erased = (await erase())['erased'];
    service.world.wire.intercept(undefined);
    expect([erased, calls > 5]).toEqual([true, true]);
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test('an erasure is completed by the next call, whichever write failed', async () => {
    let cuts = 0;
    for (let erased = false; !erased; cuts++) {
      service.world.wire.intercept(failWritesAfter(cuts));
      erased = await erase().then(
        (result) => result['erased'],
        () => false,
      );
      service.world.wire.intercept(undefined);
      const { body: customer } = await bakery.call('GET', `/customers/${bakery.customer}`);
      // An erasure changes all records or none.
      expect([null, ...Object.values(person)]).toContain(customer.email);
      expect(customer.last_name === null).toBe(customer.email === null);
    }
    expect(cuts).toBeGreaterThan(5);
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test('an erasure also removes from lists the name that the customer had when ordering', async () => {
    await service.act('customer.update', bakery.account, { id: bakery.customer, first_name: 'Grete', last_name: 'Neu', phone: null });
    await erase();
    await service.pipeline.drain();
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test('an erasure stays final if progress is stored late', async () => {
    const late: (() => Promise<unknown>)[] = [];
    service.world.wire.intercept(async ({ operation, input }, send) => {
      if (operation !== 'TransactWriteItems' && JSON.stringify(input).includes('"era#')) late.push(send);
      return await send();
    });
    expect(await erase()).toMatchObject({ erased: true });
    service.world.wire.intercept(undefined);
    expect(late.length).toBeGreaterThan(5);
    for (const send of late.reverse()) await send().catch(() => undefined);
    expect(await remainingTraces(bakery)).toEqual([]);
  });

  test('an erasure leaves no data of an earlier change that is read after it', async () => {
    const { body: made } = await bakery.call('POST', '/orders', { customer: { id: bakery.customer }, ...bun, emit_webhooks: true });
    const late = await service.pipeline.changes();
    await erase();
    await service.pipeline.fanOut(late);
    expect(await remainingTraces(bakery)).toEqual([]);
    const { events } = await service.act('account.export', bakery.account);
    expect(JSON.stringify(events)).toContain(made.id);
  });

  test('a receiver gets no erased person, however long fan-out takes to remove the person from a body', async () => {
    const { customer, call } = bakery;
    const hook = service.receiver.hook(200);
    await call('POST', '/webhooks', { url: hook.url, events: ['order.created'] });
    service.world.clock.advance(2_000);
    const { body: made } = await call('POST', '/orders', { customer: { id: customer }, ...bun });
    const late = await service.pipeline.changes();
    await erase();
    const isRewriting = ({ operation, input }: WireCall) => operation === 'UpdateItem' && JSON.stringify(input).includes('"evt#');
    const rewriting = standstillAt(service.world.wire, 0, 'before', isRewriting);
    const fanningOut = service.pipeline.fanOut(late);
    await rewriting.reached;
    await service.pipeline.drain();
    rewriting.goOn();
    await fanningOut;
    await service.pipeline.drain();
    const received = hook.requests.map(({ body }) => JSON.parse(body.toString()).data.object);
    expect(received).toMatchObject([{ id: made.id, customer_name: null, customer_email: null }]);
  });

  test('an erasure is kept by every reader of a body that fan-out stored later and could not erase', async () => {
    const { account, customer, call } = bakery;
    const hook = service.receiver.hook(200);
    const { body: endpoint } = await call('POST', '/webhooks', { url: hook.url, events: ['order.created'] });
    await call('POST', '/orders', { customer: { id: customer }, ...bun, emit_webhooks: true });
    const late = await service.pipeline.changes();
    await erase();
    await failToForget(late);
    const [remaining] = (await itemsOf(account)).filter(({ item }) => tracesIn([{ key: '', item }]).length > 0);
    const ref = { endpoint_id: endpoint.id, event_id: remaining?.key.split(' ').at(-1) };
    await service.act('webhook.redeliver', account, ref);
    await service.pipeline.drain();
    const shown = [
      await service.act('delivery.find', account, { event_id: ref.event_id, body: true }),
      await service.act('delivery.get', account, ref),
      await service.act('account.export', account),
      ...hook.requests.map(({ body }) => body.toString()),
    ];
    expect(shown).toHaveLength(4);
    expect(shown.map((one) => tracesIn([{ key: '', item: { one } }]))).toEqual(shown.map(() => []));
  });

  test('an erasure leaves no data of a change that failed once and has no subscriber when it is read again', async () => {
    const { account, customer, call } = bakery;
    await call('POST', '/orders', { customer: { id: customer }, ...bun, emit_webhooks: true });
    const late = await service.pipeline.changes();
    await erase();
    await failToForget(late);
    for (const { id } of await service.world.store.endpoints.all(account)) await service.act('webhook.delete', account, { id });
    service.world.clock.advance(2_000);
    expect(await service.pipeline.fanOut(late)).toEqual({ batchItemFailures: [] });
    expect(await remainingTraces(bakery)).toEqual([]);
  });
});
