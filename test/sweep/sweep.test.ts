import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sweep } from '../../functions/sweep/app.ts';
import type { DeliveryRecord } from '../../shared/domain/webhook/record.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { createPipeline, visibilityTimeoutMs } from '../support/pipeline.ts';
import { createEndpoint } from '../support/records.ts';
import { serve } from '../support/serve.ts';

const t = useDelivery();
const overdueMs = 2 * minuteMs + 1;

/**
 * Runs a sweep and returns its messages for this test's account. Other tests leave overdue
 * deliveries too.
 */
const swept = async () => {
  const before = new Set(t.pipeline.waiting.map(({ id }) => id));
  await t.pipeline.sweep();
  return t.pipeline.waiting.filter(({ id, groupId }) => groupId === t.account.id && !before.has(id)).map(({ body }) => JSON.parse(body));
};
const loseMessages = () => t.pipeline.clear();
/**
 * Makes an attempt due for the sweep, as `deliver` does if the message of a first attempt returns.
 */
const showSweep = ({ account, endpoint, id: event, run, attempts: attempt }: DeliveryRecord) =>
  t.world.store.deliveries.makeDueAt({ account, endpoint, event, run, attempt }, t.world.clock.now());
const publishShown = async (count = 1) => {
  await t.publish(count);
  await Promise.all((await t.records()).map(showSweep));
};

