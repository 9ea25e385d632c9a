import assert from 'node:assert/strict';
import type { Hook, Received, Receiver } from '../../support/receiver.ts';
import { isSignedWith } from '../../webhook-endpoints/signature.ts';
import type { Schedules } from '../schedules.ts';
import { until } from '../until.ts';
import type { Shop } from './shop.ts';

/**
 * Time for the stream, the queue and a schedule of 6 s, which the emulator may fire 10 s late, on a
 * busy machine.
 */
const deadlineMs = 90_000;

interface Subscription {
  readonly hook: Hook;
  readonly endpoint: string;
  readonly secret: string;
}

const subscribe = async ({ call }: Shop, hook: Hook, type: string): Promise<Subscription> => {
  const { status, body } = await call('POST', '/webhooks', { url: hook.url, events: [type] });
  assert.equal(status, 201);
  return { hook, endpoint: body.id, secret: body.secret };
};

const untilReceived = (hook: Hook, count: number): Promise<readonly Received[]> =>
  until(`${count} requests at ${hook.url}`, deadlineMs, () => hook.requests.length >= count && hook.requests);

/** The endpoint's log after its one delivery has ended. */
const untilDelivered = ({ call }: Shop, endpoint: string): Promise<any> =>
  until(
    'the delivery log says delivered',
    deadlineMs,
    async () => (await call('GET', `/webhooks/${endpoint}/events?status=delivered`)).body.data?.[0],
  );

const assertSigned = ({ headers, body }: Received, secret: string): void => {
  assert.ok(isSignedWith(secret, String(headers['x-webhook-signature']), body), 'the signature is not an HMAC over the raw body');
  const { id } = JSON.parse(body.toString());
  assert.deepEqual([headers['x-webhook-id'], headers['idempotency-key']], [id, id]);
};

/** Expects the same event in the same bytes at every attempt, each with a new signature. */
const assertRetried = async (shop: Shop, { hook, endpoint, secret }: Subscription, failures: number): Promise<void> => {
  const requests = await untilReceived(hook, failures + 1);
  for (const request of requests) assertSigned(request, secret);
  const [first] = requests;
  assert.ok(
    requests.every(({ body }) => first?.body.equals(body)),
    'the attempts differ',
  );
  const record = await untilDelivered(shop, endpoint);
  assert.deepEqual([record.id, record.attempts, record.last_status_code], [first?.headers['x-webhook-id'], failures, 200]);
  await until('the statistics count every attempt', deadlineMs, async () => {
    const { delivery_stats: stats } = (await shop.call('GET', `/webhooks/${endpoint}`)).body;
    return stats.success_count === 1 && stats.failure_count === failures && stats.consecutive_failures === 0;
  });
  assert.equal(hook.requests.length, failures + 1);
};

/**
 * Sends one order to three receivers: one accepts it, one fails once and one fails twice. The
 * account must have no other order meanwhile.
 */
export const checkDeliveries = async (shop: Shop, receiver: Receiver, schedules: Schedules): Promise<void> => {
  const { check, call, account } = shop;
  const [steady, once, twice] = [receiver.hook(), receiver.hook(), receiver.hook()];
  once.respondWith((count) => (count > 1 ? 200 : 503));
  twice.respondWith((count) => (count > 2 ? 200 : 503));
  let subscriptions: readonly Subscription[] = [];
  const ready = await check('webhooks are registered, and a test event arrives signed', async () => {
    subscriptions = await Promise.all([steady, once, twice].map((hook) => subscribe(shop, hook, 'order.created')));
    const [{ endpoint, secret } = { endpoint: '', secret: '' }] = subscriptions;
    const { body } = await call('POST', `/webhooks/${endpoint}/test`);
    assert.deepEqual([body.success, body.status_code], [true, 200]);
    const [request] = await untilReceived(steady, 1);
    if (request) assertSigned(request, secret);
  });
  const [first, second, third] = subscriptions;
  if (!ready || !first || !second || !third) return;
  const scheduledFor = ({ endpoint }: Subscription) =>
    schedules.sent.filter(({ MessageBody = '' }) => MessageBody.includes(endpoint)).length;
  const { body: order } = await call('POST', '/orders', { items: [{ name: 'Rolls', quantity: 6, unit_price: 0.5 }], emit_webhooks: true });
  await Promise.all([
    check('an order is delivered with a signature', async () => {
      const [, request] = await untilReceived(steady, 2);
      assert.ok(request);
      assertSigned(request, first.secret);
      const event = JSON.parse(request.body.toString());
      assert.deepEqual([event.type, event.tenant_id, event.data.object.id], ['order.created', account, order.id]);
      assert.equal((await untilDelivered(shop, first.endpoint)).attempts, 0);
    }),
    check('a receiver that fails once gets a retry from the queue', async () => {
      await assertRetried(shop, second, 1);
      assert.equal(scheduledFor(second), 0);
    }),
    check('a receiver that fails twice gets a retry from a schedule', async () => {
      await assertRetried(shop, third, 2);
      assert.equal(scheduledFor(third), 1);
    }),
  ]);
};
