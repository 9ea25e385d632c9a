import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let key: string;

/** Writes are limited per key per minute, so every test has its own key. */
const freshKey = async (currency: string | null = 'USD') => world.createKey((await world.createAccount({ currency })).id);
const least = { amount: 12.5, date: '2026-03-05', category: 'ingredients' };
const post = (fields: object, as = key) => world.request('POST', '/expenses', { key: as, body: { ...least, ...fields } });
const listed = async (as: string) => (await world.request('GET', '/expenses', { key: as })).body.data;

describe('POST /expenses', () => {
  beforeAll(async () => {
    key = await freshKey();
  });

  test('POST /expenses returns 201 with every field if only the required ones are sent', async () => {
    const { status, body } = await post({});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^exp_[0-9a-z]{26}$/),
      amount: 12.5,
      currency: 'USD',
      category: 'ingredients',
      subcategory: null,
      description: null,
      notes: null,
      tags: [],
      date: '2026-03-05T00:00:00.000Z',
      status: 'submitted',
      source: 'api',
      editable: true,
      supplier: null,
      payment: { method: null, status: null, due_date: null, reference: null },
      tax: null,
      created_at: '2026-03-10T09:00:00.000Z',
      updated_at: '2026-03-10T09:00:00.000Z',
    });
  });

  test('POST /expenses returns every field that was sent, and GET returns the same', async () => {
    const sent = {
      currency: 'eur',
      subcategory: 'Flour',
      description: ' <b>Two</b> bags ',
      notes: '\n<i>urgent</i>\n',
      tags: [' weekly ', '<b>bulk</b>'],
      supplier: { id: 'sup_1', name: 'Mill', vat: 'dropped' },
      payment: { method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'INV-1', iban: 'dropped' },
      tax: { amount: 1.005, rate: 8.875, code: 'dropped' },
    };
    const { body } = await post(sent);
    expect(body).toMatchObject({
      currency: 'EUR',
      subcategory: 'Flour',
      description: '<b>Two</b> bags',
      notes: '<i>urgent</i>',
      tags: ['weekly', 'bulk'],
    });
    expect(body.supplier).toEqual({ id: 'sup_1', name: 'Mill' });
    expect(body.payment).toEqual({ method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'INV-1' });
    expect(body.tax).toEqual({ amount: 1.01, rate: 8.875 });
    expect((await world.request('GET', `/expenses/${body.id}`, { key })).body).toEqual(body);
  });

  test('POST /expenses ignores fields that the service controls', async () => {
    const { status, body } = await post({
      ...{ id: 'exp_mine', source: 'gateway_fee', status: 'draft', editable: false, auto_generated: true, draft: true, is_draft: true },
      ...{ line_items: [{ order_id: 'o', amount: 1 }], metadata: { a: 1 }, created_at: '2000-01-01', updated_at: 5, deleted_at: 'now' },
      ...{ external_id: 'x', receipts: ['r'], ocr: {}, recurrence: {}, account: 'acct_other', revision: 99 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ source: 'api', status: 'submitted', editable: true, created_at: '2026-03-10T09:00:00.000Z' });
    expect(body.id).not.toBe('exp_mine');
  });
});