describe('a sweep', () => {
  test('a sweep requeues a delivery that has been due for more than two minutes', async () => {
    await publishShown();
    await loseMessages();
    t.world.clock.advance(overdueMs);
    const { id } = await t.record();
    expect(await swept()).toEqual([{ v: 1, account: t.account.id, endpoint: t.endpoint.id, event: id, run: 1, attempt: 0 }]);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ status: 'delivered', attempts: 0 });
  });

  test('a sweep does not requeue a delivery that has just become due', async () => {
    await publishShown();
    t.world.clock.advance(2 * minuteMs);
    expect(await swept()).toEqual([]);
  });

  test('a sweep does not requeue a delivery that waits for its retry', async () => {
    t.hook.respondWith(500);
    await t.publish();
    await t.pipeline.drain();
    t.world.clock.advance(5 * minuteMs + 2 * minuteMs);
    expect(await swept()).toEqual([]);
    t.world.clock.advance(1);
    expect(await swept()).toMatchObject([{ attempt: 1 }]);
  });

  test('a sweep does not requeue a delivered, failed or abandoned delivery', async () => {
    await t.publish();
    await t.pipeline.drain();
    const gone = await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
    await t.publish();
    await t.world.store.commit(t.world.store.endpoints.deleteWrites(gone));
    await t.pipeline.drain();
    t.hook.respondWith(500);
    await t.publish();
    await t.attempts();
    t.world.clock.advance(24 * 60 * minuteMs);
    expect((await t.records()).map(({ status }) => status).sort()).toEqual(['delivered', 'delivered', 'failed']);
    expect(await swept()).toEqual([]);
  });

  test('a sweep does not requeue the same delivery again for half an hour', async () => {
    await publishShown(30);
    t.world.clock.advance(overdueMs);
    expect(await swept()).toHaveLength(30);
    for (let i = 0; i < 5; i++) {
      t.world.clock.advance(5 * minuteMs);
      expect(await swept()).toEqual([]);
    }
    t.world.clock.advance(5 * minuteMs + overdueMs);
    expect(await swept()).toHaveLength(30);
    expect((await t.records()).every(({ next_retry_at, attempts }) => next_retry_at === null && attempts === 0)).toBe(true);
  });

  test('a sweep reads all pages of overdue deliveries', async () => {
    await publishShown();
    const model = await t.record();
    await loseMessages();
    // Uses one shard of the due index, so that 120 records are more than one page of 100.
    const inFirstShard = (event: string) =>
      createHash('sha256').update(t.endpoint.id).update(event).digest().readUInt8(0) % dueShards === 0;
    const ids = Array.from({ length: 120 * dueShards * 2 }, (_, i) => `evt_${i}`)
      .filter(inFirstShard)
      .slice(0, 120);
    await Promise.all(ids.map(async (id) => showSweep(await t.world.store.deliveries.create({ ...model, id }))));
    t.world.clock.advance(overdueMs);
    expect(new Set((await swept()).map(({ event }) => event))).toEqual(new Set([...ids, model.id]));
  });

  test('a sweep that runs out of time in the middle of a page leaves the rest to the next sweep', async () => {
    await publishShown(80);
    await loseMessages();
    t.world.clock.advance(overdueMs);
    t.pipeline.gate((step, run) => {
      if (step === 'queue') t.world.clock.advance(20_000);
      return run();
    });
    const first = await swept();
    t.pipeline.gate(undefined);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(80);
    expect(new Set([...first, ...(await swept())].map(({ event }) => event)).size).toBe(80);
  });

  test('a sweep that cannot send leaves every delivery to the next sweep', async () => {
    await publishShown(3);
    await loseMessages();
    t.world.clock.advance(overdueMs);
    t.pipeline.gate((step, run) => (step === 'queue' ? Promise.reject(new Error('refused')) : run()));
    await expect(t.pipeline.sweep()).rejects.toThrow('refused');
    t.pipeline.gate(undefined);
    expect(await swept()).toHaveLength(3);
  });

  test('a sweep that fails for some deliveries continues with the others, and fails at the end', async () => {
    await publishShown(20);
    await loseMessages();
    t.world.clock.advance(overdueMs);
    let sends = 0;
    t.pipeline.gate((step, run) => (step === 'queue' && ++sends === 1 ? Promise.reject(new Error('refused')) : run()));
    await expect(t.pipeline.sweep()).rejects.toThrow('refused');
    expect(t.pipeline.waiting.length).toBeGreaterThan(0);
    t.pipeline.gate(undefined);
    await t.pipeline.sweep();
    expect(t.pipeline.waiting.filter(({ groupId }) => groupId === t.account.id)).toHaveLength(20);
  });

  test('a sweep that dies between send and postponement is repeated by the next sweep: no delivery is stranded', async () => {
    await publishShown();
    await loseMessages();
    t.world.clock.advance(overdueMs);
    t.world.wire.intercept((call, send) => (call.operation === 'UpdateItem' ? Promise.reject(new Error('gone')) : send()));
    await expect(t.pipeline.sweep()).rejects.toThrow('gone');
    t.world.wire.intercept(undefined);
    expect(await swept()).toHaveLength(1);
  });

  test('a sweep shortens its waits by the time scale', async () => {
    const fast = createPipeline({ ...t.world, policy: { ...t.world.policy, timeScale: 60 } });
    const sent = () => fast.waiting.filter(({ groupId }) => groupId === t.account.id).length;
    await publishShown();
    t.world.clock.advance(2_001);
    await fast.sweep();
    expect(sent()).toBe(1);
    t.world.clock.advance(30_000);
    await fast.sweep();
    expect(sent()).toBe(1);
    t.world.clock.advance(2_001);
    await fast.sweep();
    expect(sent()).toBe(2);
    fast.close();
  });
});

