import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { autoDisableAfter, type Endpoint } from '../../shared/domain/webhook/record.ts';
import { foldOutcomes, type Outcome } from '../../shared/webhooks/outcome.ts';
import { createEndpoint, endpointNow, takeSlots } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let account: string;
let endpoint: Endpoint;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = (await world.createAccount()).id;
  endpoint = await createEndpoint(world, account, 'https://hook.example.com/');
});

/** Leases slots, as an invocation does. Returns a function that counts outcomes with them. */
const take = async (wanted = 1) => {
  world.clock.advance(1);
  const { slots, lease } = await takeSlots(world, await endpointNow(world, endpoint), wanted);
  const record = (outcomes: readonly Outcome[]) => {
    const at = (outcome: Outcome) => (outcomes.includes(outcome) ? new Date(world.clock.now()).toISOString() : null);
    const ends = { lastSuccessAt: at('success'), lastFailureAt: at('failure') };
    return world.store.endpointStats.record(account, endpoint.id, { ...foldOutcomes(outcomes), ...ends, slots, lease });
  };
  return { slots, record };
};
/** Counts one outcome by the rule of the specification. */
const countOne = (expected: { -readonly [Name in keyof Counted]: Counted[Name] }, outcome: Outcome): void => {
  expected.consecutive_failures = outcome === 'success' ? 0 : expected.consecutive_failures + 1;
  expected[outcome === 'success' ? 'success_count' : 'failure_count'] += 1;
  if (expected.consecutive_failures >= autoDisableAfter) expected.enabled = false;
};
type Counted = Pick<Endpoint, 'success_count' | 'failure_count' | 'consecutive_failures' | 'enabled'>;
const failures = (count: number): Outcome[] => Array(count).fill('failure');

describe('counting', () => {
  test('the outcomes of invocations one after another equals counting them one by one', async () => {
    const rounds = fc.array(fc.array(fc.constantFrom<Outcome>('success', 'failure', 'failure', 'failure'), { maxLength: 12 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(rounds, async (invocations) => {
        account = (await world.createAccount()).id;
        endpoint = await createEndpoint(world, account, 'https://hook.example.com/');
        const expected = { success_count: 0, failure_count: 0, consecutive_failures: 0, enabled: true };
        for (const outcomes of invocations) {
          const { record } = await take();
          for (const outcome of outcomes) countOne(expected, outcome);
          expect(await record(outcomes)).toBe(!expected.enabled);
          if (!expected.enabled) break;
        }
        expect(await endpointNow(world, endpoint)).toMatchObject({ ...expected, slots: [null, null, null, null, null] });
      }),
      { numRuns: 40 },
    );
  });

  test('several invocations at once loses no outcome', async () => {
    const taken = [await take(), await take(), await take(), await take(), await take()];
    await Promise.all(taken.map(({ record }) => record(['failure'])));
    expect(await endpointNow(world, endpoint)).toMatchObject({
      failure_count: 5,
      consecutive_failures: 5,
      slots: [null, null, null, null, null],
    });
  });

  test('with slots that were already returned changes nothing', async () => {
    const { record } = await take();
    await record(['failure']);
    await record(['failure']);
    expect(await endpointNow(world, endpoint)).toMatchObject({ failure_count: 1, consecutive_failures: 1 });
  });

  test('with expired slots that another invocation holds changes nothing', async () => {
    const late = await take(5);
    world.clock.advance(90_000);
    const next = await take(5);
    expect(next.slots).toHaveLength(5);
    await late.record(failures(5));
    expect(await endpointNow(world, endpoint)).toMatchObject({ failure_count: 0 });
    await next.record(['success']);
    expect(await endpointNow(world, endpoint)).toMatchObject({ success_count: 1, slots: [null, null, null, null, null] });
  });

  test('no outcome only returns the slots', async () => {
    const { record } = await take(2);
    await record([]);
    expect(await endpointNow(world, endpoint)).toEqual({ ...endpoint, slots: [null, null, null, null, null] });
  });

  test('for an endpoint that was deleted meanwhile does not create it again', async () => {
    const { record } = await take();
    await world.store.commit(world.store.endpoints.deleteWrites(endpoint));
    expect(await record(['failure'])).toBe(false);
    expect(await world.store.endpoints.get(account, endpoint.id)).toBeUndefined();
  });

  test('for an endpoint that its owner disabled meanwhile keeps the owner’s reason', async () => {
    const { record } = await take(5);
    const changes = { enabled: false, disabled_reason: null, updated_at: endpoint.updated_at };
    await world.store.commit(world.store.endpoints.updateWrites(endpoint, changes));
    expect(await record(failures(10))).toBe(false);
    expect(await endpointNow(world, endpoint)).toMatchObject({ enabled: false, disabled_reason: null, failure_count: 10 });
  });
});

describe('slots', () => {
  test('are five, and one invocation holds each', async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, () => take(3)));
    const slots = taken.flatMap(({ slots }) => slots);
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots.length).toBeLessThanOrEqual(5);
  });

  test.each([
    [0, 5],
    [5, 5],
    [6, 4],
    [8, 2],
    [9, 1],
  ])('are, after %i failures in a row, %i', async (failed, room) => {
    if (failed > 0) await (await take()).record(failures(failed));
    expect((await take(5)).slots).toHaveLength(room);
  });

  test('never allow more attempts at a time than failures are left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }), async (wishes) => {
        account = (await world.createAccount()).id;
        endpoint = await createEndpoint(world, account, 'https://hook.example.com/');
        const held = [];
        let inFlight = 0;
        for (const [i, wanted] of wishes.entries()) {
          const taken = await take(wanted);
          if (taken.slots.length > 0) held.push(taken);
          inFlight += taken.slots.length;
          const { consecutive_failures } = await endpointNow(world, endpoint);
          expect(consecutive_failures + inFlight).toBeLessThanOrEqual(autoDisableAfter);
          const oldest = i % 2 === 1 ? held.shift() : undefined;
          if (oldest) {
            await oldest.record(failures(oldest.slots.length));
            inFlight -= oldest.slots.length;
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
