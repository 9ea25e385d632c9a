import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { EndpointOutcomes } from '../../shared/table/endpoint-stats.ts';
import { foldOutcomes } from '../../shared/webhooks/outcome.ts';
import { createEndpoint, endpointNow, takeSlots } from '../support/records.ts';
import type { Bench } from './engines.ts';

const url = (n: number) => `https://hooks.example.com/${n}`;

export const endpointSuite = (bench: () => Bench): void => {
  describe('endpoints', () => {
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

    test('an account accepts ten distinct URLs, and rejects the eleventh and a duplicate', async () => {
      const account = randomId('acct', 0);
      const made = await Promise.all([0, 1].map((n) => createEndpoint(bench(), account, url(n))));
      await expect(createEndpoint(bench(), account, url(1))).rejects.toMatchObject({ code: 'conflict' });
      for (let n = 2; n < 10; n++) await createEndpoint(bench(), account, url(n));
      await expect(createEndpoint(bench(), account, url(10))).rejects.toMatchObject({ code: 'invalid_value' });
      expect(await bench().store.endpoints.all(account)).toHaveLength(10);
      const [first] = made;
      if (!first) throw new Error('No endpoint was made.');
      await bench().store.commit(bench().store.endpoints.deleteWrites(first));
      await createEndpoint(bench(), account, url(0));
      await expect(bench().store.commit(bench().store.endpoints.deleteWrites(first))).rejects.toMatchObject({ code: 'not_found' });
    });

    test('a changed URL is free again, and a registered one stays with its endpoint', async () => {
      const { store } = bench();
      const account = randomId('acct', 0);
      const [a, b] = [await createEndpoint(bench(), account, url(1)), await createEndpoint(bench(), account, url(2))];
      await expect(store.commit(store.endpoints.updateWrites(a, { url: b.url }))).rejects.toMatchObject({ code: 'conflict' });
      await store.commit(store.endpoints.updateWrites(a, { url: url(3), description: 'moved' }));
      expect(await endpointNow(bench(), a)).toMatchObject({ url: url(3), description: 'moved' });
      await store.commit(store.endpoints.updateWrites(b, { url: url(1) }));
      await store.commit(store.endpoints.deleteWrites(await endpointNow(bench(), a)));
      await expect(store.commit(store.endpoints.updateWrites(a, { enabled: false }))).rejects.toMatchObject({ code: 'not_found' });
    });

    test('the list has pages, newest first', async () => {
      const account = randomId('acct', 0);
      const made = [];
      for (const n of [1, 2, 3]) {
        bench().clock.advance(1);
        made.unshift((await createEndpoint(bench(), account, url(n))).id);
      }
      const first = await bench().store.endpoints.list(account, { limit: 2 });
      expect(first.records.map(({ id }) => id)).toEqual(made.slice(0, 2));
      if (!first.next) throw new Error('There is no second page.');
      const second = await bench().store.endpoints.list(account, { limit: 2, after: first.next });
      expect(second).toMatchObject({ records: [{ id: made[2] }] });
      expect(second.next).toBeUndefined();
    });

    test('at most five slots are leased, and only if the endpoint did not change since it was read', async () => {
      const { clock } = bench();
      const endpoint = await endpointNow(bench(), await createEndpoint(bench(), randomId('acct', 0), url(1)));
      const untilMs = clock.now() + 1_000;
      const take = async (count: number, read = endpoint) => (await takeSlots(bench(), read, count, untilMs)).slots;
      expect(await take(3)).toEqual([0, 1, 2]);
      expect(await take(1)).toEqual([]);
      expect(await take(9, await endpointNow(bench(), endpoint))).toEqual([3, 4]);
      expect(await take(1, await endpointNow(bench(), endpoint))).toEqual([]);
      clock.advance(1_000);
      expect(await take(9, await endpointNow(bench(), endpoint))).toEqual([0, 1, 2, 3, 4]);
    });

    test('a repeated lease finds its own slots and no others', async () => {
      const { store, clock } = bench();
      const endpoint = await endpointNow(bench(), await createEndpoint(bench(), randomId('acct', 0), url(1)));
      const untilMs = clock.now() + 1_000;
      const acquire = async (token: string, slots = [0, 1]) =>
        (await store.endpoints.acquireSlots(endpoint, { slots, mostFailures: 5, idle: [] }, [untilMs, token])).taken;
      expect([await acquire('mine'), await acquire('mine'), await acquire('other'), await acquire('mine', [1, 2])]).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect((await endpointNow(bench(), endpoint)).slots).toEqual([[untilMs, 'mine'], [untilMs, 'mine'], null, null, null]);
      await store.commit(store.endpoints.deleteWrites(endpoint));
      expect(await acquire('mine')).toBe(false);
    });

    test('outcomes are counted once, and the tenth failure in a row disables the endpoint', async () => {
      const { store, clock } = bench();
      const endpoint = await createEndpoint(bench(), randomId('acct', 0), url(1));
      const at = new Date(clock.now()).toISOString();
      const count = async (failures: number, successes = 0): Promise<boolean> => {
        const taken = await takeSlots(bench(), await endpointNow(bench(), endpoint), 1);
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
      expect(await endpointNow(bench(), endpoint)).toMatchObject({ success_count: 1, failure_count: 4, consecutive_failures: 0 });
      expect(await count(9)).toBe(false);
      expect(await count(1)).toBe(true);
      expect(await endpointNow(bench(), endpoint)).toMatchObject({
        enabled: false,
        disabled_reason: 'consecutive_failures',
        failure_count: 14,
        consecutive_failures: 10,
        last_failure_at: at,
      });
    });

    test('failures after the last success of an invocation become the count', async () => {
      const endpoint = await createEndpoint(bench(), randomId('acct', 0), url(1));
      const counted = async (letters: string) => {
        const folded = foldOutcomes([...letters].map((letter) => (letter === 's' ? 'success' : 'failure')));
        const taken = await takeSlots(bench(), await endpointNow(bench(), endpoint), 1);
        await bench().store.endpointStats.record(endpoint.account, endpoint.id, outcomes({ ...folded, ...taken }));
        return (await endpointNow(bench(), endpoint)).consecutive_failures;
      };
      expect([await counted('ff'), await counted('fffsf'), await counted('ff'), await counted('s')]).toEqual([2, 1, 3, 0]);
    });

    test('outcomes of slots that expired and were leased again are not counted', async () => {
      const { store, clock } = bench();
      const endpoint = await createEndpoint(bench(), randomId('acct', 0), url(1));
      const lease = async () => takeSlots(bench(), await endpointNow(bench(), endpoint), 5, clock.now() + 1_000);
      const late = await lease();
      clock.advance(1_000);
      const next = await lease();
      expect(next.slots).toHaveLength(5);
      await store.endpointStats.record(
        endpoint.account,
        endpoint.id,
        outcomes({ failures: 5, leadingFailures: 5, trailingFailures: 5, ...late }),
      );
      expect(await endpointNow(bench(), endpoint)).toMatchObject({ failure_count: 0 });
      await store.endpointStats.record(endpoint.account, endpoint.id, outcomes({ successes: 1, ...next }));
      expect(await endpointNow(bench(), endpoint)).toMatchObject({ success_count: 1, slots: [null, null, null, null, null] });
    });

    test('outcomes neither replace the reason of an owner who disabled the endpoint, nor restore a deleted one', async () => {
      const { store } = bench();
      const endpoint = await createEndpoint(bench(), randomId('acct', 0), url(1));
      const failTen = outcomes({ failures: 10, leadingFailures: 10, trailingFailures: 10 });
      const [first, second] = [await takeSlots(bench(), endpoint, 1), await takeSlots(bench(), await endpointNow(bench(), endpoint), 1)];
      const { updated_at } = endpoint;
      await store.commit(store.endpoints.updateWrites(endpoint, { enabled: false, disabled_reason: null, updated_at }));
      expect(await store.endpointStats.record(endpoint.account, endpoint.id, { ...failTen, ...first })).toBe(false);
      expect(await endpointNow(bench(), endpoint)).toMatchObject({ enabled: false, disabled_reason: null, failure_count: 10 });
      await store.commit(store.endpoints.deleteWrites(endpoint));
      expect(await store.endpointStats.record(endpoint.account, endpoint.id, { ...failTen, ...second })).toBe(false);
      expect(await store.endpoints.get(endpoint.account, endpoint.id)).toBeUndefined();
    });
  });
};
