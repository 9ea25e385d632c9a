import { describe, expect, test } from '@jest/globals';
import { until, useDelivery } from '../support/delivery.ts';

const t = useDelivery();

/**
 * Ten messages in one invocation. Five hang until `goOn`, so a change in between happens before the
 * other five begin.
 */
const inTheMiddle = async () => {
  const door = Promise.withResolvers<void>();
  t.hook.respondWith(async () => {
    await door.promise;
    return 200;
  });
  await t.publish(10);
  const running = t.pipeline.deliver(t.pipeline.receive());
  await until(() => t.hook.inFlight() === 5);
  return async () => {
    door.resolve();
    return await running;
  };
};
const api = async (method: string, path: string, body?: unknown) =>
  t.world.request(method, `/webhooks/${t.endpoint.id}${path}`, { key: await t.world.createKey(t.account.id), body });

describe('a change during an invocation', () => {
  test('a rotation of the secret applies to every attempt that begins later in the invocation', async () => {
    const goOn = await inTheMiddle();
    await api('POST', '/rotate-secret');
    await goOn();
    const rotated = t.hook.requests.map(({ headers }) => headers['x-webhook-signature-previous'] !== undefined);
    expect(rotated).toEqual([...Array(5).fill(false), ...Array(5).fill(true)]);
  });

  test('a new URL applies to every attempt that begins later in the invocation', async () => {
    const moved = t.receiver.hook();
    const goOn = await inTheMiddle();
    expect((await api('PATCH', '', { url: moved.url })).status).toBe(200);
    await goOn();
    expect([t.hook.requests.length, moved.requests.length]).toEqual([5, 5]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['an end by PATCH', () => api('PATCH', '', { enabled: false })],
    ['a deletion', () => api('DELETE', '')],
  ])('attempts that have not begun fail without a request after this change: %s', async (_name, end) => {
    const goOn = await inTheMiddle();
    await end();
    expect(await goOn()).toEqual({ batchItemFailures: [] });
    expect(t.hook.requests).toHaveLength(5);
    const ended = (await t.records()).map(({ status, last_error, attempts }) => [status, last_error, attempts].join());
    expect(ended.sort()).toEqual([...Array(5).fill('delivered,,0'), ...Array(5).fill('failed,endpoint_disabled,0')]);
  });
});
