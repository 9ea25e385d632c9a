import { expect, test } from '@jest/globals';
import { limitParallel } from '../../shared/core/promises.ts';

/** Tasks that the test ends by hand, in their starting order. */
const stage = () => {
  const begun: number[] = [];
  const doors: PromiseWithResolvers<number>[] = [];
  const work = (i: number) => () => {
    begun.push(i);
    const door = Promise.withResolvers<number>();
    doors[i] = door;
    return door.promise;
  };
  return { begun, doors, work };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('limitParallel starts up to its limit of tasks, and the next one in order when one ends', async () => {
  const { begun, doors, work } = stage();
  const limited = limitParallel(2);
  const results = [0, 1, 2, 3].map((i) => limited(work(i)));
  await settled();
  expect(begun).toEqual([0, 1]);
  doors[1]?.resolve(1);
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  doors[0]?.resolve(0);
  await settled();
  for (const i of [2, 3]) doors[i]?.resolve(i);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test('limitParallel reports a failed task only to its caller, and starts the next one', async () => {
  const limited = limitParallel(1);
  const results = await Promise.allSettled([
    limited(() => Promise.reject(new Error('no'))),
    limited(() => {
      throw new Error('at once');
    }),
    limited(async () => 'yes'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('limitParallel starts a later task at once if no other is running', async () => {
  const limited = limitParallel(1);
  await limited(async () => {});
  const { begun, work } = stage();
  void limited(work(0));
  await settled();
  expect(begun).toEqual([0]);
});
