import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { allSettings } from './settings-sample.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
});

const stored = (id = account) => dashboard.services.store.accounts.getSettings(id);

const sundays = { id: 'rr_1', type: 'weekly', days_of_week: [0] };

describe('settings.put', () => {
  test('settings.put stores every field of the document unchanged', async () => {
    await dashboard.act('settings.put', account, allSettings);
    expect(await stored()).toEqual(allSettings);
  });

  test('settings.put replaces the whole document', async () => {
    const { search: _, checkout: __, ...lists } = allSettings;
    await dashboard.act('settings.put', account, lists);
    await dashboard.act('settings.put', account, { event_categories: [] });
    expect(await stored()).toEqual({ event_categories: [] });
    await dashboard.act('settings.put', account, {});
    expect(await stored()).toEqual({});
  });

  test('settings.put keeps slots without id or times, dates without id, fields without key and odd multipliers', async () => {
    const legacy = {
      time_slots: { pickup: [{}, { start: null, end: null, multiplier: 'double', available_days: null }] },
      blocked_dates: [{ date: '2024-02-29' }],
      recurring_rules: [{ id: 'r', type: 'lunar', days_of_week: [] }],
      custom_fields: [{ id: 'cf_1' }],
      search: null,
    };
    await dashboard.act('settings.put', account, legacy);
    expect(await stored()).toEqual(legacy);
  });

  test('settings.put keeps fields of old forms that it does not know', async () => {
    const odd = { colour: '#fff', nested: { list: [1, 'two', null, { on: true }] } };
    const document = {
      time_slots: { pickup: [{ start: '08:00', ...odd }], delivery: [{ ...odd }] },
      blocked_dates: [{ date: '2026-12-25', ...odd }],
      recurring_rules: [{ id: 'r', type: 'weekly', days_of_week: [0], ...odd }],
      custom_fields: [{ id: 'f', ...odd }],
    };
    await dashboard.act('settings.put', account, document);
    expect(await stored()).toEqual(document);
    expect(await dashboard.act('settings.get', account)).toEqual(document);
  });

  test.each([
    ['payment_methods', { payment_methods: {} }],
    ['payment_methods.0', { payment_methods: ['cash'] }],
    ['payment_methods.0.id', { payment_methods: [{ name: 'Cash', enabled: true }] }],
    [
      'payment_methods.1.enabled',
      {
        payment_methods: [
          { id: 'a', name: 'A', enabled: true },
          { id: 'b', name: 'B', enabled: 'yes' },
        ],
      },
    ],
    ['event_categories.0.name', { event_categories: [{ name: '' }] }],
    ['time_slots', { time_slots: [] }],
    ['time_slots.pickup', { time_slots: { pickup: null } }],
    ['time_slots.pickup.0.start', { time_slots: { pickup: [{ start: '8am' }] } }],
    ['time_slots.delivery.0.end', { time_slots: { delivery: [{ end: '24:00' }] } }],
    ['time_slots.pickup.0.multiplier', { time_slots: { pickup: [{ multiplier: -1 }] } }],
    ['time_slots.pickup.0.multiplier', { time_slots: { pickup: [{ multiplier: [] }] } }],
    ['time_slots.pickup.0.available_days.0', { time_slots: { pickup: [{ available_days: [7] }] } }],
    ['blocked_dates.0.date', { blocked_dates: [{ reason: 'x' }] }],
    ['blocked_dates.0.date', { blocked_dates: [{ date: '2026-02-30' }] }],
    ['blocked_dates.0.is_holiday', { blocked_dates: [{ date: '2026-02-28', is_holiday: 'yes' }] }],
    ['recurring_rules.0.days_of_week', { recurring_rules: [{ id: 'r', type: 'weekly' }] }],
    ['recurring_rules.0.start_date', { recurring_rules: [{ id: 'r', type: 'weekly', days_of_week: [], start_date: 'soon' }] }],
    ['custom_fields.0.id', { custom_fields: [{ name: 'x' }] }],
    ['custom_fields.0.type', { custom_fields: [{ id: 'x', type: 'colour' }] }],
    ['custom_fields.0.options.0', { custom_fields: [{ id: 'x', options: [1] }] }],
    ['custom_fields.0.name', { custom_fields: [{ id: 'x', name: 'x'.repeat(256) }] }],
    ['search', { search: 'typesense' }],
    ['search.provider', { search: { host: 'h', collection: 'c', search_key: 'k' } }],
    ['search.search_key', { search: { provider: 'typesense', host: 'h', collection: 'c', search_key: '' } }],
    ['checkout', { checkout: 'stripe' }],
    ['checkout.gateway', { checkout: { gateway: 'barter' } }],
    ['checkout.delivery_fee', { checkout: { gateway: 'sandbox', delivery_fee: '5' } }],
    ['checkout.extra', { checkout: { gateway: 'sandbox', extra: {} } }],
    ['checkout.statement', { checkout: { gateway: 'stripe', statement: 'CRUMB' } }],
    ['checkout.secret_key', { checkout: { gateway: 'sandbox', secret_key: 'sk_test_12345678' } }],
    ['checkout.branding.address', { checkout: { gateway: 'sandbox', branding: { address: 'x'.repeat(256) } } }],
    ['payment_method', { payment_method: [] }],
    ['payment_methods.0.icon', { payment_methods: [{ id: 'cash', name: 'Cash', enabled: false, icon: 'x' }] }],
    ['event_categories.0.color', { event_categories: [{ name: 'Wedding', color: '#fff' }] }],
    ['time_slots.dropoff', { time_slots: { dropoff: [] } }],
    ['search.api_key', { search: { ...allSettings.search, api_key: 'x' } }],
    [
      'time_slots.pickup.1.end',
      {
        time_slots: {
          pickup: [
            { start: '08:00', end: '08:00' },
            { start: '12:00', end: '11:59' },
          ],
        },
      },
    ],
    [
      'time_slots.delivery.1.end',
      {
        time_slots: {
          delivery: [
            { start: '00:01', end: '00:00' },
            { start: '23:00', end: '01:00' },
          ],
        },
      },
    ],
    ['recurring_rules.0.end_date', { recurring_rules: [{ ...sundays, start_date: '2026-03-02', end_date: '2026-03-01' }] }],
    ['custom_fields.1.key', { custom_fields: [{ id: 'a' }, { id: 'b', key: 'a' }] }],
    ['custom_fields.1.id', { custom_fields: [{ id: 'a', key: 'b' }, { id: 'b' }] }],
    [
      'custom_fields.2.key',
      {
        custom_fields: [
          { id: 'a', key: 'k', active: false },
          { id: 'b', key: 'k' },
          { id: 'c', key: 'k', active: false },
        ],
      },
    ],
    ['blocked_dates.0.x', { blocked_dates: [{ date: '2026-03-01', x: '\ud83c' }] }],
    ['blocked_dates.0.constructor', { blocked_dates: [{ date: '2026-03-01', constructor: 1 }] }],
    ['custom_fields.0.x', { custom_fields: [{ id: 'a', x: { '': 1 } }] }],
    ['custom_fields.0.x', { custom_fields: [{ id: 'a', x: JSON.parse('['.repeat(30) + ']'.repeat(30)) }] }],
    ['blocked_dates', { blocked_dates: Array.from({ length: 1_001 }, () => ({ date: '2026-01-01' })) }],
  ])('settings.put rejects %s', async (field, document) => {
    expect(await dashboard.errorOf('settings.put', account, document)).toMatchObject({ status: 400, code: 'invalid_value', field });
  });

  test('settings.put rejects more than 256 KiB, and keeps the stored settings', async () => {
    await dashboard.act('settings.put', account, { event_categories: [{ name: 'Wedding' }] });
    const reason = 'x'.repeat(255);
    const blocked_dates = Array.from({ length: 1_000 }, () => ({ date: '2026-01-01', reason }));
    expect(await dashboard.errorOf('settings.put', account, { blocked_dates })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      message: expect.stringContaining('262144'),
    });
    expect(await stored()).toEqual({ event_categories: [{ name: 'Wedding' }] });
  });

  test('settings.put stores what fits, however many entries it has', async () => {
    const slots = Array.from({ length: 1_000 }, (_, i) => ({ start: null, available_days: [i % 7] }));
    const document = {
      time_slots: { pickup: slots, delivery: slots },
      custom_fields: slots.map((_, i) => ({ id: String(i), options: ['é'] })),
    };
    await dashboard.act('settings.put', account, document);
    expect(await stored()).toEqual(document);
  });
});