describe('accepted values', () => {
  beforeAll(async () => {
    key = await freshKey();
  });

  test.each(
    [
      [{ amount: 1.005 }, { amount: 1.01 }],
      [{ amount: 0.005 }, { amount: 0.01 }],
      [{ amount: 999_999_999.99 }, { amount: 999_999_999.99 }],
      [{ date: '1772668800' }, { date: '2026-03-05T00:00:00.000Z' }],
      [{ date: '20260305' }, { date: '2026-03-05T00:00:00.000Z' }],
      [{ date: '20260230' }, { date: '1970-08-23T11:50:30.000Z' }],
      [{ date: '1' }, { date: '1970-01-01T00:00:01.000Z' }],
      [{ date: '2026-03-05T10:20:30.999+02:00' }, { date: '2026-03-05T08:20:30.000Z' }],
      [{ date: ' 2024-02-29 ' }, { date: '2024-02-29T00:00:00.000Z' }],
      [{ category: 'BANK FEES' }, { category: 'bank_fees' }],
      [{ category: ' Repairs & Maintenance ' }, { category: 'repairs_maintenance' }],
      [{ category: 'Professional_Services' }, { category: 'professional_services' }],
      [{ currency: ' gbp ' }, { currency: 'GBP' }],
      [{ currency: null }, { currency: 'USD' }],
      [{ subcategory: ' <b>Flour</b> ' }, { subcategory: 'Flour' }],
      [
        { subcategory: null, description: null, notes: null, supplier: null, payment: null, tax: null },
        { supplier: null, tax: null },
      ],
      [{ tags: 'weekly' }, { tags: [] }],
      [{ tags: null }, { tags: [] }],
      [{ tags: { a: 1 } }, { tags: [] }],
      [{ tags: 7 }, { tags: [] }],
      [{ tags: ['', ' '] }, { tags: [] }],
      [{ tags: Array(50).fill('🍰'.repeat(64)) }, { tags: Array(50).fill('🍰'.repeat(64)) }],
      [{ supplier: {} }, { supplier: null }],
      [{ supplier: { name: ' <i>Mill</i> ' } }, { supplier: { id: null, name: 'Mill' } }],
      [{ supplier: { id: '', name: ' \n' } }, { supplier: null }],
      [{ supplier: { id: '  ', name: 'Mill' } }, { supplier: { id: null, name: 'Mill' } }],
      [{ supplier: { id: 's', name: '<b></b>' } }, { supplier: { id: 's', name: null } }],
      [{ subcategory: ' ' }, { subcategory: null }],
      [
        { payment: { method: '', status: ' ', due_date: '\t', reference: '<i></i>' } },
        { payment: { method: null, status: null, due_date: null, reference: null } },
      ],
      [{ supplier: { id: 'a#b/c' } }, { supplier: { id: 'a#b/c', name: null } }],
      [{ payment: {} }, { payment: { method: null, status: null, due_date: null, reference: null } }],
      [{ payment: { reference: ' <u>R</u>-1 ' } }, { payment: { method: null, status: null, due_date: null, reference: 'R-1' } }],
      [{ tax: {} }, { tax: null }],
      [{ tax: { amount: 2.675 } }, { tax: { amount: 2.68, rate: null } }],
      [{ tax: { rate: 0.08875 } }, { tax: { amount: null, rate: 0.08875 } }],
      [{ tax: { amount: 0, rate: 0 } }, { tax: { amount: 0, rate: 0 } }],
      [{ description: '' }, { description: '' }],
      [{ description: 'x'.repeat(20_000) }, { description: 'x'.repeat(20_000) }],
      [{ notes: '🍞'.repeat(20_000) }, { notes: '🍞'.repeat(20_000) }],
      [{ subcategory: '漢'.repeat(255) }, { subcategory: '漢'.repeat(255) }],
      [{ unknown: { deeply: ['nested'] } }, {}],
    ].map(([sent = {}, returned]) => ({ sent, returned, title: JSON.stringify(sent).slice(0, 80) })),
  )('POST /expenses accepts $title', async ({ sent, returned }) => {
    const { status, body } = await post(sent);
    expect({ status, body }).toMatchObject({ status: 201, body: returned });
  });
});

describe("the account's currency", () => {
  test("the account's currency replaces a missing currency", async () => {
    expect((await post({}, await freshKey('AUD'))).body.currency).toBe('AUD');
  });

  test('POST /expenses needs no currency of the account if the request has one', async () => {
    expect((await post({ currency: 'nzd' }, await freshKey(null))).body.currency).toBe('NZD');
  });

  test('POST /expenses without any currency returns 500, writes nothing and frees the Idempotency-Key', async () => {
    key = await freshKey(null);
    const headers = { 'Idempotency-Key': 'again' };
    const failed = await world.request('POST', '/expenses', { key, body: least, headers });
    expect({ status: failed.status, code: failed.body.error.code }).toEqual({ status: 500, code: 'internal_error' });
    expect(await listed(key)).toEqual([]);
    const retried = await world.request('POST', '/expenses', { key, body: { ...least, currency: 'USD' }, headers });
    expect(retried.status).toBe(201);
    expect(retried.headers['Idempotent-Replayed']).toBeUndefined();
  });
});
