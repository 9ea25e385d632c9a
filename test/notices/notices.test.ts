import { beforeEach, describe, expect, test } from '@jest/globals';
import { sweep } from '../../functions/sweep/app.ts';
import type { Notice } from '../../shared/domain/account/notice.ts';
import type { NoticeBus } from '../../shared/providers/notice-bus.ts';
import { useDelivery } from '../support/delivery.ts';
import type { World } from '../support/world.ts';

// Guarantee 23 (docs/guarantees.md)

const t = useDelivery({ notices: true });
const dayMs = 86_400_000;

/** A bus that stores the notices it accepts, and a sweep that sends to it. */
const openBus = (world: World) => {
  const sent: Notice[] = [];
  let accept: NoticeBus['publish'] = async (notices) => notices;
  const noticeBus: NoticeBus = {
    async publish(notices) {
      const accepted = await accept(notices);
      sent.push(...accepted);
      return accepted;
    },
  };
  const run = sweep({ ...world.services, queue: { send: async () => {} }, act: async () => {}, noticeBus } as unknown as Parameters<
    typeof sweep
  >[0]);
  return {
    /** The notices about the test's account that the bus accepted. */
    sent: () => sent.filter(({ account }) => account === t.account.id),
    scripted: (next: NoticeBus['publish']) => {
      accept = next;
    },
    keep: (notices: readonly Notice[]) => sent.push(...notices),
    run,
  };
};
let bus: ReturnType<typeof openBus>;
beforeEach(() => {
  bus = openBus(t.world);
});

const isAbout = (type: Notice['type']) => (notice: Notice) => notice.type === type;
const listed = async () => (await t.world.store.notices.list(t.account.id, { limit: 50 })).records;
const failTenTimes = async () => {
  t.hook.respondWith(500);
  await t.publish(10);
  await t.pipeline.drain();
  expect(await t.endpointNow()).toMatchObject({ enabled: false });
};

describe('an endpoint that the service disables after ten failures', () => {
  test('an endpoint that the service disables after ten failures causes one notice, which is sent once', async () => {
    await failTenTimes();
    await bus.run();
    await bus.run();
    expect(bus.sent()).toHaveLength(2);
    expect(bus.sent().filter(isAbout('Webhook Endpoint Disabled'))).toEqual([
      {
        id: expect.stringMatching(/^ntc_[0-9a-z]{26}$/),
        account: t.account.id,
        type: 'Webhook Endpoint Disabled',
        endpoint: t.endpoint.id,
        reason: 'consecutive_failures',
        time: t.isoAfter(0),
      },
    ]);
    expect(new Set(await listed())).toEqual(new Set(bus.sent()));
  });

  test('an endpoint that the service disables after ten failures causes another notice each time', async () => {
    await failTenTimes();
    t.world.clock.advance(1000);
    const key = await t.world.createKey(t.account.id);
    await t.world.request('PATCH', `/webhooks/${t.endpoint.id}`, { key, body: { enabled: true } });
    await failTenTimes();
    await bus.run();
    expect(
      new Set(
        bus
          .sent()
          .filter(isAbout('Webhook Endpoint Disabled'))
          .map(({ id }) => id),
      ).size,
    ).toBe(2);
  });
});

describe('an endpoint that fails five times in a row', () => {
  const failing = async () => (await listed()).filter(isAbout('Webhook Endpoint Failing'));
  const deliver = async (status: number, count: number) => {
    t.hook.respondWith(status);
    t.world.clock.advance(1);
    await t.publish(count);
    await t.pipeline.drain();
  };

  test('the fifth failure in a row causes one notice with the last outcome, and the sixth to ninth none', async () => {
    await deliver(500, 4);
    expect(await failing()).toEqual([]);
    await deliver(503, 1);
    const time = t.isoAfter(0);
    await deliver(500, 4);
    await bus.run();
    const notice = {
      id: expect.stringMatching(/^ntc_[0-9a-z]{26}$/),
      account: t.account.id,
      type: 'Webhook Endpoint Failing',
      endpoint: t.endpoint.id,
      reason: 'consecutive_failures',
      event_type: 'expense.created',
      last_status_code: 503,
      last_error: 'http_error',
      time,
    };
    expect([bus.sent(), await listed()]).toEqual([[notice], [notice]]);
    expect(await t.endpointNow()).toMatchObject({ enabled: true, consecutive_failures: 9 });
  });

  test('five failures of one invocation cause one notice', async () => {
    await deliver(500, 5);
    expect(await failing()).toHaveLength(1);
  });

  test.each([
    ['a success', () => deliver(200, 1)],
    [
      'PATCH enabled: true',
      async () => {
        const key = await t.world.createKey(t.account.id);
        await t.world.request('PATCH', `/webhooks/${t.endpoint.id}`, { key, body: { enabled: true } });
      },
    ],
  ])('another fifth failure causes another notice only after %s', async (_, end) => {
    await deliver(500, 6);
    await end();
    await deliver(500, 4);
    expect(await failing()).toHaveLength(1);
    await deliver(500, 1);
    expect(new Set((await failing()).map(({ id }) => id)).size).toBe(2);
  });

  test('an endpoint that its owner disabled during its attempts causes no notice', async () => {
    await deliver(500, 4);
    t.hook.respondWith(async () => {
      await t.world.store.commit(t.world.store.endpoints.updateWrites(await t.endpointNow(), { enabled: false, disabled_reason: null }));
      return 500;
    });
    await t.publish();
    await t.pipeline.drain();
    expect([await failing(), await t.endpointNow()]).toMatchObject([[], { enabled: false, consecutive_failures: 5 }]);
  });
});

