import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { locateEngine, thisMachine } from '../../local/engine/locate.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { until } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** A machine without an engine binary for its platform. */
const locate = () =>
  locateEngine({
    ...thisMachine,
    env: { PATH: process.env['PATH'] },
    packageFolder: (name) => (name.startsWith('@dynoxide') ? undefined : thisMachine.packageFolder(name)),
  });

let receiver: Receiver;
let dataDir: string;
beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = mkdtempSync(join(tmpdir(), 'dynamodb-local-'));
});
afterAll(async () => {
  await receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const call = async (runtime: Runtime, path: string, body: unknown) => {
  const response = await fetch(`${runtime.urls.us}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime.demo.us?.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
};

test('the service on DynamoDB Local delivers events, before and after a restart', async () => {
  const hook = receiver.hook();
  for (const deliveries of [1, 2]) {
    const runtime = await startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true, dataDir, locate });
    expect(runtime.engine).toBe('dynamodb-local');
    if (deliveries === 1) expect(await call(runtime, '/webhooks', { url: hook.url, events: ['expense.created'] })).toBe(201);
    expect(await call(runtime, '/expenses', { amount: 1, date: '2026-11-01', category: 'rent' })).toBe(201);
    await until(() => hook.requests.length >= deliveries);
    await runtime.stop();
    expect(hook.requests).toHaveLength(deliveries);
  }
});
