import { beforeAll, describe, expect, test } from '@jest/globals';
import { searchSync } from '../../functions/search-sync/app.ts';
import { erasedKinds, kinds } from '../../shared/table/schema.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { failWritesAfter, isCommit, runBefore } from '../support/faults.ts';
import { tracesIn } from '../support/person.ts';
import type { Hook } from '../support/receiver.ts';
import { customerOf } from '../support/shop.ts';
import { startSearchEngine } from '../support/typesense.ts';
import { type Bakery, openBakery } from './bakery.ts';
import { openForAllTests, openForEachTest } from './each-test.ts';
import { itemsOf, keysOf, tombstoneOf } from './erasing.ts';

describe('account.erase', () => {
  const at = openForAllTests();
  let neighbour: Bakery;
  let hook: Hook;
  let erasure: Record<string, unknown>;
  /** What was stored and queued before the erasure. */
  let before: { keys: readonly string[]; others: unknown; waiting: number };
  const erase = () => at.service.act('account.erase', at.bakery.account);
  const keys = () => keysOf(at.service, at.bakery.account);

  beforeAll(async () => {
    const { service, bakery } = at;
    neighbour = await openBakery(service);
    const { body: other } = await bakery.call('POST', '/customers', { last_name: 'Other' });
    await service.act('customer.erase', bakery.account, { id: other.id });
    hook = service.receiver.hook();
    const events = ['customer.updated', 'order.updated', 'order.deleted', 'product.deleted'];
    await bakery.call('POST', '/webhooks', { url: hook.url, events });
    before = {
      keys: await keys(),
      others: await itemsOf(service, neighbour.account),
      waiting: service.pipeline.waiting.length,
    };
    erasure = await erase();
  });

  test('account.erase leaves only a tombstone without personal data, whatever records the account had', async () => {
    const { service, bakery } = at;
    const prefixes = new Set(before.keys.map((key) => key.split('#')[0]));
    expect([...prefixes].sort()).toEqual(
      // Records of the account itself, and of every kind that is erased with it.
      [kinds.account.prefix, ...erasedKinds.map((kind) => kinds[kind].prefix)].sort(),
    );
    expect(erasure).toMatchObject({ id: bakery.account, erased: true });
    expect(await keys()).toEqual(tombstoneOf(bakery.account));
    const closed = { id: bakery.account, status: 'closed', name: '', erased_at: expect.any(String) };
    expect(await service.act('account.get', bakery.account)).toMatchObject(closed);
    expect(tracesIn(await itemsOf(service, bakery.account))).toEqual([]);
  });

  test('account.erase leaves every other account as it was', async () => {
    expect(before.others).toContainEqual(expect.objectContaining({ key: expect.stringContaining('ord#') }));
    expect(await itemsOf(at.service, neighbour.account)).toEqual(before.others);
    expect((await neighbour.call('GET', '/orders')).body.data).toHaveLength(2);
  });

  test('account.erase emits nothing, and sends no waiting delivery', async () => {
    const { pipeline, world } = at.service;
    expect(before.waiting).toBeGreaterThan(0);
    for (let hour = 0; hour < 3; hour++) {
      await pipeline.drain();
      world.clock.advance(3_600_000);
      await pipeline.sweep();
    }
    expect(hook.requests).toEqual([]);
    expect(pipeline.waiting.map(({ body }) => decodeMessage(body)?.account)).not.toContain(at.bakery.account);
    expect(await keys()).toEqual(tombstoneOf(at.bakery.account));
  });

  test('account.erase returns the same result if repeated', async () => {
    expect(await erase()).toEqual({ id: at.bakery.account, erased: true, erased_at: erasure['erased_at'], removed: 0 });
  });

  test.each([
    ['account.update', { status: 'active' }],
    ['account.export', {}],
    ['product.create', { name: 'Tart', price: 4 }],
  ])('%s returns 404 after account.erase', async (action, input) => {
    expect(await at.service.errorOf(action, at.bakery.account, input)).toMatchObject({ status: 404 });
  });
});

