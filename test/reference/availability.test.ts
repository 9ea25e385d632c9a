import { describe, expect, test } from '@jest/globals';
import { invalidValue, keyTypes, useReference } from './shop.ts';

const t = useReference();

const on = async (date: string, type: 'secret' | 'publishable' = 'secret', query = '') => {
  const [day, ...others] = (await t.read(`/availability?date=${date}${query}`, type)).availability;
  expect(others).toEqual([]);
  return day;
};
const between = async (from: string, to: string) => (await t.read(`/availability?from=${from}&to=${to}`)).availability;
const bookableOn = async (date: string): Promise<boolean> => (await on(date)).bookable;

// 2026-03-10 is a Tuesday.
const tuesday = '2026-03-10';
const time_slots = {
  pickup: [
    { id: 'p_any', start: '08:00', end: '10:00' },
    { id: 'p_tue', available_days: [2] },
    { id: 'p_sun', available_days: [0] },
  ],
  delivery: [{ id: 'd_weekdays', available_days: [1, 2, 3, 4, 5], multiplier: 2 }],
};
const idsOf = (day: { time_slots: { id: string }[] }) => day.time_slots.map(({ id }) => id);

test.each(keyTypes)('every date can be booked with a %s key if the account has no settings', async (type) => {
  expect(await on(tuesday, type)).toEqual({ date: tuesday, bookable: true, blocked_reason: null, time_slots: [] });
});

describe('a date that can be booked', () => {
  test('a date that can be booked lists the slots of its weekday, pickup first, without their days', async () => {
    await t.put({ time_slots });
    for (const type of keyTypes)
      expect((await on(tuesday, type)).time_slots).toEqual([
        { id: 'p_any', label: '08:00 - 10:00', type: 'pickup', start: '08:00', end: '10:00', multiplier: 1 },
        { id: 'p_tue', label: '', type: 'pickup', start: null, end: null, multiplier: 1 },
        { id: 'd_weekdays', label: '', type: 'delivery', start: null, end: null, multiplier: 2 },
      ]);
  });

  test.each([
    ['2026-03-08', ['p_any', 'p_sun']],
    ['2026-03-09', ['p_any', 'd_weekdays']],
    ['2026-03-14', ['p_any']],
    ['2024-02-29', ['p_any', 'd_weekdays']],
    ['2000-02-29', ['p_any', 'p_tue', 'd_weekdays']],
    ['1899-12-31', ['p_any', 'p_sun']],
  ])('the date %s has the slots %j', async (date, ids) => {
    await t.put({ time_slots });
    expect(idsOf(await on(date))).toEqual(ids);
  });

  test.each([
    ['pickup', ['p_any', 'p_tue']],
    ['delivery', ['d_weekdays']],
  ])('type=%s narrows the slots of a date', async (slotType, ids) => {
    await t.put({ time_slots });
    expect(idsOf(await on(tuesday, 'secret', `&type=${slotType}`))).toEqual(ids);
  });

  test('a date stays bookable if the type leaves no slot', async () => {
    await t.put({ time_slots: { pickup: [{ id: 'p' }] } });
    expect(await on(tuesday, 'secret', '&type=delivery')).toMatchObject({ bookable: true, time_slots: [] });
  });

  test('a date that can be booked may be in the past', async () => {
    expect(await bookableOn('2001-01-01')).toBe(true);
  });
});