test('an endpoint that its owner disables causes no notice', async () => {
  const key = await t.world.createKey(t.account.id);
  await t.world.request('PATCH', `/webhooks/${t.endpoint.id}`, { key, body: { enabled: false } });
  expect(await listed()).toEqual([]);
});

describe('the bus', () => {
  test('a run fails if the bus accepts only some notices, and the next run sends the others', async () => {
    await failTenTimes();
    bus.scripted(async () => []);
    await expect(bus.run()).rejects.toThrow('The event bus rejected');
    expect(bus.sent()).toEqual([]);
    bus.scripted(async (notices) => notices);
    await bus.run();
    expect(bus.sent()).toHaveLength(2);
  });

  test('the bus accepts a notice but its response is lost: the next run sends it again with the same id', async () => {
    await failTenTimes();
    bus.scripted(async (notices) => {
      bus.keep(notices);
      throw new Error('No response.');
    });
    await expect(bus.run()).rejects.toThrow('No response.');
    bus.scripted(async (notices) => notices);
    await bus.run();
    expect(bus.sent()).toHaveLength(4);
    expect(new Set(bus.sent().map(({ id }) => id)).size).toBe(2);
  });
});

describe('a key', () => {
  const use = (key: string) => t.world.request('GET', '/expenses', { key });

  test('a key that is used after 90 days without use causes one notice', async () => {
    const key = await t.world.createKey(t.account.id);
    await use(key);
    t.world.clock.advance(90 * dayMs);
    await use(key);
    await use(key);
    expect(await listed()).toMatchObject([
      { type: 'API Key Used After Rest', reason: 'unused_for_90_days', key: expect.stringMatching(/^key_/) },
    ]);
  });

  test('a key that is first used 90 days after it was created causes a notice', async () => {
    const key = await t.world.createKey(t.account.id);
    t.world.clock.advance(90 * dayMs);
    await use(key);
    expect(await listed()).toHaveLength(1);
  });

  test('a key that is used again after 89 days causes no notice', async () => {
    const key = await t.world.createKey(t.account.id);
    for (let i = 0; i < 3; i++) {
      await use(key);
      t.world.clock.advance(89 * dayMs);
    }
    expect(await listed()).toEqual([]);
  });

  const ending = (days: number) => ({ expires_at: t.isoAfter(days * dayMs) });
  const stored = async () => {
    const [key] = await t.world.store.apiKeys.list(t.account.id);
    if (!key) throw new Error('There is no key.');
    return key;
  };
  const changeOf = (key: Awaited<ReturnType<typeof stored>>, fields: object) =>
    t.world.store.commit(t.world.store.apiKeys.updateWrites(key, { ...fields, updated_at: t.isoAfter(1) }));
  const change = async (fields: object) => changeOf(await stored(), fields);

  test('a key causes a notice seven days before it expires, and not earlier', async () => {
    const { expires_at } = ending(10);
    await t.world.createKey(t.account.id, { expires_at });
    await bus.run();
    expect([bus.sent(), await listed()]).toEqual([[], []]);
    t.world.clock.advance(3 * dayMs);
    await bus.run();
    expect(bus.sent()).toMatchObject([{ type: 'API Key Expiring', time: expires_at, reason: 'expires_in_7_days' }]);
    expect(await listed()).toEqual(bus.sent());
  });

  test('a key that expires within seven days causes its notice at once', async () => {
    await t.world.createKey(t.account.id, ending(2));
    await bus.run();
    expect(bus.sent()).toHaveLength(1);
  });

  test.each([
    ['is revoked', () => ({ revoked_at: t.isoAfter(0) })],
    ['never ends', () => ({ expires_at: null })],
    ['ends later', () => ending(30)],
  ])('a key that %s meanwhile causes no notice on the former day', async (_, fields) => {
    await t.world.createKey(t.account.id, ending(10));
    await change(fields());
    t.world.clock.advance(3 * dayMs);
    await bus.run();
    expect(bus.sent()).toEqual([]);
  });

  test('a key rejects a new expiry that was decided on an outdated one', async () => {
    await t.world.createKey(t.account.id, ending(10));
    const read = await stored();
    await change({ revoked_at: t.isoAfter(0) });
    await expect(changeOf(read, ending(20))).rejects.toThrow('changed at the same time');
    t.world.clock.advance(13 * dayMs);
    await bus.run();
    expect(bus.sent()).toEqual([]);
  });
});

test('a notice is kept for 30 days', async () => {
  await failTenTimes();
  t.world.clock.advance(30 * dayMs);
  expect(await listed()).toEqual([]);
});
