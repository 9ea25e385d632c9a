import { expect, test } from '@jest/globals';
import { scaleOf } from '../../pages/developers/src/webhooks/scale.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [41, [0, 20, 40, 60]],
  [100, [0, 50, 100]],
  [1_000, [0, 500, 1_000]],
  [9_999, [0, 5_000, 10_000]],
])('the scale of a highest count of %d is %j', (highest, scale) => {
  expect(scaleOf(highest)).toEqual(scale);
});
