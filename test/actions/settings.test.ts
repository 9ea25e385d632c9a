import { beforeAll, describe, expect, test } from '@jest/globals';
import { malformedReferences } from '../support/secrets.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const stored = (id = account) => dashboard.services.store.accounts.getSettings(id);

const whole = {
  payment_methods: [{ id: 'cash', name: 'Cash', enabled: true }],
  event_categories: [{ name: 'Wedding', colour: '#fff' }],
  time_slots: {
    pickup: [{ id: 'ps_1', label: 'Morning', start: '08:00', end: '12:00', multiplier: 1.5, available_days: [1, 2, 3] }],
    delivery: [{ id: 'ds_1', label: 'Noon', start: '12:00', end: '12:00', multiplier: 0, available_days: [] }],
  },
  blocked_dates: [{ id: 'bd_1', date: '2026-12-25', reason: 'Closed', is_holiday: true, holiday_name: 'Christmas' }],
  recurring_rules: [
    { id: 'rr_1', type: 'weekly', days_of_week: [0], enabled: true, start_date: '2026-01-01', end_date: null, reason: 'Sunday' },
  ],
  custom_fields: [
    {
      id: 'cf_1',
      key: 'flavour',
      name: 'Flavour',
      type: 'select',
      required: true,
      options: ['Lemon', 'Vanilla'],
      scopes: ['order', 'kitchen'],
      active: true,
      internal: false,
    },
  ],
  search: {
    provider: 'typesense',
    host: 'search.example.com',
    collection: 'products',
    search_key: 'search-key-abcd',
    admin_key: 'admin-key-efgh',
  },
  checkout: { gateway: 'stripe', secret_key: 'sk_test_12345678', webhook_secret: 'whsec_87654321', delivery_fee: 7.5, statement: 'CRUMB' },
};

