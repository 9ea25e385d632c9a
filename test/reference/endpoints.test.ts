import { describe, expect, test } from '@jest/globals';
import { keyTypes, useReference } from './shop.ts';

const t = useReference();

const paths = [
  ['/reference/payment-methods', ['payment_methods']],
  ['/reference/event-categories', ['event_categories']],
  ['/reference/time-slots', ['time_slots']],
  ['/reference/blocked-dates', ['dates', 'recurring_rules']],
  ['/reference/custom-fields', ['fields']],
  ['/availability?date=2026-03-10', ['availability']],
] as const;

describe.each(paths)('%s', (path, members) => {
  test.each(keyTypes)('returns a %s key with its list members, never cached', async (type) => {
    const { status, body, headers } = await t.get(path, type);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(members);
    for (const member of members) expect(Array.isArray(body[member])).toBe(true);
    expect(headers['Cache-Control']).toBe('no-store');
  });

  test('lets browsers read its responses and errors, and responds to their preflight', async () => {
    const cors = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
      'Access-Control-Max-Age': '86400',
    };
    expect((await t.get(path, 'publishable')).headers).toMatchObject(cors);
    expect((await t.world.request('GET', path)).headers).toMatchObject(cors);
    t.world.wire.reset();
    const preflight = await t.world.request('OPTIONS', path);
    expect(preflight).toMatchObject({ status: 204, text: '', headers: cors });
    expect(t.world.wire.calls).toHaveLength(0);
  });

  test('is read in one round trip', async () => {
    for (const type of keyTypes) {
      await t.read(path, type);
      t.world.wire.reset();
      await t.read(path, type);
      expect(t.world.wire.sequentialTrips()).toBe(1);
    }
  });

  test('needs the scope reference:read', async () => {
    const key = await t.world.createKey(t.account, { scopes: ['orders:read'] });
    const { status, body } = await t.world.request('GET', path, { key });
    expect([status, body.error.code, body.error.requiredScope]).toEqual([403, 'insufficient_scope', 'reference:read']);
  });
});

test.each(['/reference/time-slots?type=x', '/reference/custom-fields?scope=x', '/availability'])(
  'a rejection of parameters can be read by browsers too: %s',
  async (path) => {
    const { status, headers } = await t.get(path, 'publishable');
    expect([status, headers['Access-Control-Allow-Origin']]).toEqual([400, '*']);
  },
);

describe('payment methods', () => {
  test('are empty if none were ever configured', async () => {
    expect(await t.read('/reference/payment-methods')).toEqual({ payment_methods: [] });
  });

  test.each(keyTypes)('are the enabled ones, in order, with id and name only, to a %s key', async (type) => {
    await t.put({
      payment_methods: [
        { id: 'zelle', name: 'Zelle', enabled: true },
        { id: 'cash', name: 'Cash', enabled: false },
        { id: 'card', name: 'Card <at pickup>', enabled: true },
      ],
    });
    const payment_methods = [
      { id: 'zelle', name: 'Zelle' },
      { id: 'card', name: 'Card <at pickup>' },
    ];
    expect(await t.read('/reference/payment-methods', type)).toEqual({ payment_methods });
  });
});

describe('event categories', () => {
  const defaults = ['Wedding', 'Birthday', 'Anniversary', 'Baby shower', 'Corporate', 'Holiday', 'Other'];

  test.each([
    ['never configured', {}],
    ['configured as none', { event_categories: [] }],
  ])('are the defaults of the dashboard where %s', async (_title, settings) => {
    await t.put(settings);
    for (const type of keyTypes)
      expect(await t.read('/reference/event-categories', type)).toEqual({ event_categories: defaults.map((name) => ({ name })) });
  });

  test('are the names configured, without colour', async () => {
    await t.put({ event_categories: [{ name: 'Quinceañera', colour: '#ff0000' }, { name: 'Farewell' }, { name: 'Launch', colour: null }] });
    const event_categories = [{ name: 'Quinceañera' }, { name: 'Farewell' }, { name: 'Launch' }];
    for (const type of keyTypes) expect(await t.read('/reference/event-categories', type)).toEqual({ event_categories });
  });
});

test("no account sees another's settings", async () => {
  await t.put({ event_categories: [{ name: 'Ours' }] });
  const key = await t.world.createKey((await t.world.createAccount()).id);
  const { text } = await t.world.request('GET', '/reference/event-categories', { key });
  expect(text).not.toContain('Ours');
});