describe('a single blocked date', () => {
  const blocked_dates = [{ id: 'b', date: tuesday, reason: 'Stocktaking' }, { date: '2026-03-11' }];

  test('a single blocked date has no slots, and the reason as authored for a secret key', async () => {
    await t.put({ time_slots, blocked_dates });
    expect(await on(tuesday)).toEqual({ date: tuesday, bookable: false, blocked_reason: 'Stocktaking', time_slots: [] });
    expect(await on('2026-03-11')).toEqual({ date: '2026-03-11', bookable: false, blocked_reason: null, time_slots: [] });
  });

  test('a publishable key sees a blocked date as unavailable, with or without a reason', async () => {
    await t.put({ time_slots, blocked_dates });
    for (const date of [tuesday, '2026-03-11'])
      expect(await on(date, 'publishable')).toEqual({ date, bookable: false, blocked_reason: 'unavailable', time_slots: [] });
  });

  test.each(['pickup', 'delivery'])('a single blocked date is blocked for type=%s too', async (slotType) => {
    await t.put({ time_slots, blocked_dates });
    expect(await on(tuesday, 'secret', `&type=${slotType}`)).toMatchObject({ bookable: false, time_slots: [] });
  });

  test('a single blocked date leaves its neighbours alone', async () => {
    await t.put({ blocked_dates: [{ date: tuesday }] });
    const range = await between('2026-03-09', '2026-03-11');
    expect(range.map(({ bookable }: { bookable: boolean }) => bookable)).toEqual([true, false, true]);
  });

  test('a single blocked date says more than a weekly rule of the same day', async () => {
    await t.put({ blocked_dates, recurring_rules: [{ id: 'r', type: 'weekly', days_of_week: [2, 3], reason: 'Closed on Tuesdays' }] });
    expect(await on(tuesday)).toMatchObject({ blocked_reason: 'Stocktaking' });
    expect(await on('2026-03-11')).toMatchObject({ bookable: false, blocked_reason: null });
    expect(await on('2026-03-17')).toMatchObject({ blocked_reason: 'Closed on Tuesdays' });
  });
});

describe('a weekly rule', () => {
  const rule = (fields: Record<string, unknown>) => t.put({ time_slots, recurring_rules: [{ id: 'r', type: 'weekly', ...fields }] });

  test.each([0, 1, 2, 3, 4, 5, 6])('a weekly rule of day %d blocks that day of every week', async (day) => {
    await rule({ days_of_week: [day] });
    const range = await between('2026-03-01', '2026-03-14'); // a Sunday
    const blocked = range.flatMap(({ bookable }: { bookable: boolean }, i: number) => (bookable ? [] : [i]));
    expect(blocked).toEqual([day, day + 7]);
  });

  test.each([
    ['an own reason', { reason: 'Closed' }, 'Closed'],
    ['no reason', {}, null],
  ])(
    'the reason of a weekly rule with %s is shown to a secret key, and never to a publishable one',
    async (_title, fields, blocked_reason) => {
      await rule({ days_of_week: [2], ...fields });
      expect(await on(tuesday)).toEqual({ date: tuesday, bookable: false, blocked_reason, time_slots: [] });
      expect(await on(tuesday, 'publishable')).toMatchObject({ blocked_reason: 'unavailable' });
    },
  );

  test.each<[string, Record<string, unknown>, boolean]>([
    ['enabled', { days_of_week: [2], enabled: true }, false],
    ['not said to be enabled', { days_of_week: [2], enabled: null }, false],
    ['disabled', { days_of_week: [2], enabled: false }, true],
    ['of no day', { days_of_week: [] }, true],
    ['of another type', { days_of_week: [2], type: 'monthly' }, true],
    ['of another spelling', { days_of_week: [2], type: 'Weekly' }, true],
    ['that begins on the day', { days_of_week: [2], start_date: tuesday }, false],
    ['that begins the day after', { days_of_week: [2], start_date: '2026-03-11' }, true],
    ['that ends on the day', { days_of_week: [2], end_date: tuesday }, false],
    ['that ended the day before', { days_of_week: [2], end_date: '2026-03-09' }, true],
    ['of that day alone', { days_of_week: [2], start_date: tuesday, end_date: tuesday }, false],
    ['with bounds in the wrong order', { days_of_week: [2], start_date: '2026-03-11', end_date: '2026-03-09' }, true],
  ])('a weekly rule matches its days: %s', async (_title, fields, bookable) => {
    await rule(fields);
    expect(await bookableOn(tuesday)).toBe(bookable);
  });

  test('a weekly rule gives way to the first that blocks, for its reason', async () => {
    await t.put({
      recurring_rules: [
        { id: 'r1', type: 'weekly', days_of_week: [2], enabled: false, reason: 'off' },
        { id: 'r2', type: 'weekly', days_of_week: [2], reason: 'first' },
        { id: 'r3', type: 'weekly', days_of_week: [2], reason: 'second' },
      ],
    });
    expect(await on(tuesday)).toMatchObject({ blocked_reason: 'first' });
  });
});

