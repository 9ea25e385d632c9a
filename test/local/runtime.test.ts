import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openMemory } from '../../local/engine/state.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import type { Region } from '../../shared/core/config.ts';
import { eventually, until } from '../support/eventually.ts';
import { type Hook, type Receiver, startReceiver } from '../support/receiver.ts';

const deliveriesAt = (hook: Hook) =>
  hook.requests.map(({ headers, body }) => ({
    eventId: String(headers['x-webhook-id']),
    expense: (JSON.parse(body.toString()) as { data: { object: { id: string } } }).data.object.id,
  }));

let runtime: Runtime;
let receiver: Receiver;
let hook: Hook;
const start = async (options: RuntimeOptions = {}) => {
  runtime = await startRuntime({ seed: true, allowLoopbackWebhooks: true, ...options });
};

beforeEach(async () => {
  receiver = await startReceiver();
  hook = receiver.hook();
});
afterEach(async () => {
  await receiver.stop();
  await runtime.stop();
});

const call = async (region: Region, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${runtime.urls[region]}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${runtime.demo[region]?.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const register = async (region: Region, url = hook.url) => {
  const { status, body } = await call(region, 'POST', '/webhooks', { url, events: ['expense.created'] });
  expect(status).toBe(201);
  return String(body['id']);
};
const spend = async (region: Region, amount = 12.5): Promise<string> => {
  const { status, body } = await call(region, 'POST', '/expenses', { amount, date: '2026-11-01', category: 'rent' });
  expect(status).toBe(201);
  return String(body['id']);
};

test('the seed makes one account per running region, with keys that work and something to read', async () => {
  await start({ regions: ['au', 'eu'] });
  expect(Object.keys(runtime.demo)).toEqual(['au', 'eu']);
  const { status, body } = await call('au', 'GET', '/expenses');
  expect(status).toBe(200);
  expect(body['data']).toHaveLength(3);
  const publishable = await fetch(`${runtime.urls.eu}/api/v2/reference/expense-categories`, {
    headers: { authorization: `Bearer ${runtime.demo.eu?.publishableKey}` },
  });
  expect(publishable.status).toBe(200);
});

test('the seed makes ten products, of which shoppers see the eight on the storefront', async () => {
  await start({ regions: ['us'] });
  const count = async (key: string | undefined) => {
    const response = await fetch(`${runtime.urls.us}/api/v2/products`, { headers: { authorization: `Bearer ${key}` } });
    return ((await response.json()) as { data: unknown[] }).data.length;
  };
  expect(await count(runtime.demo.us?.secretKey)).toBe(10);
  expect(await count(runtime.demo.us?.publishableKey)).toBe(8);
});

test('a service without a seed has no account', async () => {
  await start({ seed: false });
  expect(runtime.demo).toEqual({});
});

test('actions return the same in process and over HTTP', async () => {
  await start({ regions: ['us'] });
  const id = runtime.demo.us?.account;
  const direct = await runtime.invokeAction('us', { action: 'account.get', input: { id } });
  const response = await fetch(`http://127.0.0.1:${runtime.port}/_local/actions`, {
    method: 'POST',
    body: JSON.stringify({ region: 'us', action: 'account.get', input: { id } }),
  });
  expect(await response.json()).toEqual(direct);
  expect(direct).toMatchObject({ ok: true, result: { id } });
});

test('loopback webhooks are rejected unless they are allowed', async () => {
  await start({ regions: ['us'], allowLoopbackWebhooks: false });
  const { status, body } = await call('us', 'POST', '/webhooks', { url: hook.url, events: ['expense.created'] });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { field: 'url' } });
});

test('the time scale shortens the whole retry schedule: five attempts, then the record is failed', async () => {
  await start({ regions: ['us'], timeScale: 100_000 });
  hook.respondWith(500);
  const endpoint = await register('us');
  await spend('us');
  await until(() => hook.requests.length === 5);
  const records = async () => (await call('us', 'GET', `/webhooks/${endpoint}/events`)).body['data'] as Record<string, unknown>[];
  const [record] = await eventually(records, ([first]) => first?.['status'] !== 'pending');
  expect(record).toMatchObject({ status: 'failed', attempts: 5, last_status_code: 500 });
  expect(new Set(deliveriesAt(hook).map((delivery) => delivery.eventId)).size).toBe(1);
});

test('the sweep does not repeat an attempt that is still in flight', async () => {
  await start({ regions: ['us'], timeScale: 100_000 });
  hook.respondWith(async (count) => {
    for (let sweeps = 0; sweeps < 3; sweeps++) await runtime.sweep('us');
    return count === 1 ? 500 : 200;
  });
  const endpoint = await register('us');
  await spend('us');
  const records = async () => (await call('us', 'GET', `/webhooks/${endpoint}/events`)).body['data'] as Record<string, unknown>[];
  const [record] = await eventually(records, ([first]) => first?.['status'] === 'delivered');
  expect(record).toMatchObject({ attempts: 1 });
  expect(hook.requests).toHaveLength(2);
});

describe('a data directory', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'runtime-'));
  });
  afterEach(async () => {
    await runtime.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('accounts, keys, endpoints and expenses are there after a restart, and nothing is seeded twice', async () => {
    await start({ dataDir });
    const { demo } = runtime;
    await register('us');
    const id = await spend('us');
    await until(() => hook.requests.length === 1);
    await runtime.stop();
    await start({ dataDir });
    expect(runtime.demo).toEqual(demo);
    expect((await call('us', 'GET', `/expenses/${id}`)).status).toBe(200);
    // The ports have changed.
    expect((await call('us', 'POST', '/products/search-token')).body).toMatchObject({ host: runtime.urls.us });
    await spend('us');
    await until(() => hook.requests.length === 2);
    expect(new Set(deliveriesAt(hook).map((delivery) => delivery.eventId)).size).toBe(2);
  });

  test('an attempt that was in flight when the service ended is made again at once by the next start', async () => {
    await start({ dataDir, regions: ['us'] });
    hook.respondWith('hang');
    await register('us');
    await spend('us');
    await until(() => hook.requests.length === 1);
    await runtime.stop();
    receiver.release();
    hook.respondWith(200);
    await start({ dataDir, regions: ['us'] });
    await until(() => hook.requests.length === 2);
    const [first, second] = deliveriesAt(hook);
    expect(second).toEqual(first);
  });

  test('stream records that were handled are dropped while the service runs', async () => {
    const state = openMemory();
    await start({ state, regions: ['us'] });
    const account = String(runtime.demo.us?.account);
    const input = { amount: 12.5, date: '2026-11-01', category: 'rent' };
    for (let i = 0; i < 320; i++) await runtime.invokeAction('us', { action: 'expense.create', account, input });
    const records = () => state.prepare('SELECT count(*) AS kept, max(position) AS made FROM changes').get();
    // Fewer than 200 handled records, and the 100 of one read, may remain.
    await until(() => Number(records()?.['kept']) < 300);
    const made = Number(records()?.['made']);
    expect(made).toBeGreaterThanOrEqual(320);
  });

  test('a second service on the same directory is rejected', async () => {
    await start({ dataDir, regions: ['us'] });
    await expect(startRuntime({ dataDir })).rejects.toThrow('Another service is running on');
  });
});
