import { describe, expect, test } from '@jest/globals';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { createEndpoint, setAccountStatus } from '../support/records.ts';

// Guarantee 20 (docs/guarantees.md)

const t = useDelivery();

const disabledRecord = (attempts: number) => ({
  status: 'failed',
  attempts,
  last_error: 'endpoint_disabled',
  last_status_code: null,
  next_retry_at: null,
  delivered_at: null,
  failed_at: t.isoAfter(0),
});
const api = async (method: string, path: string, body?: unknown) =>
  t.world.request(method, path, { key: await t.world.createKey(t.account.id), body });
const patch = (body: unknown) => api('PATCH', `/webhooks/${t.endpoint.id}`, body);
const closeAccount = () => setAccountStatus(t.world, t.account.id, 'closed');

const ends: [string, () => Promise<unknown>][] = [
  ['a disabled endpoint', () => patch({ enabled: false })],
  ['a deleted endpoint', () => api('DELETE', `/webhooks/${t.endpoint.id}`)],
  ['a closed account', closeAccount],
];

describe.each(ends)('a pending delivery to %s', (name, end) => {
  test(`a pending delivery to ${name} fails with endpoint_disabled when it is due, without a request`, async () => {
    await t.publish();
    await end();
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ ...disabledRecord(0), last_attempt_at: null });
    expect(t.hook.requests).toHaveLength(0);
  });

  test(`a pending delivery to ${name} stays pending until its retry is due, and then fails`, async () => {
    t.hook.respondWith(500);
    await t.publish();
    await t.pipeline.drain();
    const lastAttemptAt = t.isoAfter(0);
    await end();
    t.world.clock.advance(5 * minuteMs - 1);
    await t.pipeline.drain();
    expect((await t.record()).status).toBe('pending');
    t.world.clock.advance(1);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ ...disabledRecord(1), last_attempt_at: lastAttemptAt });
    expect(t.hook.requests).toHaveLength(1);
  });
});

describe('enabling an endpoint again', () => {
  test('enabling an endpoint again does not deliver what failed while the endpoint was disabled', async () => {
    await t.publish();
    await patch({ enabled: false });
    await t.pipeline.drain();
    await patch({ enabled: true });
    await t.pipeline.drain();
    t.world.clock.advance(48 * 60 * minuteMs);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(0);
    expect((await t.record()).status).toBe('failed');
  });

  test('enabling an endpoint again before a retry is due lets that retry be made', async () => {
    t.hook.respondWith((count) => (count === 1 ? 500 : 200));
    await t.publish();
    await t.pipeline.drain();
    await patch({ enabled: false });
    await patch({ enabled: true });
    t.world.clock.advance(5 * minuteMs);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('enabling an endpoint again resets the count of failures', async () => {
    t.hook.respondWith(500);
    await t.publish(12);
    await t.pipeline.drain();
    const { body } = await patch({ enabled: true });
    expect(body).toMatchObject({ status: 'active', disabled_reason: null, delivery_stats: { consecutive_failures: 0, failure_count: 10 } });
    await t.publish(9);
    await t.pipeline.drain();
    expect(await t.endpointNow()).toMatchObject({ enabled: true, consecutive_failures: 9, failure_count: 19 });
  });
});

describe('ten failures in a row', () => {
  const drainWith = (invocations: number) => Promise.all(Array.from({ length: invocations }, () => t.pipeline.drain()));
  /** Every message that returned for lack of a slot is received again within 30 s. */
  const settle = async (invocations: number) => {
    for (let i = 0; i < 40 && t.pipeline.waiting.some(({ visibleMs }) => visibleMs < t.world.clock.now() + minuteMs); i++) {
      await drainWith(invocations);
      t.world.clock.advance(1000);
    }
  };

  test('ten failures in a row disable the endpoint, across events, and give the reason', async () => {
    t.hook.respondWith(500);
    await t.publish(10);
    await t.pipeline.drain();
    expect(await t.endpointNow()).toMatchObject({
      enabled: false,
      disabled_reason: 'consecutive_failures',
      consecutive_failures: 10,
      failure_count: 10,
      slots: [null, null, null, null, null],
    });
  });

  test.each([1, 2, 6])(
    'ten failures in a row are never followed by an eleventh request, with %i simultaneous invocations',
    async (invocations) => {
      t.hook.respondWith((count) => (count % 3 === 0 ? 404 : 500));
      await t.publish(40);
      await settle(invocations);
      expect(t.hook.requests).toHaveLength(10);
      expect(await t.endpointNow()).toMatchObject({ enabled: false, consecutive_failures: 10, failure_count: 10 });
      const counts = { pending: 0, delivered: 0, failed: 0 };
      for (const { status } of await t.records()) counts[status] += 1;
      expect(counts).toEqual({ pending: 10, delivered: 0, failed: 30 });
    },
  );

  test('ten failures in a row are counted from 0 after each success', async () => {
    let failuresInARow = 0;
    let longest = 0;
    t.hook.respondWith((count) => {
      const status = count % 10 === 0 ? 200 : 500;
      failuresInARow = status === 200 ? 0 : failuresInARow + 1;
      longest = Math.max(longest, failuresInARow);
      return status;
    });
    await t.publish(30);
    // One at a time, because simultaneous attempts count in the order in which they end.
    for (let i = 0; i < 30; i++) await t.pipeline.deliver(t.pipeline.receive(1));
    const { enabled, success_count, failure_count } = await t.endpointNow();
    expect([enabled, success_count, failure_count, longest]).toEqual([true, 3, 27, 9]);
  });

  test('two events that fail five times each disable the endpoint', async () => {
    t.hook.respondWith(500);
    await t.publish(2);
    await t.attempts();
    expect(await t.endpointNow()).toMatchObject({ enabled: false, consecutive_failures: 10, disabled_ms: t.world.clock.now() });
    expect((await t.records()).map(({ status, last_error }) => [status, last_error])).toEqual(Array(2).fill(['failed', 'http_error']));
  });

  test('ten failures in a row disable only that endpoint', async () => {
    const healthy = t.receiver.hook();
    await createEndpoint(t.world, t.account.id, healthy.url);
    t.hook.respondWith(500);
    await t.publish(12);
    await settle(1);
    expect([t.hook.requests.length, healthy.requests.length]).toEqual([10, 12]);
  });
});
