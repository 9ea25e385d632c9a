import { describe, expect, test } from '@jest/globals';
import { follow } from '../../ops/invoke.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { bulkPut } from '../support/bulk.ts';
import { orderOf } from '../support/shop.ts';
import { type Bakery, openBakery } from './bakery.ts';
import { addEndpoint, eventStorageCases, storeTwice } from './deliveries.ts';
import { openForAllTests } from './each-test.ts';

// Guarantee 1 (docs/guarantees.md)

const at = openForAllTests();

const page = (input: unknown = {}, { account }: Bakery = at.bakery) => at.service.act('account.export', account, input);
/** Reads all pages, as `ops` does. */
const everything = (bakery = at.bakery) =>
  follow('account.export', (input) => page(input, bakery), undefined) as Promise<Record<string, any>>;

/** Stores this many orders. */
const addOrders = async ({ account }: Bakery, count: number, notes: string | null = null): Promise<readonly Order[]> => {
  const { store, clock, engine } = at.service.world;
  const created_at = isoFromMs(clock.now());
  const orders = Array.from({ length: count }, (_, i) => orderOf(clock.now() + i, { notes, created_at }));
  await bulkPut(
    engine,
    orders.map((order) => store.orders.createWrite(account, order)),
  );
  return orders;
};

describe('account.export', () => {
  test("account.export returns a small account in one page, in the API's shapes", async () => {
    const document = await everything();
    expect(document).toMatchObject({ has_more: false, next_cursor: null, account: await at.service.act('account.get', at.bakery.account) });
    expect(document['keys']).toEqual((await at.service.act('key.list', at.bakery.account))['data']);
    const { body: customer } = await at.bakery.call('GET', `/customers/${at.bakery.customer}`);
    expect(document['customers']).toEqual([customer]);
    const { body: order } = await at.bakery.call('GET', `/orders/${at.bakery.orders.api}`);
    expect(document['orders'].find(({ id }: { id: string }) => id === order.id)).toEqual({ ...order, previous_status: 'pending' });
    const { body: product } = await at.bakery.call('GET', '/products/prd_bread');
    expect(document['products']).toContainEqual(product);
    const { body: endpoints } = await at.bakery.call('GET', '/webhooks');
    expect(document['webhook_endpoints'].map(({ id }: { id: string }) => id).sort()).toEqual(
      endpoints.data.map(({ id }: { id: string }) => id).sort(),
    );
    const [endpoint] = endpoints.data;
    const { body: log } = await at.bakery.call('GET', `/webhooks/${endpoint.id}/events`);
    expect(log.data.length).toBeGreaterThan(0);
    for (const delivery of log.data) expect(document['deliveries']).toContainEqual({ endpoint_id: endpoint.id, ...delivery });
    const { body: expenses } = await at.bakery.call('GET', '/expenses');
    const ids = (records: { id: string }[]) => records.map(({ id }) => id).sort();
    expect(ids(document['expenses'])).toEqual(ids(expenses.data));
  });

  test('account.export includes deleted orders, payments without an order, carts and bodies of events', async () => {
    const document = await everything();
    expect(document['orders'].find(({ id }: { id: string }) => id === at.bakery.orders.deleted).deleted_at).toEqual(expect.any(String));
    expect(document['payments'].map(({ id }: { id: string }) => id)).toEqual([at.bakery.loosePayment]);
    expect(document['checkout_sessions'].map(({ id }: { id: string }) => id)).toContain(at.bakery.openSession);
    expect(new Set(document['events'].map(({ type }: { type: string }) => type))).toContain('order.deleted');
    expect(document['events'][0]).toMatchObject({ tenant_id: at.bakery.account, data: { object: expect.anything() } });
  });

  test('account.export contains no secret: no keys, signing secrets, secrets of settings or tokens of carts', async () => {
    const search = {
      provider: 'typesense',
      host: 's.example.com',
      collection: 'c',
      search_key: 'search-secret-1',
      admin_key: 'admin-secret-1',
    };
    await at.service.act('settings.update', at.bakery.account, { search });
    const { key } = await at.service.act('key.create', at.bakery.account, { type: 'secret', name: 'Till' });
    const endpoints = await at.service.world.store.endpoints.all(at.bakery.account);
    const { record: session } = (await at.service.world.store.checkoutSessions.get(at.bakery.account, at.bakery.openSession)) ?? {};
    const secrets = [
      key,
      at.bakery.shop.secretKey,
      search.search_key,
      search.admin_key,
      session?.token,
      ...endpoints.map(({ secret }) => secret),
    ];
    const keys = await at.service.world.store.apiKeys.list(at.bakery.account);
    const text = JSON.stringify(await everything());
    for (const secret of [...secrets, ...keys.map(({ hash }) => hash)])
      expect([secret, text.includes(String(secret))]).toEqual([secret, false]);
  });

  test('account.export contains no data of another account', async () => {
    const neighbour = await openBakery(at.service);
    const text = JSON.stringify(await everything());
    for (const foreign of [neighbour.account, neighbour.customer, ...Object.values(neighbour.orders)]) expect(text).not.toContain(foreign);
  });

  test('account.export leaves out expired records', async () => {
    at.service.world.clock.advance(31 * 86_400_000);
    const document = await everything();
    expect([document['events'], document['deliveries'], document['checkout_sessions'].length]).toEqual([[], [], 0]);
    expect(document['orders']).toHaveLength(3);
    at.service.world.clock.advance(-31 * 86_400_000);
  });

  test("account.export returns a large account in pages under a function's limit of 6 MB, each record once", async () => {
    const bakery = await openBakery(at.service);
    await addOrders(bakery, 300, 'x'.repeat(20_000));
    const sizes: number[] = [];
    const document = (await follow(
      'account.export',
      async (input) => {
        const result = await page(input, bakery);
        sizes.push(Buffer.byteLength(JSON.stringify(result)));
        return result;
      },
      undefined,
    )) as Record<string, any>;
    expect(sizes.length).toBeGreaterThan(1);
    for (const size of sizes) expect(size).toBeLessThan(5_000_000);
    const ids = document['orders'].map(({ id }: { id: string }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([303, 303]);
    expect(document['keys']).toHaveLength(3);
    expect(document['events'].length).toBeGreaterThan(0);
  });

  test.each(eventStorageCases)('account.export shows an event that is stored in %s once', async (_, { records, hasOwnItem }) => {
    const { service, bakery } = at;
    const endpoints = [await addEndpoint(service.world, bakery.account), await addEndpoint(service.world, bakery.account)];
    const id = service.world.services.newId('evt', service.world.clock.now());
    const body = JSON.stringify({ id, type: 'expense.created', created: 1, data: { object: { id: 'exp_1' } }, tenant_id: bakery.account });
    await storeTwice(service.world, bakery.account, body, { alone: endpoints.slice(0, records), hasOwnItem });
    const document = await everything();
    expect(document['events'].filter((event: { id: string }) => event.id === id)).toEqual([JSON.parse(body)]);
    expect(document['deliveries'].filter((delivery: { id: string }) => delivery.id === id)).toHaveLength(records);
  });

  test('account.export reads the payments of all orders in shared calls, each with its order', async () => {
    const { wire } = at.service.world;
    const bakery = await openBakery(at.service);
    const paid = (await addOrders(bakery, 150)).slice(0, 60);
    const paymentIds: string[][] = [];
    for (const { id } of paid) {
      const pay = async () =>
        String((await at.service.act('payment.create', bakery.account, { order_id: id, amount: 1, method: 'cash' }))['id']);
      paymentIds.push([await pay(), await pay()].sort());
    }
    wire.reset();
    const document = await everything(bakery);
    const calls = wire.calls.filter(({ operation }) => operation === 'Query' || operation === 'BatchGetItem').length;
    const exported = new Map(document['orders'].map((order: { id: string; payments: { id: string }[] }) => [order.id, order.payments]));
    expect(paid.map(({ id }) => (exported.get(id) as { id: string }[]).map((payment) => payment.id))).toEqual(paymentIds);
    expect(exported.size).toBe(153);
    // Two pages of orders, one of pointers and two of payments, plus the other lists and the
    // document's head.
    expect(calls).toBeLessThanOrEqual(30);
  });

  test('account.export rejects a cursor that it did not issue for this account', async () => {
    const { errorOf } = at.service;
    for (const cursor of ['nonsense', 'e30', 7]) {
      const error = await errorOf('account.export', at.bakery.account, { cursor });
      expect([cursor, error['status'], error['field']]).toEqual([cursor, 400, 'cursor']);
    }
  });
});