describe('an erasure of an account', () => {
  const at = openForEachTest();
  const act = (action: string, input: unknown = {}) => at.service.act(action, at.bakery.account, input);
  const erase = async () => expect(await act('account.erase')).toMatchObject({ erased: true });
  const expectTombstone = async () => expect(await keysOf(at.service, at.bakery.account)).toEqual(tombstoneOf(at.bakery.account));

  test('account.erase rejects every request from its start, even if it fails right after', async () => {
    const { service, bakery } = at;
    service.world.wire.intercept(failWritesAfter(1));
    expect(await service.errorOf('account.erase', bakery.account)).toMatchObject({ status: 500 });
    service.world.wire.intercept(undefined);
    const closed = await bakery.call('GET', '/orders');
    expect([closed.status, closed.body]).toEqual([403, { error: 'account_inactive', status: 'closed' }]);
    await erase();
    expect((await bakery.call('GET', '/orders')).status).toBe(401);
  });

  test('account.erase rejects a confirmation that names anything but the account, and erases nothing', async () => {
    const { service, bakery } = at;
    const before = await itemsOf(service, bakery.account);
    const rejection = { status: 400, code: 'invalid_value', field: 'confirm' };
    for (const confirm of ['acct_other', '', true, null])
      expect(await service.errorOf('account.erase', bakery.account, { confirm })).toMatchObject(rejection);
    expect(await itemsOf(service, bakery.account)).toEqual(before);
    const { account: id } = bakery;
    expect(await service.act('account.erase', undefined, { id, confirm: id })).toMatchObject({ erased: true });
  });

  test('account.erase deletes the delivery log of an endpoint that was deleted before', async () => {
    const { account, call } = at.bakery;
    for (const { id } of (await call('GET', '/webhooks')).body.data) await call('DELETE', `/webhooks/${id}`);
    expect((await keysOf(at.service, account)).filter((key) => key.startsWith('dlv#'))).not.toEqual([]);
    await erase();
    await expectTombstone();
  });

  test('account.erase removes products from the search engine, and keeps its settings for 14 days', async () => {
    const { world, pipeline } = at.service;
    const engine = await startSearchEngine('admin', ['cakes']);
    const sync = searchSync(world.services);
    const syncAll = async () => {
      await pipeline.drain();
      const bodies = pipeline.searches.map(({ body }) => body);
      for (const body of bodies) await sync({ Records: [{ messageId: '1', body }] as never });
    };
    const settings = () => world.store.accounts.getSettings(at.bakery.account);
    try {
      const search = { provider: 'typesense', host: engine.host, collection: 'cakes', search_key: 'search-key', admin_key: 'admin' };
      await act('settings.put', { search, checkout: null, event_categories: [{ name: 'Zerlinde' }] });
      await act('product.create', { name: 'Tart', price: 4 });
      await syncAll();
      expect(engine.documents('cakes')).toHaveLength(1);
      await erase();
      expect(await settings()).toEqual({ search });
      await syncAll();
      expect(engine.documents('cakes')).toEqual([]);
      world.clock.advance(14 * 86_400_000);
      expect(await settings()).toEqual({});
    } finally {
      await engine.stop();
    }
  });

  test('account.erase also deletes the writes of a request that was admitted just before', async () => {
    const { wire, store, clock } = at.service.world;
    const late = store.customers.createWrites(at.bakery.account, customerOf(clock.now(), { email: null }));
    let hasLanded = false;
    const land = async () => {
      await store.commit(late);
      hasLanded = true;
    };
    wire.intercept(runBefore(({ operation, input }) => operation === 'Query' && JSON.stringify(input).includes('"prd#'), land));
    await erase();
    wire.intercept(undefined);
    expect(hasLanded).toBe(true);
    await expectTombstone();
  });

  test('a change that was decided before an erasure of the account and committed after it does not undo it', async () => {
    const { wire } = at.service.world;
    wire.intercept(runBefore((call) => isCommit(call) && JSON.stringify(call.input).includes('Zerlinde'), erase));
    const changed = await at.service.errorOf('account.update', at.bakery.account, { name: "Zerlinde's", status: 'active' });
    wire.intercept(undefined);
    expect(changed).toMatchObject({ status: 404 });
    expect(await act('account.get')).toMatchObject({ status: 'closed', name: '' });
  });
});