describe('settings.put over stored settings', () => {
  const { search: _, ...withoutSearch } = allSettings;
  const { checkout: __, ...withoutCheckout } = allSettings;
  const { admin_key: ___, ...searchOnly } = allSettings.search;
  const { webhook_secret: ____, ...halfKeys } = allSettings.checkout;

  test.each([
    ['search', withoutSearch],
    ['checkout', withoutCheckout],
    ['checkout', { ...withoutCheckout, search: null }],
    ['search.admin_key', { ...allSettings, search: searchOnly }],
    ['search.admin_key', { ...allSettings, search: { ...searchOnly, host: 'other.example.com' } }],
    ['checkout.webhook_secret', { ...allSettings, checkout: halfKeys }],
    ['checkout.secret_key', { ...allSettings, checkout: { gateway: 'stripe' } }],
  ])('settings.put rejects a document without the stored %s', async (field, document) => {
    await dashboard.act('settings.put', account, allSettings);
    expect(await dashboard.errorOf('settings.put', account, document)).toMatchObject({ status: 400, code: 'invalid_value', field });
    expect(await stored()).toEqual(allSettings);
  });

  test.each([
    ['search', { ...allSettings, search: null }],
    ['checkout', { ...allSettings, checkout: null }],
    ['an admin key', { ...allSettings, search: { ...allSettings.search, admin_key: null } }],
    ['a key of the gateway', { ...allSettings, checkout: { ...allSettings.checkout, webhook_secret: null } }],
    ['the keys with their gateway', { ...allSettings, checkout: { gateway: 'sandbox' } }],
  ])('settings.put removes %s if the document says so', async (_what, document) => {
    await dashboard.act('settings.put', account, allSettings);
    await dashboard.act('settings.put', account, document);
    expect(await stored()).toEqual(document);
  });
});

