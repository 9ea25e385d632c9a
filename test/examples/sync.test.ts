import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import { type Served, serve } from '../support/serve.ts';
import { startExample } from './example.ts';

/** The proxy's action on one request; undefined forwards it. */
type Meddle = (url: URL) => { status: number; body: unknown } | undefined;

let journey: Journey;
let merchant: Merchant;
let folder: string;
/** A proxy between the example and the service. */
let proxy: Served;
let requestedUrls: URL[];
let meddle: Meddle;
beforeAll(async () => {
  journey = await startJourney({ regions: ['us'] });
  proxy = await serve(async (request, response) => {
    const url = new URL(request.url ?? '', journey.runtime.urls.us);
    requestedUrls.push(url);
    const instead = meddle(url);
    if (instead) return void response.writeHead(instead.status, { 'content-type': 'application/json' }).end(JSON.stringify(instead.body));
    const apiResponse = await fetch(url, { headers: { authorization: String(request.headers.authorization) } });
    response.writeHead(apiResponse.status, { 'content-type': 'application/json' }).end(await apiResponse.text());
  });
});
afterAll(async () => {
  await proxy.stop();
  await journey.stop();
});
beforeEach(async () => {
  merchant = await journey.merchant();
  folder = mkdtempSync(join(tmpdir(), 'sync-'));
  requestedUrls = [];
  meddle = () => undefined;
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = async (page = 100, more: Readonly<Record<string, string>> = {}) => {
  const example = startExample(process.execPath, 'examples/sync/sync.ts', {
    BAKERY_URL: `${proxy.url}/api/v2`,
    BAKERY_API_KEY: merchant.key,
    SYNC_FOLDER: folder,
    SYNC_PAGE: String(page),
    ...more,
  });
  return { code: await example.ended, stdout: example.stdout(), stderr: example.stderr() };
};
const checkpoints = () => JSON.parse(readFileSync(join(folder, 'checkpoint.json'), 'utf8'));
const mirrored = (resource: string): any[] => {
  const db = new DatabaseSync(join(folder, 'mirror.db'));
  const rows = db.prepare('SELECT json FROM records WHERE resource = ? ORDER BY id').all(resource);
  db.close();
  return rows.map(({ json }) => JSON.parse(String(json)));
};
const spend = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push((await merchant.act('expense.create', { amount: 1 + i, date: '2026-03-01', category: 'rent' })).id);
  await eventually(
    () => merchant.call('GET', '/expenses?limit=100'),
    ({ body }) => ids.every((id) => body.data.some((one: { id: string }) => one.id === id)),
  );
  return ids;
};

test.each([
  ['sync/sync.ts', 'BAKERY_API_KEY'],
  ['storefront/server.ts', 'BAKERY_PUBLISHABLE_KEY'],
])('the example %s ends with one sentence if %s is not set beside BAKERY_URL', async (file, name) => {
  const example = startExample(process.execPath, `examples/${file}`, { PORT: '0', BAKERY_URL: `${proxy.url}/api/v2` });
  expect([await example.ended, example.stderr()]).toEqual([1, `Set ${name} beside BAKERY_URL.\n`]);
});

test('the sync job fetches only the records of an external id', async () => {
  const of = (external_id: string) => merchant.call('POST', '/customers', { last_name: 'Lind', external_id });
  const [{ body: expected }] = await Promise.all([of('till 7'), of('till 8')]);
  await eventually(
    () => merchant.call('GET', '/customers?external_id=till%207'),
    ({ body }) => body.data.length === 1,
  );
  expect(await run(100, { SYNC_EXTERNAL_ID: 'till 7' })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('customers: 1 written'),
  });
  expect(mirrored('customers').map(({ id }) => id)).toEqual([expected.id]);
});

