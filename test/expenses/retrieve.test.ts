import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { writeFees } from '../support/fees.ts';
import { expenseOf } from '../support/records.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let account: string;
let key: string;
beforeEach(async () => {
  account = (await world.createAccount()).id;
  key = await world.createKey(account);
});

const save = async (fields: Partial<Expense>, owner = account) => {
  const expense = expenseOf(world.clock.now(), fields);
  await world.store.commit([world.store.expenses.createWrite(owner, expense)]);
  return expense;
};
const get = (id: string, as = key) => world.request('GET', `/expenses/${id}`, { key: as });
const notFound = { status: 404, body: { error: { type: 'not_found', code: 'not_found', message: expect.any(String) } } };

test('GET /expenses/{id} returns 404 for a deleted expense', async () => {
  const { id } = await save({ deleted_at: '2026-03-10T09:00:00.000Z' });
  expect(await get(id)).toMatchObject(notFound);
});

test('GET /expenses/{id} returns no internal fields', async () => {
  const hidden = { receipts: ['r.pdf'], ocr: { total: 5 }, draft: true, recurrence_id: 'rec_1', created_by: 'user_1' };
  const { id } = await save({ ...hidden, external_id: 'x-1', auto_generated: true });
  // A response with a field that is not documented is an error of `world.request`.
  expect((await get(id)).status).toBe(200);
});

test('GET /expenses/{id} returns statuses and sources that the API cannot set, as stored', async () => {
  const { id } = await save({ status: 'draft', source: 'recurring', editable: true });
  expect((await get(id)).body).toMatchObject({ status: 'draft', source: 'recurring', editable: true });
});

describe('a gateway-fee expense', () => {
  const at = '2026-03-05T10:00:00.000Z';
  const fee = (order: number, gateway: string, amount: number) => ({ order_id: `ord_${order}`, order_label: `#${order}`, gateway, amount });

  beforeEach(async () => {
    const fees = [fee(1, 'stripe', 1.45), fee(2, 'paypal', 0.3), fee(3, 'stripe', 0.29)];
    for (const one of fees) await writeFees(world, account, [one], { day: '2026-03-05', at });
  });

  test('a gateway-fee expense has the documented fields, its lines and their sum', async () => {
    expect((await get('gateway_fees_2026-03-05')).body).toEqual({
      id: 'gateway_fees_2026-03-05',
      amount: 2.04,
      currency: 'USD',
      category: 'bank_fees',
      subcategory: null,
      description: null,
      notes: null,
      tags: [],
      date: '2026-03-05T00:00:00.000Z',
      status: 'recorded',
      source: 'gateway_fee',
      editable: false,
      supplier: { id: null, name: 'Payment gateways' },
      payment: { method: null, status: 'deducted_at_source', due_date: null, reference: null },
      tax: null,
      line_items: [
        { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1.45 },
        { order_id: 'ord_2', order_label: '#2', gateway: 'paypal', amount: 0.3 },
        { order_id: 'ord_3', order_label: '#3', gateway: 'stripe', amount: 0.29 },
      ],
      metadata: { transaction_count: 3, gateways: ['stripe', 'paypal'] },
      created_at: '2026-03-05T10:00:00.000Z',
      updated_at: '2026-03-05T10:00:00.000Z',
    });
  });

  test('a gateway-fee expense is listed with the same fields as other expenses', async () => {
    const { data } = (await world.request('GET', '/expenses?category=bank_fees', { key })).body;
    expect(data).toEqual([
      {
        id: 'gateway_fees_2026-03-05',
        amount: 2.04,
        currency: 'USD',
        category: 'bank_fees',
        date: '2026-03-05T00:00:00.000Z',
        status: 'recorded',
        source: 'gateway_fee',
        editable: false,
        supplier_name: 'Payment gateways',
        description: null,
        updated_at: '2026-03-05T10:00:00.000Z',
      },
    ]);
  });
});