describe('settings.put', () => {
  test('settings.put stores every field of the document unchanged', async () => {
    await dashboard.act('settings.put', account, whole);
    expect(await stored()).toEqual(whole);
  });

  test('settings.put replaces the whole document', async () => {
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

  test("settings.put drops unknown fields, except a gateway's own", async () => {
    await dashboard.act('settings.put', account, {
      theme: 'dark',
      payment_methods: [{ id: 'cash', name: 'Cash', enabled: false, icon: 'x' }],
      checkout: { gateway: 'sandbox', webhook_id: 'we_1', live: false },
    });
    expect(await stored()).toEqual({
      payment_methods: [{ id: 'cash', name: 'Cash', enabled: false }],
      checkout: { gateway: 'sandbox', webhook_id: 'we_1', live: false },
    });
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
    ['checkout', { checkout: null }],
    ['checkout.gateway', { checkout: { gateway: 'barter' } }],
    ['checkout.delivery_fee', { checkout: { gateway: 'sandbox', delivery_fee: '5' } }],
    ['checkout.extra', { checkout: { gateway: 'sandbox', extra: {} } }],
    ['blocked_dates', { blocked_dates: Array.from({ length: 1_001 }, () => ({ date: '2026-01-01' })) }],
  ])('settings.put rejects %s', async (field, document) => {
    expect(await dashboard.refused('settings.put', account, document)).toMatchObject({ status: 400, code: 'invalid_value', field });
  });

  test('settings.put rejects more than 256 KiB, and keeps the stored settings', async () => {
    await dashboard.act('settings.put', account, { event_categories: [{ name: 'Wedding' }] });
    const reason = 'x'.repeat(255);
    const blocked_dates = Array.from({ length: 1_000 }, () => ({ date: '2026-01-01', reason }));
    expect(await dashboard.refused('settings.put', account, { blocked_dates })).toMatchObject({
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

describe('secrets of settings', () => {
  const masked = {
    search: { ...whole.search, search_key: '****abcd', admin_key: '****efgh' },
    checkout: { ...whole.checkout, secret_key: '****5678', webhook_secret: '****4321' },
  };

  test('secrets of settings are shown by neither action', async () => {
    const put = await dashboard.act('settings.put', account, whole);
    expect(put).toEqual({ ...whole, ...masked });
    expect(await dashboard.act('settings.get', account)).toEqual(put);
  });

  test('secrets of settings are masked completely if they are short', async () => {
    await dashboard.act('settings.put', account, { checkout: { gateway: 'stripe', secret_key: 'tiny-one' } });
    expect(await dashboard.act('settings.get', account)).toEqual({ checkout: { gateway: 'stripe', secret_key: '****' } });
  });

  test('secrets of settings stay unchanged if the settings are saved as read', async () => {
    await dashboard.act('settings.put', account, whole);
    const { custom_fields: _, ...edited } = await dashboard.act('settings.get', account);
    await dashboard.act('settings.put', account, { ...edited, checkout: { ...edited['checkout'], webhook_secret: 'whsec_replaced' } });
    const { custom_fields: __, ...kept } = whole;
    expect(await stored()).toEqual({ ...kept, checkout: { ...whole.checkout, webhook_secret: 'whsec_replaced' } });
  });

  test('secrets of settings are rejected if they are masked and match no stored secret', async () => {
    await dashboard.act('settings.put', account, { search: null });
    for (const document of [masked, { search: whole.search, checkout: masked.checkout }]) {
      const error = await dashboard.refused('settings.put', account, document);
      expect(error).toMatchObject({ status: 400, field: expect.stringMatching(/^(search|checkout)\.\w+$/) });
    }
    expect(await stored()).toEqual({ search: null });
  });

  /** Each field that `settings.get` masks, and the fields that decide its destination. */
  const places: readonly [block: 'search' | 'checkout', secret: string, place: string, another: string][] = [
    ['search', 'search_key', 'host', 'evil.example.com'],
    ['search', 'admin_key', 'host', 'evil.example.com'],
    ['checkout', 'secret_key', 'gateway', 'sandbox'],
    ['checkout', 'webhook_secret', 'gateway', 'sandbox'],
  ];

  test('secrets of settings are exactly those of the listed fields', async () => {
    const shown: Record<string, any> = await dashboard.act('settings.put', account, whole);
    const differing = (['search', 'checkout'] as const).flatMap((block) =>
      Object.entries(whole[block]).flatMap(([name, value]) => (shown[block][name] === value ? [] : [`${block}.${name}`])),
    );
    expect(differing).toEqual(places.map(([block, secret]) => `${block}.${secret}`));
  });

  describe.each(places)('a masked secret of %s.%s', (block, secret, place, another) => {
    /** The settings as read, with every other secret sent again. */
    const document = async (members: Record<string, unknown> = {}) => {
      const shown: Record<string, any> = await dashboard.act('settings.put', account, whole);
      return { ...whole, [block]: { ...whole[block], [secret]: shown[block][secret], ...members } };
    };

    test(`the masked secret ${block}.${secret} is rejected with another ${place}, and the stored settings stay`, async () => {
      const error = await dashboard.refused('settings.put', account, await document({ [place]: another }));
      expect(error).toMatchObject({ status: 400, code: 'invalid_value', field: `${block}.${secret}` });
      expect(await stored()).toEqual(whole);
    });

    test(`the masked secret ${block}.${secret} accepts another ${place} if the secret is given again`, async () => {
      const told = await document({ [place]: another, [secret]: 'said-once-more' });
      await dashboard.act('settings.put', account, told);
      expect(await stored()).toEqual(told);
    });

    test(`the masked secret ${block}.${secret} stays stored if only other fields change`, async () => {
      const other = block === 'search' ? { collection: 'cakes' } : { statement: 'CRUMB & CO', delivery_fee: 3 };
      await dashboard.act('settings.put', account, await document(other));
      expect(await stored()).toEqual({ ...whole, [block]: { ...whole[block], ...other } });
    });

    test(`the masked secret ${block}.${secret} is rejected if no secret has that name`, async () => {
      const masked: Record<string, any> = await document();
      await dashboard.act('settings.put', account, { search: null, checkout: { gateway: 'stripe' } });
      for (const text of [masked[block][secret], '****', '****abcd', '****=none'])
        expect(await dashboard.refused('settings.put', account, { [block]: { ...masked[block], [secret]: text } })).toMatchObject({
          status: 400,
          field: `${block}.${secret}`,
        });
    });
  });

  test('secrets of settings are returned unmasked if they are references, and stay if sent again', async () => {
    const references = {
      search: { ...whole.search, search_key: 'ssm:search/search_key', admin_key: 'ssm:search/admin' },
      checkout: { gateway: 'stripe', secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook.secret' },
    };
    expect(await dashboard.act('settings.put', account, references)).toEqual(references);
    await dashboard.act('settings.put', account, await dashboard.act('settings.get', account));
    expect(await stored()).toEqual(references);
  });

  test.each([
    ['search.search_key', { search: { ...whole.search, search_key: 'ssm:/BakeryCommerce-us/acct_other/key' } }],
    ['search.admin_key', { search: { ...whole.search, admin_key: 'ssm:' } }],
    ['checkout.secret_key', { checkout: { gateway: 'stripe', secret_key: 'ssm:a/b/c/d/e/f' } }],
    ['checkout.webhook_secret', { checkout: { gateway: 'stripe', webhook_secret: 'ssm:two words' } }],
    // A reference to a secret with another purpose, or to no secret.
    ['search.search_key', { search: { ...whole.search, search_key: 'ssm:stripe/secret_key' } }],
    ['search.admin_key', { search: { ...whole.search, admin_key: 'ssm:stripe/secret_key' } }],
    ['search.admin_key', { search: { ...whole.search, admin_key: 'ssm:search' } }],
    ['search.admin_key', { search: { ...whole.search, admin_key: 'ssm:searches/admin' } }],
    ['checkout.secret_key', { checkout: { gateway: 'stripe', secret_key: 'ssm:search/admin_key' } }],
    ['checkout.webhook_secret', { checkout: { gateway: 'stripe', webhook_secret: 'ssm:webhook_secret' } }],
    ...malformedReferences.map((reference): [string, object] => [
      'checkout.secret_key',
      { checkout: { gateway: 'stripe', secret_key: reference } },
    ]),
    ...malformedReferences.map((reference): [string, object] => [
      'search.admin_key',
      { search: { ...whole.search, admin_key: reference } },
    ]),
  ])('secrets of settings are rejected if they are malformed references: %s', async (field, document) => {
    const error = await dashboard.refused('settings.put', account, document);
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', field });
  });

  test('secrets of settings are never restored into another account', async () => {
    await dashboard.act('settings.put', account, whole);
    expect(await dashboard.refused('settings.put', await dashboard.openAccount(), masked)).toMatchObject({ status: 400 });
  });
});

test('settings.get returns an empty document if none was stored', async () => {
  expect(await dashboard.act('settings.get', await dashboard.openAccount())).toEqual({});
});
