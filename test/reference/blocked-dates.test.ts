import { describe, expect, test } from '@jest/globals';
import { useReference } from './shop.ts';

const t = useReference();

const blocked = (type: 'secret' | 'publishable' = 'secret') => t.read('/reference/blocked-dates', type);

test('an account without settings has no blocked dates', async () => {
  expect(await blocked()).toEqual({ dates: [], recurring_rules: [] });
});

describe('single dates', () => {
  const blocked_dates = [
    { id: 'b1', date: '2026-12-25', reason: 'Family <day>', is_holiday: true, holiday_name: 'Christmas Day' },
    { id: 'b2', date: '2020-02-29', reason: 'Stocktaking', is_holiday: false },
    { date: '2026-05-01' },
    { id: null, date: '2026-05-02', reason: null, is_holiday: null, holiday_name: null },
  ];
  const bare = { id: null, reason: null, is_holiday: false, holiday_name: null };

  test('single dates reach a secret key as authored, with fallbacks of legacy entries, in configured order', async () => {
    await t.put({ blocked_dates });
    expect((await blocked()).dates).toEqual([
      { id: 'b1', date: '2026-12-25', reason: 'Family <day>', is_holiday: true, holiday_name: 'Christmas Day' },
      { id: 'b2', date: '2020-02-29', reason: 'Stocktaking', is_holiday: false, holiday_name: null },
      { ...bare, date: '2026-05-01' },
      { ...bare, date: '2026-05-02' },
    ]);
  });

  test('single dates reach a publishable key without reasons and holiday names, holidays included', async () => {
    await t.put({ blocked_dates });
    const hidden = { reason: 'unavailable', holiday_name: null };
    expect((await blocked('publishable')).dates).toEqual([
      { id: 'b1', date: '2026-12-25', is_holiday: true, ...hidden },
      { id: 'b2', date: '2020-02-29', is_holiday: false, ...hidden },
      { id: null, date: '2026-05-01', is_holiday: false, ...hidden },
      { id: null, date: '2026-05-02', is_holiday: false, ...hidden },
    ]);
  });
});

test.each(['secret', 'publishable'] as const)('recurring rules of every type reach a %s key, never with a reason', async (type) => {
  await t.put({
    recurring_rules: [
      { id: 'r1', type: 'weekly', days_of_week: [0, 6], enabled: true, start_date: '2026-01-01', end_date: '2026-06-30', reason: 'Closed' },
      { id: 'r2', type: 'weekly', days_of_week: [] },
      { id: 'r3', type: 'monthly', days_of_week: [1], enabled: false, start_date: null, end_date: null },
      { id: 'r4', type: 'weekly', days_of_week: [2], enabled: null },
    ],
  });
  const unbounded = { start_date: null, end_date: null };
  expect((await blocked(type)).recurring_rules).toEqual([
    { id: 'r1', type: 'weekly', days_of_week: [0, 6], enabled: true, start_date: '2026-01-01', end_date: '2026-06-30' },
    { id: 'r2', type: 'weekly', days_of_week: [], enabled: true, ...unbounded },
    { id: 'r3', type: 'monthly', days_of_week: [1], enabled: false, ...unbounded },
    { id: 'r4', type: 'weekly', days_of_week: [2], enabled: true, ...unbounded },
  ]);
});

test('GET /reference/blocked-dates returns the full set in one response', async () => {
  await t.put({ blocked_dates: Array.from({ length: 300 }, () => ({ date: '2026-05-01' })) });
  expect((await t.read('/reference/blocked-dates?limit=1&type=pickup')).dates).toHaveLength(300);
});

test('a key of the older form, without a type, has the view of the merchant', async () => {
  await t.put({ blocked_dates: [{ date: '2026-05-01', reason: 'Own' }] });
  const key = await t.world.createKey(t.account, { legacy: true });
  expect((await t.world.request('GET', '/reference/blocked-dates', { key })).body.dates[0].reason).toBe('Own');
});
