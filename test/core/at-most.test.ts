import { expect, test } from '@jest/globals';
import { atMost } from '../../shared/core/at-most.ts';

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

test('so many are begun, the next one each time one has ended, first come first served', async () => {
  const { begun, doors, work } = stage();
  const limited = atMost(2);
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

test('a failing task is reported alone, and the next one takes its place', async () => {
  const limited = atMost(1);
  const results = await Promise.allSettled([
    limited(() => Promise.reject(new Error('no'))),
    limited(() => {
      throw new Error('at once');
    }),
    limited(async () => 'yes'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('what comes later, when all have ended, begins at once', async () => {
  const limited = atMost(1);
  await limited(async () => {});
  const { begun, work } = stage();
  void limited(work(0));
  await settled();
  expect(begun).toEqual([0]);
});
