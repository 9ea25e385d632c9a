import { beforeEach, describe, expect, test } from '@jest/globals';
import { actions } from '../../functions/actions/app.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import { context } from '../support/context.ts';
import { shared } from '../support/shared.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
beforeEach(async () => {
  for (const queue of Object.values(dashboard.services.queues))
    for (let messages = await queue.receive(); messages.length > 0; messages = await queue.receive()) await queue.remove(messages);
});

const bodyOf = (event: string) => encodeMessage({ account: 'acct_1', endpoint: 'whe_1', event, run: 1, attempt: 0 });
const put = (queue: keyof Dashboard['services']['queues'], count: number, groupId = 'acct_1') =>
  dashboard.services.queues[queue].send(Array.from({ length: count }, (_, i) => ({ body: bodyOf(`evt_${i}`), groupId })));
const depth = async (name: string) =>
  ((await dashboard.act('queue.status', undefined))['data'] as { queue: string; waiting: number }[]).find(({ queue }) => queue === name);

describe('queue.status', () => {
  test('queue.status counts waiting, in-flight and delayed messages in every queue of the region', async () => {
    await put('delivery', 3);
    await dashboard.services.queues.delivery.send([{ body: 'later', groupId: 'a', delaySeconds: 60 }]);
    await put('search-dead-letters', 1);
    const leased = await dashboard.services.queues['search-dead-letters'].receive();
    expect((await dashboard.act('queue.status', undefined))['data']).toEqual([
      { queue: 'delivery', waiting: 3, in_flight: 0, delayed: 1 },
      { queue: 'delivery-dead-letters', waiting: 0, in_flight: 0, delayed: 0 },
      { queue: 'search', waiting: 0, in_flight: 0, delayed: 0 },
      { queue: 'search-dead-letters', waiting: 0, in_flight: 1, delayed: 0 },
      { queue: 'sweep-failures', waiting: 0, in_flight: 0, delayed: 0 },
      { queue: 'parking-notices', waiting: 0, in_flight: 0, delayed: 0 },
    ]);
    await dashboard.services.queues['search-dead-letters'].release(leased);
    dashboard.clock.advance(60_000);
  });
});

describe('queue.peek', () => {
  test('queue.peek shows dead letters in readable form and leaves them there', async () => {
    await put('delivery-dead-letters', 1);
    await dashboard.services.queues['delivery-dead-letters'].send([{ body: 'no json', groupId: 'acct_2' }]);
    const { data } = await dashboard.act('queue.peek', undefined, { queue: 'delivery-dead-letters' });
    expect(data).toEqual([
      {
        id: expect.any(String),
        account: 'acct_1',
        sent_at: new Date(dashboard.clock.now()).toISOString(),
        receives: 1,
        body: { v: 1, account: 'acct_1', endpoint: 'whe_1', event: 'evt_0', run: 1, attempt: 0 },
      },
      expect.objectContaining({ account: 'acct_2', body: 'no json' }),
    ]);
    expect(await depth('delivery-dead-letters')).toMatchObject({ waiting: 2, in_flight: 0 });
  });

  test('queue.peek shows at most limit messages', async () => {
    await put('delivery-dead-letters', 12);
    expect((await dashboard.act('queue.peek', undefined, { queue: 'delivery-dead-letters', limit: 11 }))['data']).toHaveLength(11);
    expect(await depth('delivery-dead-letters')).toMatchObject({ waiting: 12 });
  });

  test.each(['delivery', 'search', 'none'])('queue.peek rejects "%s", which is not a queue that operators may read', async (queue) => {
    expect(await dashboard.errorOf('queue.peek', undefined, { queue })).toMatchObject({ status: 400, field: 'queue' });
  });
});

