import { expect, test } from '@jest/globals';
import { measureFairness } from '../support/fairness.ts';

/**
 * The small form of bench/fairness.ts without its clock: tests which receivers are served while
 * others hang.
 */
test("a backlog at an endpoint that hangs does not hold up another account's deliveries", async () => {
  const { hanging, ended } = await measureFairness({ backlog: 60, deliveries: 20 });
  expect({ hanging, ended }).toEqual({ hanging: 5, ended: 0 });
});
