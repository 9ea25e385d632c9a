import { describe, expect, test } from '@jest/globals';
import { invalidValue, keyTypes, useReference } from './shop.ts';

const t = useReference();

const slots = async (query = '', type: 'secret' | 'publishable' = 'secret') =>
  (await t.read(`/reference/time-slots${query}`, type)).time_slots;

/** The one slot that a configured one reads as. */
const readAs = async (slot: Record<string, unknown>, type: 'pickup' | 'delivery' = 'pickup') => {
  await t.put({ time_slots: { [type]: [slot] } });
  const [only, ...others] = await slots();
  expect(others).toEqual([]);
  return only;
};

test.each([{}, { time_slots: {} }, { time_slots: { pickup: [] } }])(
  'an account has no time slots with the settings %j',
  async (settings) => {
    await t.put(settings);
    expect(await slots()).toEqual([]);
  },
);

test.each(keyTypes)('a complete slot reads as it was configured, to a %s key', async (type) => {
  await t.put({
    time_slots: { pickup: [{ id: 's1', label: 'Early', start: '07:00', end: '09:30', multiplier: 1.5, available_days: [1, 5] }] },
  });
  expect(await slots('', type)).toEqual([
    { id: 's1', label: 'Early', type: 'pickup', start: '07:00', end: '09:30', multiplier: 1.5, available_days: [1, 5] },
  ]);
});

describe('defaults', () => {
  test('an empty slot has defaults in every field', async () => {
    const empty = { label: '', start: null, end: null, multiplier: 1, available_days: [] };
    expect(await readAs({})).toEqual({ id: 'ps_migrated_0', type: 'pickup', ...empty });
    expect(await readAs({}, 'delivery')).toEqual({ id: 'ds_migrated_0', type: 'delivery', ...empty });
    const nulls = { id: null, label: null, start: null, end: null, multiplier: null, available_days: null };
    expect(await readAs(nulls)).toEqual({ id: 'ps_migrated_0', type: 'pickup', ...empty });
  });

  test.each([
    ['both times', { start: '08:00', end: '10:00' }, '08:00 - 10:00'],
    ['a single time', { start: '08:00', end: '08:00' }, '08:00 - 08:00'],
    ['a start only', { start: '08:00' }, ''],
    ['an end only', { end: '10:00' }, ''],
    ['a label that is empty', { label: '', start: '08:00', end: '10:00' }, '08:00 - 10:00'],
    ['a label', { label: 'Morning', start: '08:00', end: '10:00' }, 'Morning'],
  ])('the label of a slot has a default with %s', async (_title, slot, label) => {
    expect(await readAs(slot)).toMatchObject({ label });
  });

  test.each([
    [0, 0],
    [2.25, 2.25],
    [null, 1],
    ['double', 1],
    ['1.5', 1],
    ['', 1],
  ])('the multiplier %j is shown as %d', async (multiplier, read) => {
    expect(await readAs({ multiplier })).toMatchObject({ multiplier: read });
  });

  test('a slot without an id gets its position among the slots of its type', async () => {
    await t.put({ time_slots: { pickup: [{ id: 'own' }, {}, { id: '' }], delivery: [{}, { id: 'own' }, {}] } });
    expect((await slots()).map(({ id }: { id: string }) => id)).toEqual([
      ...['own', 'ps_migrated_1', 'ps_migrated_2'],
      ...['ds_migrated_0', 'own', 'ds_migrated_2'],
    ]);
  });
});

describe('type', () => {
  const time_slots = { delivery: [{ id: 'd2' }, { id: 'd1' }], pickup: [{ id: 'p2' }, { id: 'p1' }] };

  test.each([
    ['', ['p2', 'p1', 'd2', 'd1']],
    ['?type=pickup', ['p2', 'p1']],
    ['?type=delivery', ['d2', 'd1']],
  ])('the type "%s" lists pickup first, each type in configured order', async (query, ids) => {
    await t.put({ time_slots });
    for (const type of keyTypes) expect((await slots(query, type)).map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test.each(['dispatch', 'Pickup', '', 'pickup,delivery'])('GET /reference/time-slots rejects the type %j', async (type) => {
    const { status, body } = await t.get(`/reference/time-slots?type=${type}`);
    expect([status, body]).toEqual([400, invalidValue('type')]);
  });
});

test('GET /reference/time-slots has no pages', async () => {
  await t.put({ time_slots: { pickup: Array.from({ length: 150 }, () => ({})) } });
  expect(await slots('?limit=1&cursor=x')).toHaveLength(150);
});
