import { expect, test } from '@jest/globals';
import { follow } from '../../ops/invoke.ts';

/** A service with scripted responses; the last one repeats. */
const serviceOf = (...script: readonly object[]) => {
  const calls: unknown[] = [];
  const invoke = async (input: unknown) => {
    calls.push(input);
    return structuredClone(script[Math.min(calls.length, script.length) - 1]);
  };
  return { calls, invoke };
};
const page = (next_cursor: string) => ({ redelivered: 1, left: 1, orders: [1], has_more: true, next_cursor });

test.each(['account.export', 'webhook.redeliver_failed'])('%s fails if a cursor comes twice', async (action) => {
  for (const script of [[page('a')], [page('a'), page('b'), page('a')]]) {
    const { calls, invoke } = serviceOf(...script);
    await expect(follow(action, invoke, {})).rejects.toThrow('the same cursor twice');
    expect(calls.length).toBeLessThan(4);
  }
});

test.each(['account.erase', 'customer.erase'])('%s ends with its last result if it makes no progress', async (action) => {
  const waiting = { erased: false, removed: 0 };
  const { calls, invoke } = serviceOf({ erased: false, removed: 5 }, waiting);
  expect(await follow(action, invoke, {})).toEqual(waiting);
  expect(calls).toHaveLength(4);
});

test('customer.erase ends if it makes no progress, also if the fields come in another order each time', async () => {
  const [one, other] = [
    { erased: false, orders: 1, events: 2 },
    { events: 2, erased: false, orders: 1 },
  ];
  const { calls, invoke } = serviceOf(one, other, one, { erased: true });
  expect(await follow('customer.erase', invoke, {})).toEqual(one);
  expect(calls).toHaveLength(3);
});

test.each(['account.erase', 'customer.erase'])('%s is repeated until it is complete', async (action) => {
  const parts = [7, 7, 3, 0].map((removed) => ({ erased: false, removed }));
  const { calls, invoke } = serviceOf(...parts, { erased: true, removed: 0 });
  expect(await follow(action, invoke, {})).toEqual({ erased: true, removed: 0 });
  expect(calls).toHaveLength(5);
});
