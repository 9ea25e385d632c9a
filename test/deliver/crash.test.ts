import { describe, expect, test } from '@jest/globals';
import { useDelivery } from '../support/delivery.ts';
import { visibilityTimeoutMs } from '../support/pipeline.ts';

const t = useDelivery();

type Moment = 'before' | 'after';

/**
 * Runs the invocation, and lets it vanish at its n-th step towards the outside, before the step is made or after, with the answer
 * never seen. False where it ended before.
 */
const crashAt = async (n: number, moment: Moment): Promise<boolean> => {
  const gone = Promise.withResolvers<'gone'>();
  let steps = 0;
  const step = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    steps += 1;
    if (steps < n) return run();
    if (steps === n && moment === 'after') await run();
    gone.resolve('gone');
    return new Promise(() => {});
  };
  const batch = t.pipeline.receive();
  t.world.wire.intercept((_call, send) => step(send));
  t.pipeline.gate((_step, run) => step(run));
  const end = await Promise.race([gone.promise, t.pipeline.deliver(batch)]);
  t.world.wire.intercept(undefined);
  t.pipeline.gate(undefined);
  if (end === 'gone') t.pipeline.putBack(batch);
  return end === 'gone';
};

/** Crashes a fresh delivery at every step, one after another; `check` looks at each after its visibility timeout. */
const crashEverywhere = async (status: number, check: (at: string, requests: number) => Promise<void>): Promise<number> => {
  let points = 0;
  for (const moment of ['before', 'after'] as const) {
    for (let n = 1; ; n++) {
      await t.reset();
      t.hook.answer(status);
      await t.publish();
      if (!(await crashAt(n, moment))) break;
      points += 1;
      t.world.clock.advance(visibilityTimeoutMs);
      await t.pipeline.drain();
      await check(`${moment} step ${n}`, t.hook.requests.length);
    }
  }
  return points;
};

describe('an invocation that dies at any step of a delivery', () => {
  test('of an endpoint that answers: it is delivered after the visibility timeout, and no failure is counted', async () => {
    const points = await crashEverywhere(200, async (at, requests) => {
      expect([at, await t.record()]).toMatchObject([at, { status: 'delivered', attempts: 0, next_retry_at: null, last_error: null }]);
      expect([at, requests === 1 || requests === 2]).toEqual([at, true]);
      const { success_count, failure_count } = await t.endpointNow();
      expect([at, success_count <= 1, failure_count]).toEqual([at, true, 0]);
    });
    expect(points).toBe(10); // four calls and a request, each before and after
  });

  test('of an endpoint that fails: the attempt counts once, and the next one comes when it is due', async () => {
    const points = await crashEverywhere(500, async (at) => {
      const made = await t.record();
      expect([at, made]).toMatchObject([at, { status: 'pending', last_error: 'http_error' }]);
      // The crash may have come after the outcome was kept: then five minutes have passed, and the second attempt was made as well.
      expect([at, made.attempts === 1 || made.attempts === 2]).toEqual([at, true]);
      const { failure_count } = await t.endpointNow();
      expect([at, failure_count <= made.attempts]).toEqual([at, true]);
      const before = t.hook.requests.length;
      t.world.clock.advance(Date.parse(made.next_retry_at ?? '') - t.world.clock.now());
      await t.pipeline.drain();
      expect([at, (await t.record()).attempts, t.hook.requests.length]).toEqual([at, made.attempts + 1, before + 1]);
    });
    expect(points).toBe(12); // the same, and the next attempt arranged
  });

  test('leaves no slot behind for longer than its lease', async () => {
    await crashEverywhere(500, async (at) => {
      t.hook.answer(200);
      await t.publish(5);
      await t.pipeline.drain();
      expect([at, (await t.endpointNow()).slots]).toEqual([at, [null, null, null, null, null]]);
    });
  });
});