describe('settings.update', () => {
  test('settings.update replaces only the top-level fields that it sends, and returns what settings.get shows', async () => {
    await dashboard.act('settings.put', account, allSettings);
    const changes = { event_categories: [{ name: 'Birthday' }], time_slots: { delivery: [] } };
    const result = await dashboard.act('settings.update', account, changes);
    expect(await stored()).toEqual({ ...allSettings, ...changes });
    expect(result).toEqual(await dashboard.act('settings.get', account));
    expect(result['search'].search_key).toBe('****abcd');
  });

  test('settings.update makes the first settings of an account, and changes nothing if it sends nothing', async () => {
    expect(await dashboard.act('settings.update', account, {})).toEqual({});
    const first = { checkout: { gateway: 'sandbox', delivery_fee: 3 } };
    expect(await dashboard.act('settings.update', account, first)).toEqual(first);
    expect(await dashboard.act('settings.update', account, {})).toEqual(first);
  });

  test.each(Object.keys(allSettings))('settings.update removes %s with null', async (field) => {
    await dashboard.act('settings.put', account, allSettings);
    await dashboard.act('settings.update', account, { [field]: null });
    expect(await stored()).toEqual(Object.fromEntries(Object.entries(allSettings).filter(([name]) => name !== field)));
  });

  test('settings.update keeps a masked secret, and never stores the mask', async () => {
    await dashboard.act('settings.put', account, allSettings);
    const { search, checkout } = await dashboard.act('settings.get', account);
    await dashboard.act('settings.update', account, { search: { ...search, collection: 'cakes' }, checkout });
    expect(await stored()).toEqual({ ...allSettings, search: { ...allSettings.search, collection: 'cakes' } });
    for (const block of [{ search: { ...search, host: 'evil.example.com' } }, { checkout: { ...checkout, secret_key: '****0000' } }])
      expect(await dashboard.errorOf('settings.update', account, block)).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  test.each([
    ['payment_method', { payment_method: [] }],
    ['search.admin_key', { search: { provider: 'typesense', host: 'h', collection: 'c', search_key: 'k' } }],
    ['checkout.secret_key', { checkout: { gateway: 'stripe', delivery_fee: 2 } }],
    ['time_slots.pickup.0.end', { time_slots: { pickup: [{ start: '12:00', end: '11:00' }] } }],
    ['recurring_rules.0.end_date', { recurring_rules: [{ ...sundays, start_date: '2026-03-02', end_date: '2026-03-01' }] }],
    ['custom_fields.1.key', { custom_fields: [{ id: 'a' }, { id: 'b', key: 'a' }] }],
  ])('settings.update rejects %s by the rules of settings.put, and changes nothing', async (field, changes) => {
    await dashboard.act('settings.put', account, allSettings);
    expect(await dashboard.errorOf('settings.update', account, changes)).toMatchObject({ status: 400, code: 'invalid_value', field });
    expect(await stored()).toEqual(allSettings);
  });

  test('settings.update checks only what it sends, so old settings never block it', async () => {
    const old = { custom_fields: [{ id: 'a' }, { id: 'a' }], checkout: { gateway: 'stripe', theme: 'dark' } } as unknown as Settings;
    const { store } = dashboard.services;
    await store.commit([store.accounts.putSettingsWrite(account, old)]);
    await dashboard.act('settings.update', account, { blocked_dates: [] });
    expect(await stored()).toEqual({ ...old, blocked_dates: [] });
  });
});

test('settings.get returns an empty document if none was stored', async () => {
  expect(await dashboard.act('settings.get', await dashboard.openAccount())).toEqual({});
});
