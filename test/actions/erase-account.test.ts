import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { searchSync } from '../../functions/search-sync/app.ts';
import { erasedKinds, kinds } from '../../shared/table/schema.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { approveCard, origin, visitor } from '../checkout-page/page.ts';
import { failWritesAfter } from '../support/faults.ts';
import { allItems, tracesIn } from '../support/person.ts';
import type { Hook } from '../support/receiver.ts';
import { customerOf } from '../support/shop.ts';
import { startSearchEngine } from '../support/typesense.ts';
import { type Bakery, openBakery, type Service, startBakeries } from './bakery.ts';

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

const itemsOf = async (account: string) =>
  (await allItems(service.world)).filter(({ key, item }) => JSON.stringify({ key, item }).includes(account));
const erase = (input: unknown = {}) => service.act('account.erase', bakery.account, input);
const keysOf = async (account: string) => (await itemsOf(account)).map(({ key }) => key).sort();
const remains = () => [`acc#${bakery.account} account`, `era#${bakery.account} *`].sort();

/** Begins an erasure whose table calls fail after the account is closed. */
const failAfterClosing = async (): Promise<void> => {
  let isClosed = false;
  service.world.wire.intercept(async ({ operation }, send) => {
    if (isClosed) throw Object.assign(new Error('cut off'), { name: 'AccessDeniedException' });
    isClosed = operation === 'TransactWriteItems';
    return await send();
  });
  expect(await service.errorOf('account.erase', bakery.account)).toMatchObject({ status: 500 });
  service.world.wire.intercept(undefined);
};

