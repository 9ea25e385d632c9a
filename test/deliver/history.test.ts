import { describe, expect, test } from '@jest/globals';
import type { DeliveryAttempt } from '../../shared/domain/webhook/record.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import { minuteMs, until, useDelivery } from '../support/delivery.ts';
import { brokenConnection, loseResponse } from '../support/faults.ts';

// Guarantee 27 (docs/guarantees.md)

const t = useDelivery();

const attemptsNow = async (): Promise<readonly DeliveryAttempt[]> => {
  const { id } = await t.record();
  const inspected = await t.world.store.deliveries.inspect(t.account.id, t.endpoint.id, id);
  return inspected?.attempts ?? [];
};

const redeliver = async () => {
  const { store, clock } = t.world;
  const { id } = await t.record();
  const record = await store.deliveries.get(t.account.id, t.endpoint.id, id);
  if (!record) throw new Error('The record is gone.');
  const ref = await store.deliveries.restart(record, clock.now());
  await t.pipeline.queue.send([{ groupId: t.account.id, body: encodeMessage(ref) }]);
};
const runsOf = async () => (await attemptsNow()).map(({ run, attempt }) => [run, attempt]);

test('the record stores every attempt: run, number, time, status code, error, duration', async () => {
  t.hook.respondWith(503);
  const startMs = t.world.clock.now();
  t.pipeline.gate(async (step, run) => {
    if (step === 'sender') t.world.clock.advance(40);
    return await run();
  });
  await t.publish();
  await t.attempts();
  const after = (waited: number, attempt: number) => new Date(startMs + waited + attempt * 40).toISOString();
  let waited = 0;
  expect(await attemptsNow()).toEqual(
    [0, 5, 30, 120, 1440].map((minutes, i) => {
      waited += minutes * minuteMs;
      return { run: 1, attempt: i + 1, at: after(waited, i + 1), status_code: 503, error: 'http_error', duration_ms: 40 };
    }),
  );
});

test('a redelivery keeps the attempts of earlier runs, each under its run', async () => {
  t.hook.respondWith(500);
  await t.publish();
  await t.attempts();
  await redeliver();
  expect(await runsOf()).toEqual([1, 2, 3, 4, 5].map((attempt) => [1, attempt]));
  t.hook.respondWith(204);
  await t.pipeline.drain();
  expect((await attemptsNow()).slice(4)).toMatchObject([
    { run: 1, attempt: 5, status_code: 500, error: 'http_error' },
    { run: 2, attempt: 1, status_code: 204, error: null },
  ]);
});

test('only the attempts of the last five runs are kept', async () => {
  await t.publish();
  await t.pipeline.drain();
  for (let redeliveries = 0; redeliveries < 11; redeliveries++) {
    await redeliver();
    await t.pipeline.drain();
  }
  expect(await runsOf()).toEqual([8, 9, 10, 11, 12].map((run) => [run, 1]));
});

describe('an attempt that a redelivery overtakes', () => {
  /** Redelivers this many times during a request, which then ends with this status. */
  const overtake = async (status: number, redeliveries = 1) => {
    const door = Promise.withResolvers<void>();
    t.hook.respondWith(async (count) => {
      if (count > 1) return 200;
      await door.promise;
      return status;
    });
    await t.publish();
    const running = t.pipeline.deliver(t.pipeline.receive());
    await until(() => t.hook.requests.length === 1);
    for (let i = 0; i < redeliveries; i++) await redeliver();
    door.resolve();
    expect(await running).toEqual({ batchItemFailures: [] });
  };

  test.each([
    [500, { success_count: 0, failure_count: 1, consecutive_failures: 1 }],
    [200, { success_count: 1, failure_count: 0, consecutive_failures: 0 }],
  ])(
    'an attempt that a redelivery overtakes counts, stays in the history, and does not change the new run (%i)',
    async (status, counts) => {
      await overtake(status);
      expect(await t.endpointNow()).toMatchObject(counts);
      expect(await attemptsNow()).toMatchObject([{ run: 1, attempt: 1, status_code: status }]);
      expect(await t.record()).toMatchObject({ status: 'pending', attempts: 0, run: 2 });
      expect(t.pipeline.waiting).toHaveLength(1);
      await t.pipeline.drain();
      expect(await runsOf()).toEqual([
        [1, 1],
        [2, 1],
      ]);
      expect((await t.endpointNow()).success_count).toBe(counts.success_count + 1);
    },
  );

  test('an overtaken attempt counts even if later redeliveries removed its run from the history', async () => {
    await overtake(500, 6);
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1 });
    expect(await attemptsNow()).toEqual([]);
  });

  test('an overtaken attempt counts towards the tenth failure in a row, which disables the endpoint', async () => {
    const endpoint = await t.endpointNow();
    await t.world.store.commit(t.world.store.endpoints.updateWrites(endpoint, { consecutive_failures: 9 }));
    await overtake(500);
    expect(await t.endpointNow()).toMatchObject({ enabled: false, disabled_reason: 'consecutive_failures', consecutive_failures: 10 });
  });

  test.each<[string, RegExp]>([
    ['its end', /#view.#run = :/],
    ['its place in the history', /size\(#history_1\)/],
  ])('an attempt that a redelivery overtakes counts once if the response to the write of %s is lost', async (_name, condition) => {
    let lost = 0;
    t.world.wire.intercept(async (call, send) => {
      const { ConditionExpression, UpdateExpression } = call.input;
      const isEnd = condition.test(String(ConditionExpression)) && /list_append/.test(String(UpdateExpression));
      return isEnd && ++lost === 1 ? loseResponse(send) : send();
    });
    await overtake(500);
    t.world.wire.intercept(undefined);
    expect(lost).toBeGreaterThanOrEqual(2);
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1, consecutive_failures: 1 });
    expect(await attemptsNow()).toMatchObject([{ run: 1, attempt: 1, status_code: 500 }]);
  });

  test('an attempt counts once if the response to its stored outcome was lost and a redelivery followed', async () => {
    t.hook.respondWith(500);
    await t.publish();
    let ends = 0;
    t.world.wire.intercept(async (call, send) => {
      const response = await send();
      if (!/list_append/.test(String(call.input['UpdateExpression'])) || ++ends > 1) return response;
      await redeliver();
      throw brokenConnection();
    });
    await t.pipeline.deliver(t.pipeline.receive());
    t.world.wire.intercept(undefined);
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1 });
    expect(await runsOf()).toEqual([[1, 1]]);
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 0, run: 2 });
  });
});

test('the REST API and the indexes do not contain the attempts', async () => {
  t.hook.respondWith(500);
  await t.publish();
  await t.pipeline.drain();
  const key = await t.world.createKey(t.account.id);
  const { body } = await t.world.request('GET', `/webhooks/${t.endpoint.id}/events`, { key });
  expect(body.data[0].attempts).toBe(1);
  expect(Object.keys(await t.record()).filter((name) => name.startsWith('history'))).toEqual([]);
});
