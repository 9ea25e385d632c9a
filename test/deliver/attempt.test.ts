import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { deliver } from '../../functions/deliver/app.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { noResponse } from '../../shared/webhooks/outcome.ts';
import type { Sender } from '../../shared/webhooks/sender.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import type { ReceiverResponse } from '../support/receiver.ts';
import { createEndpoint, endpointNow, recordsOf, writeExpense } from '../support/records.ts';

const t = useDelivery();
const write = async (): Promise<void> => void (await writeExpense(t.world, t.account.id));
const minute = minuteMs;
const signatureOf = (secret: string, seconds: string, body: Buffer) =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;

describe('a delivery that succeeds', () => {
  test('a delivery that succeeds stores the record that the specification describes', async () => {
    await write();
    const created_at = t.isoAfter(0);
    const records = await t.pipeline.changes();
    await t.pipeline.fanOut(records);
    t.world.clock.advance(1500);
    await t.pipeline.drain();
    expect(await t.record()).toEqual({
      id: expect.stringMatching(/^evt_/),
      account: t.account.id,
      endpoint: t.endpoint.id,
      type: 'expense.created',
      record_id: null,
      run: 1,
      status: 'delivered',
      attempts: 0,
      last_status_code: 200,
      last_error: null,
      next_retry_at: null,
      last_attempt_at: t.isoAfter(0),
      delivered_at: t.isoAfter(0),
      failed_at: null,
      created_at,
    });
  });

  test('a delivery that succeeds sends one request and arranges no retry', async () => {
    await write();
    await t.pipeline.drain();
    expect([t.hook.requests.length, t.pipeline.waiting.length, t.pipeline.schedules.size]).toEqual([1, 0, 0]);
  });

  test('a delivery that succeeds counts as a success of the endpoint and releases its slot', async () => {
    await write();
    await t.pipeline.drain();
    expect(await endpointNow(t.world, t.endpoint)).toMatchObject({
      success_count: 1,
      failure_count: 0,
      consecutive_failures: 0,
      last_delivery_at: t.isoAfter(0),
      last_success_at: t.isoAfter(0),
      last_failure_at: null,
      slots: [null, null, null, null, null],
    });
  });
});

describe('an attempt that fails', () => {
  test.each<[string, ReceiverResponse, number | null, string]>([
    ['a 500', 500, 500, 'http_error'],
    ['a redirect', 302, 302, 'redirect_not_followed'],
    ['a connection that ends', 'cut', null, 'no_response'],
  ])(
    'an attempt that fails because of %s is stored, with a retry in five minutes',
    async (_name, receiverResponse, last_status_code, last_error) => {
      t.hook.respondWith(receiverResponse);
      await write();
      await t.pipeline.drain();
      expect(await t.record()).toMatchObject({
        status: 'pending',
        attempts: 1,
        last_status_code,
        last_error,
        next_retry_at: t.isoAfter(5 * minute),
        last_attempt_at: t.isoAfter(0),
        delivered_at: null,
        failed_at: null,
      });
      expect(t.hook.requests).toHaveLength(1);
    },
  );

  test('an attempt that fails because the URL breaks the rules at the time of delivery sends no request', async () => {
    const forbidden = await createEndpoint(t.world, t.account.id, 'https://169.254.169.254/latest');
    await write();
    await t.pipeline.drain();
    const [record] = await recordsOf(t.world, forbidden);
    expect(record).toMatchObject({ status: 'pending', attempts: 1, last_status_code: null, last_error: 'invalid_url' });
  });

  test('an attempt that fails counts as a failure of the endpoint', async () => {
    t.hook.respondWith(500);
    await write();
    await t.pipeline.drain();
    expect(await endpointNow(t.world, t.endpoint)).toMatchObject({
      success_count: 0,
      failure_count: 1,
      consecutive_failures: 1,
      last_delivery_at: t.isoAfter(0),
      last_success_at: null,
      last_failure_at: t.isoAfter(0),
      slots: [null, null, null, null, null],
    });
  });

  test('a delivery that succeeds at a later attempt has its count of failures and no error', async () => {
    t.hook.respondWith((count) => (count === 1 ? 503 : 201));
    await write();
    await t.pipeline.drain();
    t.world.clock.advance(5 * minute);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      last_status_code: 201,
      last_error: null,
      next_retry_at: null,
      last_attempt_at: t.isoAfter(0),
      delivered_at: t.isoAfter(0),
      failed_at: null,
    });
  });
});

