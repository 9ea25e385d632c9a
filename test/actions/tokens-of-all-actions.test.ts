import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { actionTable } from '../../functions/actions/index.ts';
import { allItems } from '../support/person.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { kindOf, readyCalls } from './every-action.ts';

let dashboard: Dashboard;
let receiver: Receiver;
/** Each group of tests compares all data, so its data should be small. */
const useDashboard = () => {
  beforeAll(async () => {
    [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  });
  afterAll(() => Promise.all([dashboard.stop(), receiver.stop()]));
};

const names = Object.keys(actionTable);
const of = (...kinds: readonly string[]): string[] => names.filter((name) => kinds.includes(kindOf(name)));

/** Everything that was sent. */
const outside = async () => {
  const depths = Object.entries(dashboard.services.queues).map(async ([name, queue]) => [name, await queue.depth()] as const);
  return {
    queues: Object.fromEntries(await Promise.all(depths)),
    messages: [...dashboard.messages],
    replayed: [...dashboard.replayed],
    // A repeated search.reindex lists documents again.
    requests: receiver.received().filter(({ body }) => body.length > 0).length,
  };
};
/** Everything that an action can change: both tables as stored, and everything that was sent. */
const world = async () => {
  const items = await allItems(dashboard);
  return { items: Object.fromEntries(items.map(({ key, item }) => [key, item])), ...(await outside()) };
};

/** Jest compares large objects ten times slower than Node, so it only shows their difference. */
const expectSame = (now: unknown, before: unknown): void => {
  if (!isDeepStrictEqual(now, before)) expect(now).toEqual(before);
};

let serial = 0;
const readyCall = async (name: string) => {
  const make = readyCalls[name];
  if (!make) throw new Error(`No call of ${name} is ready.`);
  serial += 1;
  return { action: name, ...(await make({ dashboard, receiver })), token: `token-${serial}` };
};

const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem']);
const writesOnWire = (): string[] => dashboard.wire.calls.flatMap(({ operation }) => (writes.has(operation) ? [operation] : []));

test('every action has a sample call', () => {
  expect(Object.keys(readyCalls).sort()).toEqual([...names].sort());
});

const asSent = (result: unknown): unknown => JSON.parse(JSON.stringify(result));

describe('two calls with one token', () => {
  useDashboard();

  test.each(of('decide', 'decideAlone', 'run'))(
    '%s makes its change once in two calls with one token, and returns the same response',
    async (name) => {
      const call = await readyCall(name);
      const before = await world();
      const first = await dashboard.call(call);
      expect(first).toMatchObject({ ok: true });
      const after = await world();
      expect(after).not.toEqual(before);
      dashboard.clock.advance(1000);
      expect(await dashboard.call(call)).toEqual(asSent(first));
      expectSame(await world(), after);
    },
  );

  test.each(of('resume'))('%s has nothing left to do in a second call with one token', async (name) => {
    const call = await readyCall(name);
    expect(await dashboard.call(call)).toMatchObject({ ok: true });
    // The progress of an erasure describes its last call.
    const others = async () => JSON.parse(JSON.stringify(await world(), (name, value) => (name.startsWith('era#') ? undefined : value)));
    const after = await others();
    dashboard.clock.advance(1000);
    expect(await dashboard.call(call)).toMatchObject({ ok: true });
    expectSame(await others(), after);
  });
});

describe('two simultaneous calls with one token', () => {
  useDashboard();

  test.each(of('decide'))('%s commits once in two simultaneous calls with one token, and returns the same response', async (name) => {
    const call = await readyCall(name);
    let landed = 0;
    dashboard.wire.intercept(async ({ operation }, send) => {
      const response = await send();
      if (operation === 'TransactWriteItems') landed += 1;
      return response;
    });
    const responses = await Promise.all([call, call, call].map(dashboard.call));
    dashboard.wire.intercept(undefined);
    expect(responses[0]).toMatchObject({ ok: true });
    expect([new Set(responses.map((response) => JSON.stringify(asSent(response)))).size, landed]).toEqual([1, 1]);
  });

  test.each(of('decideAlone', 'run'))(
    '%s runs once in two simultaneous calls with one token, and returns the same response',
    async (name) => {
      const call = await readyCall(name);
      const [first, second] = await Promise.all([call, call].map(dashboard.call));
      expect(first).toMatchObject({ ok: true });
      expect(asSent(second)).toEqual(asSent(first));
      const after = await world();
      await dashboard.call(call);
      expectSame(await world(), after);
    },
  );
});

describe('a single call', () => {
  useDashboard();

  test.each(of('decide'))('%s writes its change and response in one transaction', async (name) => {
    const call = await readyCall(name);
    dashboard.wire.reset();
    await dashboard.call(call);
    expect(writesOnWire()).toEqual(['TransactWriteItems']);
  });

  /** A search of the log takes one of the account's slots, and returns it. */
  const ownWrites: Readonly<Record<string, readonly string[]>> = {
    'request.list': ['PutItem', 'PutItem', 'DeleteItem', 'DeleteItem'],
  };
  test.each(of('read'))('%s only reads: it leaves no change and sends nothing', async (name) => {
    const call = await readyCall(name);
    const before = await world();
    dashboard.wire.reset();
    expect(await dashboard.call(call)).toMatchObject({ ok: true });
    const written = writesOnWire();
    expectSame([await world(), written], [before, ownWrites[name] ?? []]);
  });
});
