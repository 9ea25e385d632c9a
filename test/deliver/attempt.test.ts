import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../shared/domain/account.ts';
import type { DeliveryRecord, Endpoint } from '../../shared/domain/webhook.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { type Answer, type Hook, type Receiver, startReceiver } from '../support/receiver.ts';
import { createEndpoint, endpointNow, recordsOf, writeExpense } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let receiver: Receiver;
let pipeline: Pipeline;
let account: Account;
let hook: Hook;
let endpoint: Endpoint;

beforeAll(async () => {
  world = await startWorld();
  receiver = await startReceiver();
  pipeline = createPipeline(world);
});
afterAll(async () => {
  pipeline.close();
  await receiver.stop();
  await world.stop();
});
beforeEach(async () => {
  await pipeline.clear();
  account = await world.createAccount();
  hook = receiver.hook();
  endpoint = await createEndpoint(world, account.id, hook.url);
});

const minute = 60_000;
const isoAfter = (ms: number) => new Date(world.clock.now() + ms).toISOString();
const write = async (): Promise<void> => void (await writeExpense(world, account.id));
const onlyRecord = async (): Promise<DeliveryRecord> => {
  const [record, ...others] = await recordsOf(world, endpoint);
  if (!record || others.length > 0) throw new Error(`${others.length + 1} records.`);
  return record;
};
const signatureOf = (secret: string, t: string, body: Buffer) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`;

describe('a delivery that succeeds', () => {
  test('leaves the record that the specification describes', async () => {
    await write();
    const created_at = isoAfter(0);
    const records = await pipeline.changes();
    await pipeline.fanOut(records);
    world.clock.advance(1500);
    await pipeline.drain();
    expect(await onlyRecord()).toEqual({
      id: expect.stringMatching(/^evt_/),
      account: account.id,
      endpoint: endpoint.id,
      type: 'expense.created',
      run: 1,
      status: 'delivered',
      attempts: 0,
      last_status_code: 200,
      last_error: null,
      next_retry_at: null,
      last_attempt_at: isoAfter(0),
      delivered_at: isoAfter(0),
      failed_at: null,
      created_at,
    });
  });

  test('is one request, and arranges nothing', async () => {
    await write();
    await pipeline.drain();
    expect([hook.requests.length, pipeline.waiting.length, pipeline.schedules.size]).toEqual([1, 0, 0]);
  });

  test('counts as a success of the endpoint and gives its slot back', async () => {
    await write();
    await pipeline.drain();
    expect(await endpointNow(world, endpoint)).toMatchObject({
      success_count: 1,
      failure_count: 0,
      consecutive_failures: 0,
      last_delivery_at: isoAfter(0),
      last_success_at: isoAfter(0),
      last_failure_at: null,
      slots: [null, null, null, null, null],
    });
  });

  test('resets the run of failures', async () => {
    const failing = await createEndpoint(world, account.id, receiver.hook(200).url, { consecutive_failures: 9, failure_count: 20 });
    await write();
    await pipeline.drain();
    expect(await endpointNow(world, failing)).toMatchObject({ consecutive_failures: 0, failure_count: 20, success_count: 1 });
  });
});

describe('an attempt that fails', () => {
  test.each<[string, Answer, number | null, string]>([
    ['a 500', 500, 500, 'http_error'],
    ['a 404', 404, 404, 'http_error'],
    ['a 410', 410, 410, 'http_error'],
    ['a redirect', 302, 302, 'redirect_not_followed'],
    ['a 304', 304, 304, 'redirect_not_followed'],
    ['a connection that ends', 'cut', null, 'no_response'],
  ])('by %s waits five minutes with the record of its failure', async (_name, answer, last_status_code, last_error) => {
    hook.answer(answer);
    await write();
    await pipeline.drain();
    expect(await onlyRecord()).toMatchObject({
      status: 'pending',
      attempts: 1,
      last_status_code,
      last_error,
      next_retry_at: isoAfter(5 * minute),
      last_attempt_at: isoAfter(0),
      delivered_at: null,
      failed_at: null,
    });
    expect(hook.requests).toHaveLength(1);
  });

  test('because the URL breaks the rules, which apply again at each delivery, makes no request', async () => {
    const forbidden = await createEndpoint(world, account.id, 'https://169.254.169.254/latest');
    await write();
    await pipeline.drain();
    const [record] = await recordsOf(world, forbidden);
    expect(record).toMatchObject({ status: 'pending', attempts: 1, last_status_code: null, last_error: 'invalid_url' });
  });

  test('counts as a failure of the endpoint', async () => {
    hook.answer(500);
    await write();
    await pipeline.drain();
    expect(await endpointNow(world, endpoint)).toMatchObject({
      success_count: 0,
      failure_count: 1,
      consecutive_failures: 1,
      last_delivery_at: isoAfter(0),
      last_success_at: null,
      last_failure_at: isoAfter(0),
      slots: [null, null, null, null, null],
    });
  });

  test('and then succeeds is delivered, keeps its count of failures and forgets the error', async () => {
    hook.answer((count) => (count === 1 ? 503 : 201));
    await write();
    await pipeline.drain();
    world.clock.advance(5 * minute);
    await pipeline.drain();
    expect(await onlyRecord()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      last_status_code: 201,
      last_error: null,
      next_retry_at: null,
      last_attempt_at: isoAfter(0),
      delivered_at: isoAfter(0),
      failed_at: null,
    });
  });
});

describe('the ladder', () => {
  const waits = [5, 30, 120, 1440].map((minutes) => minutes * minute);

  test('is five attempts, 5 min, 30 min, 2 h and 24 h after the failures, and then the record is failed', async () => {
    hook.answer(500);
    await write();
    await pipeline.drain();
    for (const [i, waitMs] of waits.entries()) {
      expect(await onlyRecord()).toMatchObject({ status: 'pending', attempts: i + 1, next_retry_at: isoAfter(waitMs), failed_at: null });
      world.clock.advance(waitMs - 1);
      await pipeline.drain();
      expect(hook.requests).toHaveLength(i + 1);
      world.clock.advance(1);
      await pipeline.drain();
      expect(hook.requests).toHaveLength(i + 2);
    }
    expect(await onlyRecord()).toMatchObject({
      status: 'failed',
      attempts: 5,
      next_retry_at: null,
      failed_at: isoAfter(0),
      delivered_at: null,
      last_error: 'http_error',
      last_status_code: 500,
    });
    expect([pipeline.waiting.length, pipeline.schedules.size]).toEqual([0, 0]);
  });

  test('waits on the queue for five minutes, and on schedules whose names can be made again for longer', async () => {
    hook.answer(500);
    await write();
    await pipeline.drain();
    expect([pipeline.waiting.map(({ delaySeconds }) => delaySeconds), pipeline.schedules.size]).toEqual([[300], 0]);
    const names = new Set<string>();
    for (const waitMs of waits.slice(1)) {
      world.clock.advance(waits[waits.indexOf(waitMs) - 1] ?? 0);
      await pipeline.drain();
      const [schedule, ...others] = pipeline.schedules.values();
      expect([others.length, pipeline.waiting.length]).toEqual([0, 0]);
      expect(schedule).toMatchObject({
        atMs: world.clock.now() + waitMs,
        groupId: account.id,
        name: expect.stringMatching(/^[\w.-]{1,64}$/),
      });
      names.add(schedule?.name ?? '');
    }
    expect(names.size).toBe(3);
  });

  test('sends the same bytes each time, signed at the time of the attempt', async () => {
    hook.answer(500);
    await write();
    await pipeline.drain();
    for (const waitMs of waits) {
      world.clock.advance(waitMs);
      await pipeline.drain();
    }
    const times = new Set(hook.requests.map(({ headers }) => headers['x-webhook-timestamp']));
    expect(times.size).toBe(5);
    expect(new Set(hook.requests.map(({ body }) => body.toString('latin1'))).size).toBe(1);
    for (const { headers, body } of hook.requests)
      expect(headers['x-webhook-signature']).toBe(signatureOf(endpoint.secret, String(headers['x-webhook-timestamp']), body));
  });
});

describe('what is sent', () => {
  test('is the stored event with the headers of a delivery', async () => {
    await write();
    await pipeline.drain();
    const { headers, body } = hook.requests[0] ?? { headers: {}, body: Buffer.alloc(0) };
    const event = JSON.parse(body.toString());
    const t = String(Math.floor(world.clock.now() / 1000));
    expect(headers).toMatchObject({
      'x-webhook-id': event.id,
      'idempotency-key': event.id,
      'x-webhook-timestamp': t,
      'x-webhook-signature': signatureOf(endpoint.secret, t, body),
      'user-agent': 'BakeryCommerce-Webhooks/1.0',
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('x-webhook-signature-previous');
    expect(event).toMatchObject({ type: 'expense.created', tenant_id: account.id });
  });

  test('names the endpoint nowhere', async () => {
    await write();
    await pipeline.drain();
    const { headers, body } = hook.requests[0] ?? { headers: {}, body: Buffer.alloc(0) };
    expect(JSON.stringify(headers) + body.toString()).not.toContain(endpoint.id);
  });

  test('is the same event, byte for byte, at every endpoint', async () => {
    const second = receiver.hook();
    await createEndpoint(world, account.id, second.url);
    await write();
    await pipeline.drain();
    expect(second.requests.map(({ body }) => body)).toEqual(hook.requests.map(({ body }) => body));
  });

  test('is signed with the new secret, and the old one beside it, until the grace window ends', async () => {
    const key = await world.createKey(account.id);
    const rotated = await world.request('POST', `/webhooks/${endpoint.id}/rotate-secret`, { key });
    const attempt = async () => {
      await write();
      await pipeline.drain();
      const request = hook.requests.at(-1);
      return { headers: request?.headers ?? {}, body: request?.body ?? Buffer.alloc(0), t: String(Math.floor(world.clock.now() / 1000)) };
    };
    world.clock.advance(24 * 60 * minute - 1);
    const within = await attempt();
    expect(within.headers['x-webhook-signature']).toBe(signatureOf(rotated.body.secret, within.t, within.body));
    expect(within.headers['x-webhook-signature-previous']).toBe(signatureOf(endpoint.secret, within.t, within.body));
    world.clock.advance(1);
    const after = await attempt();
    expect(after.headers['x-webhook-signature']).toBe(signatureOf(rotated.body.secret, after.t, after.body));
    expect(after.headers).not.toHaveProperty('x-webhook-signature-previous');
  });

  test('goes out with the new secret also where it was queued or failed before the rotation', async () => {
    const key = await world.createKey(account.id);
    hook.answer((count) => (count === 1 ? 500 : 200));
    await write();
    await pipeline.drain();
    const { body: rotated } = await world.request('POST', `/webhooks/${endpoint.id}/rotate-secret`, { key });
    world.clock.advance(5 * minute);
    await pipeline.drain();
    const { headers, body } = hook.requests[1] ?? { headers: {}, body: Buffer.alloc(0) };
    expect(headers['x-webhook-signature']).toBe(signatureOf(rotated.secret, String(headers['x-webhook-timestamp']), body));
  });
});
