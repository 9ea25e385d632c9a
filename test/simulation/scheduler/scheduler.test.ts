import { describe, expect, test } from '@jest/globals';
import { createScheduler, NeverEnds } from './scheduler.ts';

const limits = { virtualMs: 60_000, events: 1_000 };

describe('virtual time', () => {
  test('virtual time moves from event to event, in order of their times, then of their creation', async () => {
    const scheduler = createScheduler(1, limits);
    const startMs = scheduler.now();
    const seen: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await scheduler.sleep(ms);
      seen.push([name, scheduler.now() - startMs]);
    };
    await scheduler.run(Promise.all([sleep('late', 50_000), sleep('first', 10), sleep('second', 10), sleep('at once', 0)]));
    expect(seen).toEqual([
      ['at once', 0],
      ['first', 10],
      ['second', 10],
      ['late', 50_000],
    ]);
  });

  test('virtual time skips cancelled events', async () => {
    const scheduler = createScheduler(1, limits);
    let happened = false;
    scheduler
      .after(5, () => {
        happened = true;
      })
      .cancel();
    await scheduler.run(scheduler.sleep(10));
    expect(happened).toBe(false);
  });

  test('virtual time runs each of a thousand events in random order at its time', async () => {
    const scheduler = createScheduler(5, { ...limits, events: 2_000 });
    const random = scheduler.stream('moments');
    const moments: number[] = [];
    for (let i = 0; i < 1_000; i++) scheduler.after(random.below(50_000), () => moments.push(scheduler.now()));
    await scheduler.run(scheduler.sleep(50_000));
    expect(moments).toHaveLength(1_000);
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  });

  test.each([
    ['waits for what never comes', () => new Promise(() => undefined), 'nothing is left'],
    ['sleeps beyond the end', (sleep: (ms: number) => Promise<void>) => sleep(61_000), 'virtual hours'],
    [
      'never stops',
      async (sleep: (ms: number) => Promise<void>) => {
        for (;;) await sleep(1);
      },
      'events',
    ],
  ])('virtual time rejects work that %s instead of hanging', async (_, work, reason) => {
    const scheduler = createScheduler(1, limits);
    const ended = scheduler.run(work(scheduler.sleep));
    await expect(ended).rejects.toThrow(NeverEnds);
    await expect(ended).rejects.toThrow(reason);
  });

  test('virtual time rejects with the error of the work', async () => {
    const scheduler = createScheduler(1, limits);
    const work = async () => {
      await scheduler.sleep(1);
      throw new Error('as it was');
    };
    await expect(scheduler.run(work())).rejects.toThrow('as it was');
  });
});
