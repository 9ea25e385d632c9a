import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const isoNow = () => new Date(dashboard.clock.now()).toISOString();
const create = (input: object = {}) => dashboard.act('quick_sale.create', account, input);
const items = [
  { name: 'Roll', quantity: 3, unit_price: 1.1 },
  { name: 'Tart', quantity: 1, unit_price: 4.005 },
];

describe('quick_sale.create', () => {
  test('quick_sale.create records a sale with amounts calculated from its items', async () => {
    const sale = {
      date: '2026-03-08',
      description: ' <b>Fair</b> ',
      sale_type: 'market',
      location: 'Square',
      event_name: 'Spring fair',
      gross_cost: 2,
      payment_method: 'cash',
    };
    expect(await create({ ...sale, items })).toEqual({
      ...sale,
      id: expect.stringMatching(/^qs_/),
      description: '<b>Fair</b>',
      gross_sales: 7.31,
      net_amount: 5.31,
      items_count: 2,
      items: [items[0], { ...items[1], unit_price: 4.01 }],
      created_at: isoNow(),
      updated_at: isoNow(),
    });
  });

  test('quick_sale.create accepts amounts without items', async () => {
    expect(await create({ gross_sales: 100.005, gross_cost: 120, items_count: 12 })).toMatchObject({
      gross_sales: 100.01,
      gross_cost: 120,
      net_amount: -19.99,
      items_count: 12,
      items: [],
    });
  });

  test("quick_sale.create uses the amount that is sent instead of the items' sum", async () => {
    expect(await create({ items, gross_sales: 5, items_count: 2 })).toMatchObject({ gross_sales: 5, net_amount: 5, items_count: 2 });
  });

  test('quick_sale.create records a sale of today with amount 0 and null fields if the body is empty', async () => {
    expect(await create()).toMatchObject({
      date: isoNow().slice(0, 10),
      description: null,
      sale_type: null,
      location: null,
      event_name: null,
      gross_sales: 0,
      gross_cost: 0,
      net_amount: 0,
      payment_method: null,
      items_count: 0,
    });
  });

  test.each([
    ['UTC', '2026-03-09'],
    ['America/New_York', '2026-03-08'],
    ['Pacific/Kiritimati', '2026-03-09'],
  ])('quick_sale.create with a time as date stores its day in %s', async (timezone, date) => {
    const shop = await dashboard.openAccount({ timezone });
    for (const moment of ['2026-03-08T23:30:00-02:00', '1773019800']) {
      expect(await dashboard.act('quick_sale.create', shop, { date: moment })).toMatchObject({ date });
      const { id } = await dashboard.act('quick_sale.create', shop, { date: '2026-01-01' });
      expect(await dashboard.act('quick_sale.update', shop, { id, date: moment })).toMatchObject({ date });
    }
  });

  test.each(['America/New_York', 'Pacific/Kiritimati'])(
    'quick_sale.create with a day as date stores that day, also in %s',
    async (timezone) => {
      const shop = await dashboard.openAccount({ timezone });
      for (const date of ['2026-03-08', '20260308', ' 2026-03-08 '])
        expect(await dashboard.act('quick_sale.create', shop, { date })).toMatchObject({ date: '2026-03-08' });
    },
  );

  test("quick_sale.create uses today's date in the account's time zone by default", async () => {
    const [west, east] = [await dashboard.openAccount({ timezone: 'Etc/GMT+12' }), await dashboard.openAccount({ timezone: 'Etc/GMT-14' })];
    // The date at UTC+14 is always later than the date at UTC-12.
    const hour = 3_600_000;
    for (const [shop, ahead] of [
      [west, -12],
      [east, 14],
    ] as const) {
      const { date } = await dashboard.act('quick_sale.create', shop);
      expect(date).toBe(new Date(dashboard.clock.now() + ahead * hour).toISOString().slice(0, 10));
    }
  });
});

describe('quick_sale.update', () => {
  test.each([
    [{ items: [items[0]] }, { gross_sales: 3.3, net_amount: 3.3, items_count: 1 }],
    [
      { items: [items[0]], gross_sales: 3 },
      { gross_sales: 3, net_amount: 3, items_count: 1 },
    ],
    [{ items: [] }, { gross_sales: 0, net_amount: 0, items_count: 0 }],
    [{ gross_sales: 9 }, { gross_sales: 9, net_amount: 9, items_count: 2 }],
    [
      { items: null, items_count: 5, gross_sales: 8 },
      { gross_sales: 8, net_amount: 8, items_count: 5 },
    ],
  ])('quick_sale.update recalculates the amounts after %j as %j', async (input, amounts) => {
    const { id } = await create({ items });
    expect(await dashboard.act('quick_sale.update', account, { id, ...input })).toMatchObject(amounts);
  });
});