describe('account.erase', () => {
  let neighbour: Bakery;
  let hook: Hook;
  let erasure: Record<string, unknown>;
  /** What was stored and open before the erasure. */
  let before: { keys: readonly string[]; others: unknown; waiting: number; open: any };

  beforeAll(async () => {
    await open();
    neighbour = await openBakery(service);
    const { body: other } = await bakery.call('POST', '/customers', { last_name: 'Other' });
    await service.act('customer.erase', bakery.account, { id: other.id });
    hook = service.receiver.hook();
    await bakery.call('POST', '/webhooks', {
      url: hook.url,
      events: ['customer.updated', 'order.updated', 'order.deleted', 'product.deleted'],
    });
    const { body } = await bakery.shop.open();
    before = {
      keys: await keysOf(bakery.account),
      others: await itemsOf(neighbour.account),
      waiting: service.pipeline.waiting.length,
      open: (await service.world.store.checkoutSessions.get(bakery.account, body.id))?.record,
    };
    erasure = await erase();
  });

  test('account.erase leaves only a tombstone without personal data, whatever records the account had', async () => {
    const prefixes = new Set(before.keys.map((key) => key.split('#')[0]));
    expect([...prefixes].sort()).toEqual(
      // Records of the account itself, and of every kind that is erased with it.
      [kinds.account.prefix, ...erasedKinds.map((kind) => kinds[kind].prefix)].sort(),
    );
    expect(erasure).toMatchObject({ id: bakery.account, erased: true });
    expect(await keysOf(bakery.account)).toEqual(remains());
    const { id, status, name, erased_at } = await service.act('account.get', bakery.account);
    expect([id, status, name]).toEqual([bakery.account, 'closed', '']);
    expect(erased_at).toEqual(expect.any(String));
    expect(tracesIn(await itemsOf(bakery.account))).toEqual([]);
  });

  test('account.erase leaves every other account as it was', async () => {
    expect(before.others).toContainEqual(expect.objectContaining({ key: expect.stringContaining('ord#') }));
    expect(await itemsOf(neighbour.account)).toEqual(before.others);
    expect((await neighbour.call('GET', '/orders')).body.data).toHaveLength(2);
  });

  test('account.erase emits nothing, and sends no waiting delivery', async () => {
    expect(before.waiting).toBeGreaterThan(0);
    for (let hour = 0; hour < 3; hour++) {
      await service.pipeline.drain();
      service.world.clock.advance(3_600_000);
      await service.pipeline.sweep();
    }
    expect(hook.requests).toEqual([]);
    expect(service.pipeline.waiting.map(({ body }) => decodeMessage(body)?.account)).not.toContain(bakery.account);
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('a payment that completes after account.erase creates nothing', async () => {
    const form = { token: before.open?.token ?? '', card_number: approveCard, email: 'a@b.example', last_name: 'A' };
    const paid = await visitor(service.world)('POST', `/checkout/${bakery.account}/${before.open.id}/pay`, {
      form,
      headers: { origin, 'sec-fetch-site': 'same-origin' },
    });
    expect(paid.status).toBe(404);
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('account.erase returns the same result if repeated; every other action then returns 404', async () => {
    const { erased_at } = erasure;
    expect(await erase()).toEqual({ id: bakery.account, erased: true, erased_at, removed: 0 });
    for (const [action, input] of [
      ['account.update', { status: 'active' }],
      ['account.export', {}],
      ['key.create', { type: 'secret', name: 'Back door' }],
      ['settings.put', {}],
      ['product.create', { name: 'Tart', price: 4 }],
    ] as const)
      expect([action, await service.errorOf(action, bakery.account, input)]).toEqual([action, expect.objectContaining({ status: 404 })]);
    expect(await service.errorOf('account.erase', 'acct_unknown')).toMatchObject({ status: 404 });
  });
});

describe('an erasure of an account', () => {
  beforeEach(open);

  test('account.erase rejects every request from its start, even if it fails right after', async () => {
    await failAfterClosing();
    const closed = await bakery.call('GET', '/orders');
    expect([closed.status, closed.body]).toEqual([403, { error: 'account_inactive', status: 'closed' }]);
    expect(await erase()).toMatchObject({ erased: true });
    expect((await bakery.call('GET', '/orders')).status).toBe(401);
  });

  test('account.erase rejects a confirmation that names anything but the account, and erases nothing', async () => {
    const before = await itemsOf(bakery.account);
    for (const input of [{ confirm: 'acct_other' }, { confirm: '' }, { confirm: true }, { confirm: null }])
      expect(await service.errorOf('account.erase', bakery.account, input)).toMatchObject({
        status: 400,
        code: 'invalid_value',
        field: 'confirm',
      });
    expect(await itemsOf(bakery.account)).toEqual(before);
    expect(await service.act('account.erase', undefined, { id: bakery.account, confirm: bakery.account })).toMatchObject({ erased: true });
  });

  test('account.erase deletes the delivery log of an endpoint that was deleted before', async () => {
    const { body } = await bakery.call('GET', '/webhooks');
    for (const { id } of body.data) await bakery.call('DELETE', `/webhooks/${id}`);
    expect((await keysOf(bakery.account)).filter((key) => key.startsWith('dlv#')).length).toBeGreaterThan(0);
    await erase();
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('account.erase removes products from the search engine, and keeps its settings for 14 days', async () => {
    const engine = await startSearchEngine('admin', ['cakes']);
    const sync = searchSync(service.world.services);
    const syncAll = async () => {
      await service.pipeline.drain();
      const bodies = service.pipeline.searches.map(({ body }) => body);
      for (const body of bodies) await sync({ Records: [{ messageId: '1', body }] as never });
    };
    try {
      const search = { provider: 'typesense', host: engine.host, collection: 'cakes', search_key: 'search-key', admin_key: 'admin' };
      await service.act('settings.put', bakery.account, { search, checkout: null, event_categories: [{ name: 'Zerlinde' }] });
      await service.act('product.create', bakery.account, { name: 'Tart', price: 4 });
      await syncAll();
      expect(engine.documents('cakes')).toHaveLength(1);
      expect(await erase()).toMatchObject({ erased: true });
      expect(await service.world.store.accounts.getSettings(bakery.account)).toEqual({ search });
      await syncAll();
      expect(engine.documents('cakes')).toEqual([]);
      service.world.clock.advance(14 * 86_400_000);
      expect(await service.world.store.accounts.getSettings(bakery.account)).toEqual({});
    } finally {
      await engine.stop();
    }
  });
});

describe('an erasure that is cut short', () => {
  beforeEach(open);

  test('an erasure that is cut short is ended by the sweep if its function died', async () => {
    await failAfterClosing();
    service.world.clock.advance(15 * 60_000 + 1);
    await service.pipeline.sweep();
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('an erasure that is cut short says that it is incomplete, and the next call continues', async () => {
    const results: Record<string, any>[] = [];
    service.world.wire.intercept(async (_call, send) => {
      service.world.clock.advance(1_000);
      return await send();
    });
    while (!results.at(-1)?.['erased'] && results.length < 20) results.push(await erase());
    service.world.wire.intercept(undefined);
    expect(results.length).toBeGreaterThan(1);
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('an erasure that is cut short is completed by the next call, whichever write it died at', async () => {
    let cuts = 0;
    for (let erased = false; !erased; cuts++) {
      service.world.wire.intercept(failWritesAfter(cuts));
      erased = await erase().then(
        (result) => result['erased'],
        () => false,
      );
    }
    service.world.wire.intercept(undefined);
    expect(cuts).toBeGreaterThan(10);
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('an erasure that is cut short also deletes the writes of a request that was admitted just before', async () => {
    const late = service.world.store.customers.createWrites(bakery.account, customerOf(service.world.clock.now(), { email: null }));
    let landed = false;
    service.world.wire.intercept(async ({ operation, input }, send) => {
      const response = await send();
      if (operation === 'Query' && JSON.stringify(input).includes('"prd#') && !landed) {
        landed = true;
        await service.world.store.commit(late);
      }
      return response;
    });
    expect(await erase()).toMatchObject({ erased: true });
    service.world.wire.intercept(undefined);
    expect(landed).toBe(true);
    expect(await keysOf(bakery.account)).toEqual(remains());
  });

  test('a change that was decided before an erasure and committed after it does not undo it', async () => {
    let begun = false;
    service.world.wire.intercept(async ({ operation, input }, send) => {
      if (operation === 'TransactWriteItems' && JSON.stringify(input).includes('Zerlinde') && !begun) {
        begun = true;
        await erase();
      }
      return await send();
    });
    const changed = await service.errorOf('account.update', bakery.account, { name: "Zerlinde's", status: 'active' });
    service.world.wire.intercept(undefined);
    expect([begun, changed.status]).toEqual([true, 404]);
    expect(await service.act('account.get', bakery.account)).toMatchObject({ status: 'closed', name: '' });
  });

  test('an erasure that is cut short leaves no event if an earlier change fails during the erasure and is read again', async () => {
    await bakery.call('POST', '/orders', { customer: { id: bakery.customer }, items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] });
    const late = await service.pipeline.changes();
    service.world.wire.intercept(async (call, send) => {
      if (!/^(Put|Update)Item$/.test(call.operation)) return await send();
      service.world.wire.intercept(undefined);
      expect(await erase()).toMatchObject({ erased: true });
      // The record is stored, but the table cannot say whether the customer was erased.
      service.world.wire.intercept(async ({ operation, input }, sendAlso) => {
        if (/GetItem$/.test(operation) && JSON.stringify(input).includes('era#')) throw new Error('out of order');
        return await sendAlso();
      });
      return await send();
    });
    expect((await service.pipeline.fanOut(late)).batchItemFailures).toHaveLength(1);
    service.world.wire.intercept(undefined);
    service.world.clock.advance(2_000);
    expect(await service.pipeline.fanOut(late)).toEqual({ batchItemFailures: [] });
    expect(tracesIn(await itemsOf(bakery.account))).toEqual([]);
  });

  test('an erasure that is cut short leaves no event if an earlier change is read after the erasure', async () => {
    await bakery.call('POST', '/orders', { customer: { id: bakery.customer }, items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] });
    const late = await service.pipeline.changes();
    let begun = false;
    service.world.wire.intercept(async ({ operation }, send) => {
      // Fan-out has read an open account, which is erased before the first body is stored.
      if (operation === 'PutItem' && !begun) {
        begun = true;
        await erase();
      }
      return await send();
    });
    await service.pipeline.fanOut(late);
    service.world.wire.intercept(undefined);
    const remaining = await itemsOf(bakery.account);
    expect(remaining.some(({ item }) => item['body'] instanceof Uint8Array)).toBe(true);
    expect(tracesIn(remaining)).toEqual([]);
    await erase();
    expect((await keysOf(bakery.account)).filter((key) => /^(evt|dlv)#/.test(key))).toEqual([]);
  });
});
