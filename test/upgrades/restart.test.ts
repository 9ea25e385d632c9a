import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { embeddedClient } from '../../local/engine/client.ts';
import { openEngine } from '../../local/engine/engine.ts';
import { openState } from '../../local/engine/state.ts';
import { shapesOf } from '../../local/engine/tables.ts';
import { type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { createClock } from '../support/clock.ts';
import { eventually } from '../support/journey.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { formatVersions, putRecords, readFormat, scheduledBody, storedRecords } from './formats.ts';

let dataDir: string;
let receiver: Receiver;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'upgrade-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const minuteMs = 60_000;
const [account, queue] = ['acct_v1', 'deliveries-us'];

test.each(formatVersions)('deliveries that %s left queued, delayed and scheduled are made by this version, each once', async (version) => {
  const clock = createClock();
  const options: RuntimeOptions = { dataDir, regions: ['us'], clock, allowLoopbackWebhooks: true };
  await (await startRuntime(options)).stop();
  const hook = receiver.hook();

  const [queued, delayed, scheduled] = [
    readFormat(version, 'delivery-message'),
    readFormat(version, 'retry-message'),
    scheduledBody(version),
  ];
  const state = await openState(dataDir);
  const tables = shapesOf({ tableName: 'bakery-us', bucketsTableName: 'bakery-us-buckets' });
  const client = embeddedClient(openEngine(state, tables, clock.now).execute);
  await putRecords({ client }, 'bakery-us', storedRecords(version, { receiver: hook.url, search: '127.0.0.1:1' }));
  const enqueue = state.prepare('INSERT INTO messages (id, queue, group_id, body, sent_ms, visible_ms) VALUES (?, ?, ?, ?, ?, ?)');
  enqueue.run('queued', queue, account, queued, clock.now(), clock.now());
  enqueue.run('delayed', queue, account, delayed, clock.now(), clock.now() + 5 * minuteMs);
  state
    .prepare('INSERT INTO schedules (queue, name, at_ms, group_id, body) VALUES (?, ?, ?, ?, ?)')
    .run(queue, 'scheduled', clock.now() + 35 * minuteMs, account, scheduled);
  state.close();

  const runtime = await startRuntime(options);
  try {
    const received = () => hook.requests.map(({ headers }) => String(headers['x-webhook-id']));
    const events = [queued, delayed, scheduled].map((body) => decodeMessage(body)?.event);
    for (const [i, waitMs] of [0, 5 * minuteMs, 30 * minuteMs].entries()) {
      clock.advance(waitMs);
      await eventually(received, (ids) => ids.length === i + 1);
    }
    expect(received()).toEqual(events);
    // A delivery that a sweep finds now would be sent a second time.
    clock.advance(60 * minuteMs);
    await runtime.sweep('us');
    const depthNow = async () => {
      const { result } = (await runtime.invokeAction('us', { action: 'queue.status' })) as {
        result: { data: Record<string, unknown>[] };
      };
      return result.data[0];
    };
    await eventually(depthNow, (depth) => depth?.['waiting'] === 0 && depth['in_flight'] === 0 && depth['delayed'] === 0);
    expect(received()).toEqual(events);
  } finally {
    await runtime.stop();
  }
});