describe('the retry schedule', () => {
  const waits = [5, 30, 120, 1440].map((minutes) => minutes * minute);

  test('the retry schedule has five attempts with waits of 5 min, 30 min, 2 h and 24 h, and then the delivery has failed', async () => {
    t.hook.respondWith(500);
    await write();
    await t.pipeline.drain();
    for (const [i, waitMs] of waits.entries()) {
      expect(await t.record()).toMatchObject({ status: 'pending', attempts: i + 1, next_retry_at: t.isoAfter(waitMs), failed_at: null });
      t.world.clock.advance(waitMs - 1);
      await t.pipeline.drain();
      expect(t.hook.requests).toHaveLength(i + 1);
      t.world.clock.advance(1);
      await t.pipeline.drain();
      expect(t.hook.requests).toHaveLength(i + 2);
    }
    expect(await t.record()).toMatchObject({
      status: 'failed',
      attempts: 5,
      next_retry_at: null,
      failed_at: t.isoAfter(0),
      delivered_at: null,
      last_error: 'http_error',
      last_status_code: 500,
    });
    expect([t.pipeline.waiting.length, t.pipeline.schedules.size]).toEqual([0, 0]);
  });

  test('the retry schedule uses the queue for five minutes and schedules for longer waits, each with its own name', async () => {
    t.hook.respondWith(500);
    await write();
    await t.pipeline.drain();
    expect([t.pipeline.waiting.map(({ delaySeconds }) => delaySeconds), t.pipeline.schedules.size]).toEqual([[300], 0]);
    const names = new Set<string>();
    for (const waitMs of waits.slice(1)) {
      t.world.clock.advance(waits[waits.indexOf(waitMs) - 1] ?? 0);
      await t.pipeline.drain();
      const [schedule, ...others] = t.pipeline.schedules.values();
      expect([others.length, t.pipeline.waiting.length]).toEqual([0, 0]);
      expect(schedule).toMatchObject({
        atMs: t.world.clock.now() + waitMs,
        groupId: t.account.id,
        name: expect.stringMatching(/^[\w.-]{1,64}$/),
      });
      names.add(schedule?.name ?? '');
    }
    expect(names.size).toBe(3);
  });

  test("the retry schedule sends the same bytes each time, with a signature of the attempt's time", async () => {
    t.hook.respondWith(500);
    await write();
    await t.pipeline.drain();
    for (const waitMs of waits) {
      t.world.clock.advance(waitMs);
      await t.pipeline.drain();
    }
    const times = new Set(t.hook.requests.map(({ headers }) => headers['x-webhook-timestamp']));
    expect(times.size).toBe(5);
    expect(new Set(t.hook.requests.map(({ body }) => body.toString('latin1'))).size).toBe(1);
    for (const { headers, body } of t.hook.requests)
      expect(headers['x-webhook-signature']).toBe(signatureOf(t.endpoint.secret, String(headers['x-webhook-timestamp']), body));
  });
});

describe('a webhook request', () => {
  test('a webhook request contains the stored event and the headers of a delivery', async () => {
    await write();
    await t.pipeline.drain();
    const { headers, body } = t.hook.requests[0] ?? { headers: {}, body: Buffer.alloc(0) };
    const event = JSON.parse(body.toString());
    const seconds = String(Math.floor(t.world.clock.now() / 1000));
    expect(headers).toMatchObject({
      'x-webhook-id': event.id,
      'idempotency-key': event.id,
      'x-webhook-timestamp': seconds,
      'x-webhook-signature': signatureOf(t.endpoint.secret, seconds, body),
      'user-agent': 'BakeryCommerce-Webhooks/1.0',
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('x-webhook-signature-previous');
    expect(event).toMatchObject({ type: 'expense.created', tenant_id: t.account.id });
  });

  test('a webhook request is the same event, byte for byte, at every endpoint', async () => {
    const second = t.receiver.hook();
    await createEndpoint(t.world, t.account.id, second.url);
    await write();
    await t.pipeline.drain();
    expect(second.requests.map(({ body }) => body)).toEqual(t.hook.requests.map(({ body }) => body));
  });

  test('a webhook request is signed with the new and the old secret until the grace window ends', async () => {
    const key = await t.world.createKey(t.account.id);
    const rotated = await t.world.request('POST', `/webhooks/${t.endpoint.id}/rotate-secret`, { key });
    const attempt = async () => {
      await write();
      await t.pipeline.drain();
      const request = t.hook.requests.at(-1);
      return {
        headers: request?.headers ?? {},
        body: request?.body ?? Buffer.alloc(0),
        seconds: String(Math.floor(t.world.clock.now() / 1000)),
      };
    };
    t.world.clock.advance(24 * 60 * minute - 1);
    const within = await attempt();
    expect(within.headers['x-webhook-signature']).toBe(signatureOf(rotated.body.secret, within.seconds, within.body));
    expect(within.headers['x-webhook-signature-previous']).toBe(signatureOf(t.endpoint.secret, within.seconds, within.body));
    t.world.clock.advance(1);
    const after = await attempt();
    expect(after.headers['x-webhook-signature']).toBe(signatureOf(rotated.body.secret, after.seconds, after.body));
    expect(after.headers).not.toHaveProperty('x-webhook-signature-previous');
  });

  test('a webhook request uses the new secret even if it was queued or failed before the rotation', async () => {
    const key = await t.world.createKey(t.account.id);
    t.hook.respondWith((count) => (count === 1 ? 500 : 200));
    await write();
    await t.pipeline.drain();
    const { body: rotated } = await t.world.request('POST', `/webhooks/${t.endpoint.id}/rotate-secret`, { key });
    t.world.clock.advance(5 * minute);
    await t.pipeline.drain();
    const { headers, body } = t.hook.requests[1] ?? { headers: {}, body: Buffer.alloc(0) };
    expect(headers['x-webhook-signature']).toBe(signatureOf(rotated.secret, String(headers['x-webhook-timestamp']), body));
  });
});

test('an attempt ends after 30 seconds, and its log line has the time that it waited', async () => {
  const { store, clock, policy } = t.world;
  const timeouts: number[] = [];
  const sender: Sender = {
    send: async ({ timeoutMs }) => {
      timeouts.push(timeoutMs);
      clock.advance(timeoutMs);
      return noResponse;
    },
    close: () => {},
  };
  await t.publish();
  const attributes = { ApproximateReceiveCount: '1' };
  const Records = t.pipeline.receive().map(({ id, body }) => ({ messageId: id, body, attributes }) as SQSRecord);
  const scheduler = { schedule: async () => {} };
  const lines: object[] = [];
  const log = (line: object) => void lines.push(line);
  await deliver({ store, queue: t.pipeline.queue, scheduler, sender, policy, clock, random: systemRandom, log })({ Records });
  expect(timeouts).toEqual([30_000]);
  // The runbook ranks endpoints by the sum of `ms` and `waited`.
  expect(lines).toEqual([expect.objectContaining({ outcome: 'pending', error: 'no_response', ms: undefined, waited: 30_000 })]);
});
