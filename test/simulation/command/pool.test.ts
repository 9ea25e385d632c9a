import { afterEach, describe, expect, test } from '@jest/globals';
import { Pool } from './pool.ts';
import { playSeeds } from './seeds.ts';
import { nothingCut, type Outcome } from './task.ts';

/** Returns a minimal worker. The tests differ only in what it does with a seed. */
const workerOf = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  const nothing = { actions: [], met: [], calls: 1, virtualMs: 1, faults: {}, invariants: {}, figures: {} };
  const end = (seed, more) => parentPort.postMessage({ outcome: { ...nothing, seed, ...more } });
  parentPort.on('message', async ({ seed, traced }) => { ${body} });
`)}`,
  );

const task = (seed: number) => ({ ...nothingCut, seed, level: 'many' as const, traced: false });

describe('the pool of threads', () => {
  const pools: Pool[] = [];
  const poolOf = (body: string, workers = 2, patienceMs = 20_000): Pool => {
    const pool = new Pool({ workers, patienceMs, file: workerOf(body) });
    pools.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  test.each([
    ['loops', 'for (;;);'],
    ['never lets go of its microtasks', 'for (;;) await undefined;'],
    ['waits for ever', 'await new Promise(() => undefined);'],
  ])('the pool of threads ends a scenario that %s, keeps its trace so far, and plays the next one', async (_, forever) => {
    const pool = poolOf(`parentPort.postMessage({ line: 'begins' }); if (seed === 1) { ${forever} } end(seed);`, 1, 1_500);
    const [hung, next] = await Promise.all([pool.play(task(1)), pool.play(task(2))]);
    expect(hung).toMatchObject({
      seed: 1,
      trace: ['begins'],
      breach: { invariant: '0: a scenario comes to its end', sentences: ['It was still at work after 1.5 seconds of real time.'] },
    });
    expect(next?.seed).toBe(2);
    expect(next?.breach).toBeUndefined();
  });

  test.each([
    ['throws', 'throw new Error("as it was");', 'as it was'],
    ['ends its thread', 'process.exit(3);', 'Its thread ended.'],
  ])('the pool of threads reports a scenario that %s as a failure, and plays the next one', async (_, fault, sentence) => {
    const pool = poolOf(`if (seed === 1) { ${fault} } end(seed);`, 1);
    const [failed, next] = await Promise.all([pool.play(task(1)), pool.play(task(2))]);
    expect(failed?.breach?.sentences[0]).toContain(sentence);
    expect(next?.breach).toBeUndefined();
  });

  test('the pool of threads returns outcomes in the order of their seeds, and none after the last one wanted', async () => {
    const pool = poolOf('setTimeout(() => end(seed), seed % 3 === 0 ? 150 : 1);', 3);
    const taken: number[] = [];
    const take = ({ seed }: Outcome): boolean => {
      taken.push(seed);
      return seed < 9;
    };
    await playSeeds({ pool, level: 'many', seed: 3, goesOn: () => true, take });
    expect(taken).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  test('the pool of threads finishes and returns scenarios that are running when the run ends', async () => {
    const pool = poolOf('setTimeout(() => end(seed), 50 * (4 - seed));', 3);
    const taken: number[] = [];
    let calls = 0;
    const goesOn = () => ++calls <= 3;
    await playSeeds({ pool, level: 'many', seed: 1, goesOn, take: ({ seed }) => taken.push(seed) > 0 });
    expect(taken).toEqual([1, 2, 3]);
  });
});
