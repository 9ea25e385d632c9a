import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { actIn, eventually } from '../support/journey.ts';
import { type Hook, type Receiver, startReceiver } from '../support/receiver.ts';
import { freePorts, startService } from '../support/service.ts';

/** The drill of docs/backup-restore.md on the local engine. */
const minuteMs = 60_000;
let folder: string;
let receiver: Receiver;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drill-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const post = async (origin: string, key: string, path: string, body: unknown): Promise<string> => {
  const response = await fetch(`${origin}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const responseBody = (await response.json()) as { id: string };
  expect([path, response.status]).toEqual([path, 201]);
  return responseBody.id;
};
const expense = { amount: 12.5, date: '2026-03-01', category: 'rent' };
const receivedIds = (hook: Hook): string[] => hook.requests.map(({ headers }) => String(headers['x-webhook-id']));
const receivedExpenseIds = (hook: Hook): string[] =>
  hook.requests.map(({ body }) => (JSON.parse(body.toString()) as { data: { object: { id: string } } }).data.object.id);

const act = (runtime: Runtime, action: string, input: unknown, account?: string) => actIn(runtime, 'us', action, input, account);
const waiting = async (runtime: Runtime, clock: TestClock, status: string, account: string, endpoint: string, count: number) =>
  await eventually(
    async () => {
      clock.advance(1_000); // messages that waited for a free slot become visible
      return (await act(runtime, 'delivery.list', { endpoint_id: endpoint, status }, account)).data as { attempts: number }[];
    },
    (records) => records.length === count && records.every(({ attempts }) => attempts > 0),
  );

test('a restored copy has all records, sends no event twice and continues pending deliveries', async () => {
  const clock = createClock();
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'backup');
  const start = () => startRuntime({ dataDir, regions: ['us'], clock, allowLoopbackWebhooks: true });
  const [reached, down] = [receiver.hook(), receiver.hook(500)];

  let runtime = await start();
  const { id: account } = await act(runtime, 'account.create', { name: 'Drill', plan: 'business' });
  const { key } = await act(runtime, 'key.create', { type: 'secret', group: 'fullAccess', name: 'drill' }, account);
  for (const { url } of [reached, down]) await post(runtime.urls.us, key, '/webhooks', { url, events: ['expense.created'] });
  const failing = (await act(runtime, 'webhook.list', {}, account)).data.find(({ url }: { url: string }) => url === down.url).id;
  const expenses: string[] = [];
  for (let i = 0; i < 4; i++) expenses.push(await post(runtime.urls.us, key, '/expenses', expense));
  await eventually(
    () => reached.requests.length,
    (count) => count === 4,
  );
  await waiting(runtime, clock, 'pending', account, failing, 4);
  await runtime.stop();
  cpSync(dataDir, backup, { recursive: true });
  rmSync(dataDir, { recursive: true });

  cpSync(backup, dataDir, { recursive: true });
  runtime = await start();
  try {
    for (const id of expenses) {
      const response = await fetch(`${runtime.urls.us}/api/v2/expenses/${id}`, { headers: { authorization: `Bearer ${key}` } });
      expect([id, response.status]).toEqual([id, 200]);
      await response.arrayBuffer();
    }
    // Follows the restored changes in the stream, so its delivery shows that they were read.
    const later = await post(runtime.urls.us, key, '/expenses', expense);
    await eventually(
      () => receivedExpenseIds(reached),
      (ids) => ids.includes(later),
    );
    expect(receivedExpenseIds(reached).sort()).toEqual([...expenses, later].sort());

    down.respondWith(200);
    clock.advance(6 * minuteMs);
    await eventually(
      async () => {
        clock.advance(1_000);
        return (await act(runtime, 'delivery.list', { endpoint_id: failing, status: 'delivered' }, account)).data.length;
      },
      (count) => count === 5,
    );
    // Each event arrives once, with the id of its failed attempts.
    expect(new Set(receivedIds(down)).size).toBe(5);
    expect(new Set(receivedExpenseIds(down))).toEqual(new Set([...expenses, later]));
  } finally {
    await runtime.stop();
  }
});

test('a copy of a killed service loses no acknowledged expense and sends none twice', async () => {
  const dataDir = join(folder, 'data');
  const restored = join(folder, 'restored');
  const hook = receiver.hook();
  const args = (dir: string) => ['--data', dir, '--allow-loopback-webhooks', '--no-seed', '--region', 'us'];
  const first = await startService({ port: await freePorts(), args: args(dataDir) });
  const { id: account } = await first.action('us', 'account.create', { name: 'Drill', plan: 'business' });
  const { key } = await first.action('us', 'key.create', { type: 'secret', group: 'fullAccess', name: 'drill' }, String(account));
  await post(first.origin('us'), String(key), '/webhooks', { url: hook.url, events: ['expense.created'] });
  const expenses = await Promise.all(Array.from({ length: 20 }, () => post(first.origin('us'), String(key), '/expenses', expense)));
  await first.kill();
  cpSync(dataDir, restored, { recursive: true });
  rmSync(dataDir, { recursive: true });

  const second = await startService({ port: await freePorts(), args: args(restored) });
  try {
    await eventually(
      () => new Set(receivedExpenseIds(hook)).size,
      (count) => count === expenses.length,
    );
    expect(new Set(receivedExpenseIds(hook))).toEqual(new Set(expenses));
    // Delivery is at least once: an event may arrive twice with the same id.
    expect(new Set(receivedIds(hook)).size).toBe(expenses.length);
  } finally {
    await second.stop();
  }
});
