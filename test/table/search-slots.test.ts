import { expect, test } from '@jest/globals';
import { maxSearches, regionPool } from '../../shared/table/search-slots.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

/** Work that lasts until the test ends it. */
const hold = () => {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const search = world.store.searchSlots.runInSlot(regionPool, maxSearches, () => {
    begun.resolve();
    return end.promise;
  });
  return { begun: begun.promise, resolve: end.resolve, search };
};
const fill = async () => {
  const searches = Array.from({ length: maxSearches }, hold);
  await Promise.all(searches.map(({ begun }) => begun));
  return searches;
};

test('ten searches run at once, and an eleventh starts after one has ended', async () => {
  const searches = await fill();
  const eleventh = () => world.store.searchSlots.runInSlot(regionPool, maxSearches, async () => 'done');
  expect(await eleventh()).toBeUndefined();
  searches[0]?.resolve('ended');
  expect(await searches[0]?.search).toBe('ended');
  expect(await eleventh()).toBe('done');
  for (const { resolve } of searches) resolve('ended');
  expect(await Promise.all(searches.map(({ search }) => search))).toEqual(Array(maxSearches).fill('ended'));
});

test('a search that failed frees its slot', async () => {
  for (let i = 0; i <= maxSearches; i++)
    await expect(world.store.searchSlots.runInSlot(regionPool, maxSearches, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
});

test('slots of a process that died are free after 40 s', async () => {
  const searches = await fill();
  world.clock.advance(40_001);
  expect(await world.store.searchSlots.runInSlot(regionPool, maxSearches, async () => 'done')).toBe('done');
  for (const { resolve } of searches) resolve('ended');
  await Promise.all(searches.map(({ search }) => search));
});