test('the sync job fetches everything page by page, and then only what has changed, with inclusive repeats', async () => {
  const ids = await spend(5);
  await merchant.act('product.create', { name: 'Tart', price: 4 });
  const first = await run(2);
  expect(first).toMatchObject({
    code: 0,
    stderr: '',
    stdout:
      'customers: 0 written, 0 unchanged\nexpenses: 5 written, 0 unchanged\norders: 0 written, 0 unchanged\nproducts: 1 written, 0 unchanged\n',
  });
  expect(mirrored('expenses').map(({ id }) => id)).toEqual([...ids].sort());
  expect(requestedUrls.filter(({ pathname }) => pathname.endsWith('/expenses'))).toHaveLength(3);

  await merchant.act('expense.update', { id: ids[2], amount: 99 });
  await eventually(
    () => merchant.call('GET', '/expenses?order_by=updated_at&limit=1'),
    ({ body }) => body.data[0].id === ids[2],
  );
  const before = checkpoints().expenses;
  const second = await run();
  expect(second.stdout).toMatch(/^expenses: 1 written, [1-4] unchanged$/m);
  expect(mirrored('expenses').find(({ id }) => id === ids[2])).toMatchObject({ amount: 99 });
  expect(mirrored('expenses')).toHaveLength(5);
  expect(checkpoints().expenses > before).toBe(true);
  const since = requestedUrls.findLast(({ pathname }) => pathname.endsWith('/expenses'))?.searchParams.get('updated_after');
  expect(since).toBe(new Date(Date.parse(before) - 5000).toISOString());
});

test('orders are read from the latest change back, down to the checkpoint and no further', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++)
    ids.push((await merchant.call('POST', '/orders', { items: [{ name: 'Cake', quantity: 1, unit_price: 30 + i }] })).body.id);
  const latest = (id: string | undefined) =>
    eventually(
      () => merchant.call('GET', '/orders?sort=updatedAt&limit=1'),
      ({ body }) => body.data[0]?.id === id,
    );
  await latest(ids[5]);
  expect((await run(2)).stdout).toContain('orders: 6 written, 0 unchanged\n');
  expect(mirrored('orders').map(({ id }) => id)).toEqual([...ids].sort());

  // As if the last sync had been long ago, so that its overlap includes none of the six.
  const later = new Date(Date.now() + 60_000).toISOString();
  writeFileSync(join(folder, 'checkpoint.json'), JSON.stringify({ ...checkpoints(), orders: later }));
  requestedUrls = [];
  expect((await run(2)).stdout).toContain('orders: 0 written, 0 unchanged\n');
  expect(requestedUrls.filter(({ pathname }) => pathname.endsWith('/orders'))).toHaveLength(1);

  const first = mirrored('orders')[5].updated_at;
  writeFileSync(join(folder, 'checkpoint.json'), JSON.stringify({ orders: first }));
  await merchant.act('order.set_status', { id: ids[0], status: 'confirmed' });
  await latest(ids[0]);
  expect((await run(2)).stdout).toMatch(/^orders: 1 written, [1-5] unchanged$/m);
  expect(mirrored('orders').find(({ id }) => id === ids[0])).toMatchObject({ status: 'confirmed' });
  expect(checkpoints().orders > first).toBe(true);
});

test('an empty page with has_more is not the end', async () => {
  await spend(2);
  meddle = ({ pathname, searchParams }) => {
    if (!pathname.endsWith('/expenses')) return undefined;
    if (!searchParams.has('cursor'))
      return { status: 200, body: { data: [], pagination: { limit: 100, has_more: true, next_cursor: 'on', prev_cursor: null } } };
    // The service never issued this cursor, so its page is the first one.
    searchParams.delete('cursor');
    return undefined;
  };
  expect((await run()).stdout).toContain('expenses: 2 written, 0 unchanged\n');
});

test('a run that dies in the middle moves no checkpoint, and the next one ends with everything', async () => {
  const ids = await spend(4);
  meddle = ({ pathname, searchParams }) =>
    pathname.endsWith('/expenses') && searchParams.has('cursor')
      ? { status: 403, body: { error: { code: 'insufficient_scope' } } }
      : undefined;
  const died = await run(2);
  expect(died.code).toBe(1);
  expect(mirrored('expenses')).toHaveLength(2);
  expect(checkpoints()).not.toHaveProperty('expenses');
  meddle = () => undefined;
  expect(await run(2)).toMatchObject({ code: 0, stdout: expect.stringContaining('expenses: 2 written, 2 unchanged\n') });
  expect(mirrored('expenses').map(({ id }) => id)).toEqual([...ids].sort());
});

test('a cursor of a deleted record restarts the list', async () => {
  const ids = await spend(4);
  let gone = false;
  meddle = ({ pathname, searchParams }) => {
    if (gone || !pathname.endsWith('/expenses') || !searchParams.has('cursor')) return undefined;
    gone = true;
    return {
      status: 400,
      body: { error: { type: 'validation_error', code: 'invalid_cursor', message: 'Invalid cursor', field: 'cursor' } },
    };
  };
  expect(await run(2)).toMatchObject({ code: 0, stderr: '' });
  expect(gone).toBe(true);
  expect(mirrored('expenses').map(({ id }) => id)).toEqual([...ids].sort());
});