describe('attempts that one sweep continues', () => {
  /** Sweeps every five minutes until the condition is true. Returns the minutes that this took. */
  const sweepUntil = async (done: () => Promise<boolean>): Promise<number> => {
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      await t.pipeline.sweep();
      await t.pipeline.drain();
      if (await done()) return minutes;
      t.world.clock.advance(5 * minuteMs);
    }
    throw new Error('Not within an hour.');
  };
  const isDelivered = async () => (await t.record()).status === 'delivered';

  test('a sweep makes an attempt after its first message became a dead letter', async () => {
    await t.publish();
    t.world.wire.intercept((call, send) =>
      /SET #slot_\d = /.test(String(call.input['UpdateExpression'])) ? Promise.reject(new Error('gone')) : send(),
    );
    for (let receives = 1; receives <= 2; receives++) {
      expect((await t.pipeline.deliver(t.pipeline.receive())).batchItemFailures).toHaveLength(1);
      t.world.clock.advance(visibilityTimeoutMs);
    }
    t.world.wire.intercept(undefined);
    await loseMessages();
    expect(await sweepUntil(isDelivered)).toBeLessThanOrEqual(30);
    expect(t.hook.requests).toHaveLength(1);
  });

  test.each([
    ['the five minutes on the queue', 1],
    ['the half hour on a schedule', 2],
    ['the day on a schedule', 4],
  ])('a sweep makes a retry that was lost during %s', async (_name, failures) => {
    t.hook.respondWith((count) => (count <= failures ? 500 : 200));
    await t.publish();
    await t.attempts(failures);
    await loseMessages();
    const { next_retry_at, attempts } = await t.record();
    expect(attempts).toBe(failures);
    t.world.clock.advance(Date.parse(next_retry_at ?? '') - t.world.clock.now());
    expect(await sweepUntil(isDelivered)).toBeLessThanOrEqual(5);
    expect((await t.record()).attempts).toBe(failures);
  });

  test('a first attempt that died is made again when the queue returns its message', async () => {
    await t.publish();
    const sending = Promise.withResolvers<void>();
    t.pipeline.gate((step, run) => {
      if (step !== 'sender') return run();
      sending.resolve();
      return new Promise(() => {});
    });
    const messages = t.pipeline.receive();
    void t.pipeline.deliver(messages);
    await sending.promise;
    t.pipeline.gate(undefined);
    t.pipeline.putBack(messages);
    expect(await sweepUntil(isDelivered)).toBeLessThanOrEqual(10);
    expect(t.hook.requests).toHaveLength(1);
  });

  test('a sweep continues a failed delivery if its next attempt was never scheduled', async () => {
    t.hook.respondWith((count) => (count === 1 ? 500 : 200));
    await t.publish();
    t.pipeline.gate((step, run) => (step === 'queue' ? new Promise(() => {}) : run()));
    void t.pipeline.deliver(t.pipeline.receive());
    await eventually(t.record, ({ attempts }) => attempts > 0);
    t.pipeline.gate(undefined);
    t.world.clock.advance(5 * minuteMs);
    expect(await sweepUntil(isDelivered)).toBeLessThanOrEqual(5);
    expect(await t.record()).toMatchObject({ attempts: 1 });
  });

  test('a sweep makes a redelivery if its message was never sent', async () => {
    await t.publish();
    await t.pipeline.drain();
    await t.world.store.deliveries.restart(await t.record(), t.world.clock.now());
    expect(await sweepUntil(isDelivered)).toBeLessThanOrEqual(5);
    expect(t.hook.requests).toHaveLength(2);
  });
});

describe("the region's public address", () => {
  /** Sweeps while the address responds with a status. Returns the requests and the sweep's line. */
  const sweepWith = async (status: number) => {
    const requests: unknown[] = [];
    const address = await serve(async ({ method, url }, response) => {
      requests.push(`${method} ${url}`);
      response.writeHead(status).end('{}');
    });
    t.world.log.length = 0;
    try {
      await sweep({ ...t.world.services, queue: t.pipeline.queue, startAction: async () => {}, publicUrl: address.url })();
    } finally {
      await address.stop();
    }
    return { requests, line: t.world.log.find(({ op }) => op === 'sweep') };
  };

  test.each([
    [200, 'leads to the region'],
    [429, 'leads to an API that others flood'],
  ])('a public address that responds with %i, because it %s, is not in the line of the sweep', async (status) => {
    const { requests, line } = await sweepWith(status);
    expect([requests, line?.['unreachable']]).toEqual([['GET /health?region=us'], undefined]);
  });

  test.each([403, 404, 421, 503])(
    'a public address that responds with %i is in the line of the sweep, which does its other work',
    async (status) => {
      await publishShown();
      await loseMessages();
      t.world.clock.advance(overdueMs);
      const { line } = await sweepWith(status);
      expect(line).toEqual({ op: 'sweep', requeued: expect.any(Number), unreachable: String(status), ms: expect.any(Number) });
      expect(t.pipeline.waiting.map(({ groupId }) => groupId)).toContain(t.account.id);
    },
  );

  test("the line of the sweep has the reason if nothing responds at the region's public address", async () => {
    t.world.log.length = 0;
    await sweep({ ...t.world.services, queue: t.pipeline.queue, startAction: async () => {}, publicUrl: 'http://127.0.0.1:9' })();
    expect(t.world.log).toContainEqual(expect.objectContaining({ op: 'sweep', unreachable: 'no_response' }));
  });
});
