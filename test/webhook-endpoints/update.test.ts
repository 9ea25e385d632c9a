import { beforeEach, describe, expect, test } from '@jest/globals';
import { foldOutcomes } from '../../shared/domain/webhook/outcomes.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { takeSlots } from '../support/records.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { errorBody, newUrl, openShop, type Shop } from './shop.ts';

const world = shared(() => startWorld({ policy: productionPolicy }));
let shop: Shop;
let id: string;
/** The endpoint before the change, as GET returns it. */
let before: any;
beforeEach(async () => {
  shop = await openShop(world);
  const { secret: _, ...endpoint } = await shop.endpoint({ description: 'Ledger' });
  before = endpoint;
  id = endpoint.id;
  world.clock.advance(5_000);
});

const patch = (body: unknown) => shop.call('PATCH', `/webhooks/${id}`, body);
const read = async () => (await shop.call('GET', `/webhooks/${id}`)).body;
const now = (): string => new Date(world.clock.now()).toISOString();
/** Counts failed attempts one after another, as deliveries do. */
const fail = async (times: number): Promise<void> => {
  const { endpoints, endpointStats } = world.store;
  const outcomes = { ...foldOutcomes(['failure']), lastSuccessAt: null, lastFailureAt: now() };
  for (let counted = 0; counted < times; ) {
    const endpoint = await endpoints.get(shop.account, id);
    if (!endpoint?.enabled) throw new Error('The endpoint is not enabled.');
    const taken = await takeSlots(world, endpoint, 1);
    if (taken.slots.length === 0) continue; // changed since it was read
    await endpointStats.record(shop.account, id, { ...outcomes, ...taken });
    counted += 1;
  }
};

describe('PATCH /webhooks/{id}', () => {
  const url = newUrl();
  test.each([
    ['url', { url }, { url }],
    ['events', { events: ['order.created', 'order.created', 'inventory.low'] }, { events: ['order.created', 'inventory.low'] }],
    ['description', { description: ' <i>New</i> ' }, { description: '<i>New</i>' }],
    ['description to null', { description: null }, { description: '' }],
    ['enabled', { enabled: false }, { enabled: false, status: 'disabled' }],
  ])('PATCH /webhooks/{id} changes only %s and updated_at', async (_what, body, changed) => {
    const response = await patch(body);
    const expected = { ...before, ...changed, updated_at: now() };
    expect([response.status, response.body, await read()]).toEqual([200, expected, expected]);
  });

  test('PATCH /webhooks/{id} changes all four fields at once', async () => {
    const body = { url: newUrl(), events: ['order.created'], description: '', enabled: false };
    expect((await patch(body)).body).toEqual({ ...before, ...body, status: 'disabled', updated_at: now() });
  });

  test.each([
    ['nothing', {}],
    ['members it does not know', { secret: 'whsec_mine', id: 'whe_mine', status: 'disabled', disabled_reason: 'x', delivery_stats: {} }],
  ])('PATCH /webhooks/{id} with %s changes nothing', async (_what, body) => {
    const response = await patch(body);
    expect([response.status, response.body, await read()]).toEqual([200, before, before]);
  });

  test.each([
    ['url', null],
    ['url', 5],
    ['url', 'nonsense'],
    ['url', 'https://127.0.0.1/'],
    ['events', null],
    ['events', []],
    ['events', 'order.created'],
    ['events.0', ['webhook.test']],
    ['events.1', ['order.created', 3]],
    ['description', 4],
    ['enabled', null],
    ['enabled', 'true'],
    ['enabled', 1],
    ['enabled', 0],
  ])('PATCH /webhooks/{id} rejects %s: %j, and then changes no other field', async (field, value) => {
    const response = await patch({ url: newUrl(), description: 'New', [String(field.split('.')[0])]: value });
    expect([response.status, response.body, await read()]).toEqual([400, errorBody('invalid_value', field), before]);
  });

  test('PATCH /webhooks/{id} keeps each of several simultaneous changes', async () => {
    const changes = [{ url: newUrl() }, { events: ['order.created'] }, { description: 'New' }, { enabled: false }];
    await Promise.all(changes.map(patch));
    expect(await read()).toMatchObject(Object.assign({}, ...changes));
  });

  test('PATCH /webhooks/{id} never creates an endpoint again that is deleted at the same time', async () => {
    const [deleted, ...patched] = await Promise.all([
      shop.call('DELETE', `/webhooks/${id}`),
      ...['a', 'b', 'c'].map((description) => patch({ description })),
    ]);
    expect(deleted?.status).toBe(200);
    expect(patched.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    expect((await shop.call('GET', `/webhooks/${id}`)).status).toBe(404);
  });
});

describe('an endpoint that was disabled after ten failures', () => {
  const autoDisable = async () => {
    await fail(9);
    await fail(1);
  };

  test('an endpoint that was disabled after ten failures shows disabled_reason, except in lists', async () => {
    await autoDisable();
    expect(await read()).toMatchObject({
      enabled: false,
      status: 'disabled',
      disabled_reason: 'consecutive_failures',
      delivery_stats: { failure_count: 10, consecutive_failures: 10, success_count: 0, last_success_at: null, last_failure_at: now() },
    });
    const [item] = (await shop.call('GET', '/webhooks')).body.data;
    expect([item.status, Object.keys(item)]).toEqual(['disabled', expect.not.arrayContaining(['disabled_reason'])]);
  });

  test.each([{ description: 'x' }, { url: newUrl() }, { events: ['order.created'] }])(
    'an endpoint that was disabled after ten failures stays disabled after PATCH %j',
    async (body) => {
      await autoDisable();
      expect((await patch(body)).body).toMatchObject({ enabled: false, disabled_reason: 'consecutive_failures' });
    },
  );

  test('an endpoint that was disabled after ten failures stays disabled if another field is changed at the same time', async () => {
    await fail(9);
    await Promise.all([fail(1), patch({ description: 'x' }), patch({ events: ['order.created'] }), patch({ url: newUrl() })]);
    expect(await read()).toMatchObject({ enabled: false, disabled_reason: 'consecutive_failures', description: 'x' });
  });

  test('an endpoint is wholly active or wholly disabled if PATCH enabled and the tenth failure come together', async () => {
    await fail(9);
    await Promise.all([fail(1), patch({ enabled: true })]);
    const { enabled, status, disabled_reason, delivery_stats } = await read();
    expect([
      { enabled: true, status: 'active', disabled_reason: null, run: expect.any(Number) },
      { enabled: false, status: 'disabled', disabled_reason: 'consecutive_failures', run: 10 },
    ]).toContainEqual({ enabled, status, disabled_reason, run: delivery_stats.consecutive_failures });
  });
});