describe('queue.redrive', () => {
  test.each([
    ['delivery-dead-letters', 'delivery'],
    ['search-dead-letters', 'search'],
  ] as const)('queue.redrive moves %s back to %s with the same bodies and groups', async (from, to) => {
    await put(from, 25);
    expect(await dashboard.act('queue.redrive', undefined, { queue: from })).toEqual({ queue: from, redriven: 25, left: 0 });
    const bodies: string[] = [];
    for (
      let messages = await dashboard.services.queues[to].receive();
      messages.length > 0;
      messages = await dashboard.services.queues[to].receive()
    )
      bodies.push(...messages.filter(({ groupId }) => groupId === 'acct_1').map(({ body }) => body));
    expect(new Set(bodies)).toEqual(new Set(Array.from({ length: 25 }, (_, i) => bodyOf(`evt_${i}`))));
    dashboard.clock.advance(360_000);
  });

  test('queue.redrive moves messages up to its limit and returns the number left', async () => {
    await put('delivery-dead-letters', 15);
    expect(await dashboard.act('queue.redrive', undefined, { queue: 'delivery-dead-letters', limit: 12 })).toMatchObject({
      redriven: 12,
      left: 3,
    });
    expect(await depth('delivery')).toMatchObject({ waiting: 12 });
  });

  test.each([0, 1.5, 1_001, '5'])('queue.redrive rejects a limit of %p', async (limit) => {
    const input = { queue: 'delivery-dead-letters', limit };
    expect(await dashboard.errorOf('queue.redrive', undefined, input)).toMatchObject({ status: 400, field: 'limit' });
  });

  test('queue.redrive loses no message if the work queue rejects it', async () => {
    await put('delivery-dead-letters', 2);
    const { queues } = dashboard.services;
    const failingQueues = { ...queues, delivery: { ...queues.delivery, send: () => Promise.reject(new Error('no')) } };
    const act = actions({ ...dashboard.services, queues: failingQueues });
    expect(await act({ action: 'queue.redrive', input: { queue: 'delivery-dead-letters' } }, context)).toMatchObject({
      ok: false,
      status: 500,
    });
    expect(await depth('delivery-dead-letters')).toMatchObject({ waiting: 2 });
  });

  test('queue.redrive leaves a message in both queues if it fails between sending and removing', async () => {
    await put('delivery-dead-letters', 2);
    const { queues } = dashboard.services;
    const dying = {
      ...queues,
      'delivery-dead-letters': { ...queues['delivery-dead-letters'], remove: () => Promise.reject(new Error('died')) },
    };
    const act = actions({ ...dashboard.services, queues: dying });
    expect(await act({ action: 'queue.redrive', input: { queue: 'delivery-dead-letters' } }, context)).toMatchObject({ ok: false });
    dashboard.clock.advance(360_000);
    const { data } = await dashboard.act('queue.status', undefined);
    const total = (name: string) => (data as Record<string, any>[]).find(({ queue }) => queue === name);
    expect(total('delivery')).toMatchObject({ waiting: 2 });
    const remaining = total('delivery-dead-letters') ?? {};
    expect(remaining['waiting'] + remaining['in_flight']).toBe(2);
  });

  test('queue.redrive replays the parked records that the notices name, and removes the notices', async () => {
    dashboard.parked.set('stream/a b.json', '{"eventID":"1"}');
    const notice = { Records: [{ eventName: 'ObjectCreated:Put', s3: { object: { key: 'stream%2Fa+b.json' } } }] };
    const { queues } = dashboard.services;
    await queues['parking-notices'].send([
      { body: JSON.stringify(notice), groupId: 'us' },
      { body: JSON.stringify({ Service: 'Amazon S3', Event: 's3:TestEvent' }), groupId: 'us' },
    ]);
    dashboard.replayed.length = 0;
    expect(await dashboard.act('queue.redrive', undefined, { queue: 'parking-notices' })).toMatchObject({ redriven: 2, left: 0 });
    expect(dashboard.replayed).toEqual(['{"eventID":"1"}']);
  });

  test('queue.redrive replays readable records, and returns the other notices with the reason', async () => {
    dashboard.parked.set('stream/good.json', '{"eventID":"2"}');
    dashboard.parked.set('stream/broken.json', '{"eventID":"3"');
    const { queues } = dashboard.services;
    const notice = (key: string) => JSON.stringify({ Records: [{ s3: { object: { key } } }] });
    const bodies = [
      '"no notice"',
      'null',
      '{"Records":[]}',
      notice('stream/gone.json'),
      notice('stream/broken.json'),
      notice('stream/good.json'),
    ];
    for (const body of bodies) await queues['parking-notices'].send([{ body, groupId: 'us' }]);
    dashboard.replayed.length = 0;
    const result = await dashboard.act('queue.redrive', undefined, { queue: 'parking-notices' });
    expect(result).toMatchObject({ redriven: 1, left: 5 });
    expect(dashboard.replayed).toEqual(['{"eventID":"2"}']);
    const { data } = await dashboard.act('queue.peek', undefined, { queue: 'parking-notices', limit: 100 });
    const waiting = (data as { id: string }[]).map(({ id }) => id).sort();
    const failed = result['failed'] as { id: string; reason: string }[];
    expect(failed.map(({ id }) => id).sort()).toEqual(waiting);
    expect(failed.filter(({ reason }) => reason === 'Parked record not found. Check the id.')).toHaveLength(1);
    for (const { id } of failed) await dashboard.act('queue.discard', undefined, { queue: 'parking-notices', id });
  });
});

test('queue.redrive ends in time if replays are slow, and returns the remaining notices with the reason', async () => {
  const { queues } = dashboard.services;
  dashboard.parked.set('stream/slow.json', '{"eventID":"4"}');
  const body = JSON.stringify({ Records: [{ s3: { object: { key: 'stream/slow.json' } } }] });
  await queues['parking-notices'].send(Array.from({ length: 6 }, () => ({ body, groupId: 'us' })));
  const beginsMs = dashboard.clock.now();
  const act = actions({ ...dashboard.services, replay: async () => void dashboard.clock.advance(15_000) });
  const { result } = (await act({ action: 'queue.redrive', input: { queue: 'parking-notices' } }, context)) as any;
  expect(result).toMatchObject({ redriven: 3, left: 3, failed: Array(3).fill({ id: expect.any(String), reason: expect.any(String) }) });
  expect(dashboard.clock.now() - beginsMs).toBeLessThan(60_000);
  for (const { id } of result.failed) await dashboard.act('queue.discard', undefined, { queue: 'parking-notices', id });
});

describe('queue.discard', () => {
  test('queue.discard removes only the message with the id', async () => {
    await put('sweep-failures', 12);
    const { data } = await dashboard.act('queue.peek', undefined, { queue: 'sweep-failures', limit: 100 });
    const { id, body } = (data as { id: string; body: unknown }[])[11] ?? { id: '' };
    expect(await dashboard.act('queue.discard', undefined, { queue: 'sweep-failures', id })).toMatchObject({ discarded: { id, body } });
    expect(await depth('sweep-failures')).toMatchObject({ waiting: 11, in_flight: 0 });
    expect(await dashboard.errorOf('queue.discard', undefined, { queue: 'sweep-failures', id })).toMatchObject({ status: 404 });
  });
});
