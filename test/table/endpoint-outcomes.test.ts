import { expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { EndpointOutcomes } from '../../shared/table/endpoint-stats.ts';
import { createEndpoint, endpointNow, takeSlots } from '../support/records.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
const url = (n: number) => `https://hooks.example.com/${n}`;
const outcomes = (fields: Partial<EndpointOutcomes>): EndpointOutcomes => ({
  successes: 0,
  failures: 0,
  leadingFailures: 0,
  trailingFailures: 0,
  longestRunAfterFirstSuccess: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  slots: [],
  lease: [0, ''],
  ...fields,
});

test('at most five slots are leased, and only if the endpoint did not change since it was read', async () => {
  const { clock } = world;
  const endpoint = await endpointNow(world, await createEndpoint(world, randomId('acct', 0), url(1)));
  const untilMs = clock.now() + 1_000;
  const take = async (count: number, read = endpoint) => (await takeSlots(world, read, count, untilMs)).slots;
  expect(await take(3)).toEqual([0, 1, 2]);
  expect(await take(1)).toEqual([]);
  expect(await take(9, await endpointNow(world, endpoint))).toEqual([3, 4]);
  expect(await take(1, await endpointNow(world, endpoint))).toEqual([]);
  clock.advance(1_000);
  expect(await take(9, await endpointNow(world, endpoint))).toEqual([0, 1, 2, 3, 4]);
});

test('a repeated lease finds its own slots and no others', async () => {
  const { store, clock } = world;
  const endpoint = await endpointNow(world, await createEndpoint(world, randomId('acct', 0), url(1)));
  const untilMs = clock.now() + 1_000;
  const acquire = async (token: string, slots = [0, 1]) =>
    (await store.endpoints.acquireSlots(endpoint, { slots, maxFailures: 5, idle: [] }, [untilMs, token])).taken;
  expect([await acquire('mine'), await acquire('mine'), await acquire('other'), await acquire('mine', [1, 2])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect((await endpointNow(world, endpoint)).slots).toEqual([[untilMs, 'mine'], [untilMs, 'mine'], null, null, null]);
  await store.commit(store.endpoints.deleteWrites(endpoint));
  expect(await acquire('mine')).toBe(false);
});

test('outcomes are counted once, and the tenth failure in a row disables the endpoint', async () => {
  const { store, clock } = world;
  const endpoint = await createEndpoint(world, randomId('acct', 0), url(1));
  const at = new Date(clock.now()).toISOString();
  const count = async (failures: number, successes = 0): Promise<boolean> => {
    const taken = await takeSlots(world, await endpointNow(world, endpoint), 1);
    const counted = outcomes({
      ...{ failures, successes, ...taken, lastFailureAt: failures ? at : null, lastSuccessAt: successes ? at : null },
      ...{ leadingFailures: failures, trailingFailures: successes ? 0 : failures },
    });
    const disabled = await store.endpointStats.record(endpoint.account, endpoint.id, counted);
    expect(await store.endpointStats.record(endpoint.account, endpoint.id, counted)).toBe(false);
    return disabled;
  };
  expect(await count(4)).toBe(false);
  expect(await count(0, 1)).toBe(false);
  expect(await endpointNow(world, endpoint)).toMatchObject({ success_count: 1, failure_count: 4, consecutive_failures: 0 });
  expect(await count(9)).toBe(false);
  expect(await count(1)).toBe(true);
  expect(await endpointNow(world, endpoint)).toMatchObject({
    enabled: false,
    disabled_reason: 'consecutive_failures',
    failure_count: 14,
    consecutive_failures: 10,
    last_failure_at: at,
  });
});

test('outcomes of slots that expired and were leased again are not counted', async () => {
  const { store, clock } = world;
  const endpoint = await createEndpoint(world, randomId('acct', 0), url(1));
  const lease = async () => takeSlots(world, await endpointNow(world, endpoint), 5, clock.now() + 1_000);
  const late = await lease();
  clock.advance(1_000);
  const next = await lease();
  expect(next.slots).toHaveLength(5);
  await store.endpointStats.record(
    endpoint.account,
    endpoint.id,
    outcomes({ failures: 5, leadingFailures: 5, trailingFailures: 5, ...late }),
  );
  expect(await endpointNow(world, endpoint)).toMatchObject({ failure_count: 0 });
  await store.endpointStats.record(endpoint.account, endpoint.id, outcomes({ successes: 1, ...next }));
  expect(await endpointNow(world, endpoint)).toMatchObject({ success_count: 1, slots: [null, null, null, null, null] });
});

test('outcomes neither replace the reason of an owner who disabled the endpoint, nor restore a deleted one', async () => {
  const { store } = world;
  const endpoint = await createEndpoint(world, randomId('acct', 0), url(1));
  const failTen = outcomes({ failures: 10, leadingFailures: 10, trailingFailures: 10 });
  const [first, second] = [await takeSlots(world, endpoint, 1), await takeSlots(world, await endpointNow(world, endpoint), 1)];
  const { updated_at } = endpoint;
  await store.commit(store.endpoints.updateWrites(endpoint, { enabled: false, disabled_reason: null, updated_at }));
  expect(await store.endpointStats.record(endpoint.account, endpoint.id, { ...failTen, ...first })).toBe(false);
  expect(await endpointNow(world, endpoint)).toMatchObject({ enabled: false, disabled_reason: null, failure_count: 10 });
  await store.commit(store.endpoints.deleteWrites(endpoint));
  expect(await store.endpointStats.record(endpoint.account, endpoint.id, { ...failTen, ...second })).toBe(false);
  expect(await store.endpoints.get(endpoint.account, endpoint.id)).toBeUndefined();
});

test('an owner who disables the endpoint while its tenth failure is counted stays the one who did', async () => {
  const { store, wire } = world;
  const endpoint = await createEndpoint(world, randomId('acct', 0), url(1));
  const taken = await takeSlots(world, endpoint, 1);
  wire.intercept(async (_call, next) => {
    wire.intercept(undefined);
    // The first write only counts, so it fails at an endpoint that it would disable.
    const failure = await next().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ConditionalCheckFailedException' });
    const { updated_at } = endpoint;
    await store.commit(store.endpoints.updateWrites(endpoint, { enabled: false, disabled_reason: null, updated_at }));
    throw failure;
  });
  const tenth = outcomes({ failures: 10, leadingFailures: 10, trailingFailures: 10, ...taken });
  expect(await store.endpointStats.record(endpoint.account, endpoint.id, tenth)).toBe(false);
  expect(await endpointNow(world, endpoint)).toMatchObject({ enabled: false, disabled_reason: null, failure_count: 10 });
});