describe('a range', () => {
  test('a range has every date once, ascending, blocked ones included', async () => {
    await t.put({ recurring_rules: [{ id: 'r', type: 'weekly', days_of_week: [0] }] });
    const dates = (await between('2024-02-27', '2024-03-03')).map(({ date, bookable }: any) => [date, bookable]);
    expect(dates).toEqual([
      ['2024-02-27', true],
      ['2024-02-28', true],
      ['2024-02-29', true],
      ['2024-03-01', true],
      ['2024-03-02', true],
      ['2024-03-03', false],
    ]);
  });

  test.each([
    ['one day', '2026-03-10', '2026-03-10', 1],
    ['90 days', '2026-01-01', '2026-03-31', 90],
    ['90 days over a leap day', '2024-01-01', '2024-03-30', 90],
    ['90 days over a change of clocks', '2026-02-01', '2026-05-01', 90],
    ['90 days over the turn of a year', '2025-12-01', '2026-02-28', 90],
  ])('a range of %s is accepted', async (_title, from, to, count) => {
    const range = await between(from, to);
    expect(range).toHaveLength(count);
    expect([range[0].date, range.at(-1).date]).toEqual([from, to]);
  });
});

describe('invalid queries', () => {
  test.each([
    ['nothing', '', 'date'],
    ['a type alone', 'type=pickup', 'date'],
    ['a start alone', 'from=2026-03-01', 'to'],
    ['an end alone', 'to=2026-03-01', 'from'],
    ['a date and a start', 'date=2026-03-01&from=2026-03-01', 'date'],
    ['a date and an end', 'date=2026-03-01&to=2026-03-01', 'date'],
    ['a date and a range', 'date=2026-03-01&from=2026-03-01&to=2026-03-02', 'date'],
    ['an end before the start', 'from=2026-03-02&to=2026-03-01', 'to'],
    ['91 days', 'from=2026-01-01&to=2026-04-01', 'to'],
    ['91 days over a leap day', 'from=2024-01-01&to=2024-03-31', 'to'],
    ['ten thousand years', 'from=0001-01-01&to=9999-12-31', 'to'],
    ['30 February', 'date=2026-02-30', 'date'],
    ['29 February of no leap year', 'date=2026-02-29', 'date'],
    ['29 February of 1900', 'date=1900-02-29', 'date'],
    ['month 13', 'date=2026-13-01', 'date'],
    ['day 0', 'date=2026-03-00', 'date'],
    ['a date without zeros', 'date=2026-3-1', 'date'],
    ['a timestamp', 'date=2026-03-01T00:00:00Z', 'date'],
    ['epoch seconds', 'date=1772323200', 'date'],
    ['a date that is empty', 'date=', 'date'],
    ['an impossible start', 'from=2026-02-30&to=2026-03-02', 'from'],
    ['an impossible end', 'from=2026-02-01&to=2026-02-29', 'to'],
    ['an empty end', 'from=2026-02-01&to=', 'to'],
    ['dispatch', 'date=2026-03-01&type=dispatch', 'type'],
    ['an empty type', 'date=2026-03-01&type=', 'type'],
    ['a type in capitals', 'date=2026-03-01&type=PICKUP', 'type'],
  ])('GET /reference/availability rejects %s', async (_title, query, field) => {
    for (const type of keyTypes) {
      const { status, body } = await t.get(`/availability?${query}`, type);
      expect([status, body]).toEqual([400, invalidValue(field)]);
    }
  });
});
