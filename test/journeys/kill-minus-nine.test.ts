import { expect, test } from '@jest/globals';
import { runDurability } from '../../bench/measure/durability.ts';

// bench/durability.ts is the longer run. It prints a table of its rounds.
test('a service that is killed at random moments under load delivers every acknowledged expense to every endpoint', async () => {
  const { acknowledged, lost, changedDuplicates, splitEvents } = await runDurability({ rounds: 2, writes: 60, endpoints: 3 });
  expect(acknowledged).toBeGreaterThan(0);
  expect({ lost, changedDuplicates, splitEvents }).toEqual({ lost: 0, changedDuplicates: 0, splitEvents: 0 });
});
