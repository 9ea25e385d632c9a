import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../shared/domain/account/record.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

// Guarantee 11 (docs/guarantees.md)

const service = shared(startBakeries);
let account: Account;
let key: string;
let customer: string;
let order: Record<string, any>;
let payment: string;
beforeAll(async () => {
  account = await service.world.createAccount();
  key = await service.world.createKey(account.id);
});

const post = async (path: string, body: object) => (await service.world.request('POST', path, { key, body })).body;
const act = (action: string, input: object) => service.act(action, account.id, input);
const errorOf = (action: string, input: object) => service.errorOf(action, account.id, input);

const placeOrder = async () => {
  customer = (await post('/customers', { first_name: 'Ada', last_name: 'Crumb' })).id;
  const items = [
    { name: 'Cake', quantity: 1, unit_price: 40, notes: 'no nuts' },
    { name: 'Tart', quantity: 2, unit_price: 5 },
  ];
  order = await post('/orders', { customer: { id: customer }, items, payment_status: 'paid', notes: 'Ring twice', order_type: 'Standing' });
  payment = (await act('payment.create', { order_id: order['id'], amount: 50, method: 'card', status: 'completed' }))['id'];
};

/** Writes that put text on a record of the customer, reached through another record. */
const texts: readonly (readonly [string, string, () => object])[] = [
  ...Object.entries({
    notes: 'Ada rang',
    delivery_address: { line1: '1 Mill Lane' },
    metadata: { who: 'Ada' },
    external_id: 'ada-1',
    order_type: 'For Ada',
    event_category: "Ada's birthday",
    payment_method: "Ada's voucher",
  }).map(([field, value]) => [`order.update of ${field}`, 'order.update', () => ({ id: order['id'], [field]: value })] as const),
  ['order.update of a new line', 'order.update', () => ({ id: order['id'], items: [{ name: "Ada's cake", quantity: 1, unit_price: 1 }] })],
  ["order.update of a line's name", 'order.update', () => ({ id: order['id'], items: [{ id: order['items'][0].id, name: "Ada's cake" }] })],
  ["order.update of a line's notes", 'order.update', () => ({ id: order['id'], items: [{ id: order['items'][0].id, notes: 'for Ada' }] })],
  [
    'payment.create with a description',
    'payment.create',
    () => ({ order_id: order['id'], amount: 1, method: 'cash', status: 'completed', description: 'from Ada' }),
  ],
  [
    'payment.create with card details',
    'payment.create',
    () => ({ order_id: order['id'], amount: 1, method: 'card', status: 'completed', method_details: { brand: 'visa', last4: '4242' } }),
  ],
  ['payment.refund with a description', 'payment.refund', () => ({ id: payment, amount: 1, description: 'to Ada' })],
];

/** Writes that put no text on a record. */
const others: readonly (readonly [string, string, () => object])[] = [
  ['order.update of stored texts', 'order.update', () => ({ id: order['id'], order_type: 'Standing', items: order['items'], tax: 1 })],
  ['order.update of amounts', 'order.update', () => ({ id: order['id'], items: [{ id: order['items'][1].id, quantity: 9 }], discount: 1 })],
  ['order.update of a method of the list', 'order.update', () => ({ id: order['id'], payment_method: 'cash' })],
  ['order.update that empties texts', 'order.update', () => ({ id: order['id'], notes: null, metadata: {} })],
  ['order.set_status', 'order.set_status', () => ({ id: order['id'], status: 'confirmed' })],
  ['payment.create without text', 'payment.create', () => ({ order_id: order['id'], amount: 1, method: 'cash', status: 'completed' })],
  ['payment.refund without text', 'payment.refund', () => ({ id: payment, amount: 1 })],
  ['payment.correct_amount', 'payment.correct_amount', () => ({ id: payment, amount: 49 })],
  ['payment.set_status', 'payment.set_status', () => ({ id: payment, status: 'approved' })],
  ['payment.void', 'payment.void', () => ({ id: payment })],
];

const placeAndErase = async () => {
  await placeOrder();
  expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true });
  order = { ...order, ...(await service.world.store.orders.get(account.id, order['id']))?.record };
};

describe('text after the erasure of a customer', () => {
  beforeAll(placeAndErase);

  test.each(texts)('%s fails with 409 for an erased customer, and stores nothing', async (_, action, input) => {
    const before = await service.world.store.orders.get(account.id, order['id']);
    expect(await errorOf(action, input())).toMatchObject({ status: 409, code: 'conflict' });
    expect(await service.world.store.orders.get(account.id, order['id'])).toEqual(before);
    expect(await service.world.store.payments.ofOrder(account.id, order['id'])).toHaveLength(1);
  });
});

describe('an erased customer', () => {
  beforeEach(placeAndErase);

  test.each(others)('%s still works for an erased customer', async (_, action, input) => {
    await act(action, input());
  });

  test('POST /orders for an erased customer fails with customer_not_found', async () => {
    const { error } = await post('/orders', { customer: { id: customer }, items: [{ name: 'Cake', quantity: 1, unit_price: 1 }] });
    expect(error).toMatchObject({ code: 'customer_not_found', field: 'customer.id' });
  });
});

describe('during the erasure of a customer', () => {
  beforeEach(placeOrder);

  test.each(texts)('%s that commits during the erasure is erased or fails', async (_, action, input) => {
    const { wire } = service.world;
    const prepared = input();
    let running: Promise<unknown> | undefined;
    wire.intercept(async (call, send) => {
      // The erasure begins between the reads and the commit of the write.
      if (call.operation === 'TransactWriteItems' && !running) {
        running = service.call('customer.erase', account.id, { id: customer });
        await running;
      }
      return send();
    });
    await service.call(action, account.id, prepared);
    wire.intercept(undefined);
    await act('customer.erase', { id: customer });
    const stored = await service.world.store.orders.get(account.id, order['id']);
    const payments = await service.world.store.payments.ofOrder(account.id, order['id']);
    expect(JSON.stringify([stored?.record, payments])).not.toMatch(/Ada|1 Mill Lane|4242/);
  });

  test('customer.erase runs every step again when it is called again', async () => {
    await act('customer.erase', { id: customer });
    // A record that an older version could have stored after the erasure.
    const { store } = service.world;
    const stored = await store.orders.get(account.id, order['id']);
    if (!stored) throw new Error('No order.');
    await store.commit([store.orders.replaceWrite(account.id, { ...stored.record, notes: 'Ada rang' }, stored)]);
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true, orders: 1 });
    expect((await store.orders.get(account.id, order['id']))?.record.notes).toBeNull();
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true, orders: 0 });
  });
});

/** Texts beside the fields that an erasure empties, and what it leaves of them. */
const names: readonly (readonly [string, string])[] = [
  ['Cake for Ada Crumb', 'Cake for [erased]'],
  ["Crumb, Ada's cake", "[erased]'s cake"],
  ['CRUMB ADA', '[erased]'],
  ['Crumb cake', 'Crumb cake'],
  ['Ada loaf', 'Ada loaf'],
  ['Call 030-5550199x', 'Call 030-5550199x'],
  ['Call 030 / 555 01 99', 'Call [erased]'],
  ['For ADA@xn--bcher-kva.example', 'For [erased]'],
  ['Voucher 2026-03-05 over 1,234.50', 'Voucher 2026-03-05 over 1,234.50'],
];

test('customer.erase removes names, emails and phones from every free text of an order, and keeps goods', async () => {
  const ada = { first_name: 'Ada', last_name: 'Crumb', email: 'ada@bücher.example', phone: '030 5550199' };
  const { id } = await post('/customers', ada);
  const product = await act('product.create', { name: 'Ada Crumb cake', price: 5, status: 'active', currency: 'USD' });
  const items = [
    ...names.map(([name]) => ({ name, quantity: 1, unit_price: 1 })),
    { product_id: product['id'], quantity: 1 },
    { product_id: product['id'], name: 'Ada Crumb roll', quantity: 1 },
  ];
  const made = await Promise.all(
    names.map(([text]) => post('/orders', { customer: { id }, items, order_type: text, event_category: text, payment_method: text })),
  );
  const card = await post('/orders', { customer: { id }, items: [items[0]], payment_method: 'card' });
  expect(await act('customer.erase', { id })).toMatchObject({ erased: true, orders: names.length + 1 });
  const stored = async (order: { id: string }) => (await service.world.store.orders.get(account.id, order.id))?.record;
  for (const [index, order] of made.entries()) {
    const [, text] = names[index] ?? [];
    const record = await stored(order);
    expect(record).toMatchObject({ order_type: text, event_category: text, payment_method: text });
    expect(record?.items.map(({ name }) => name)).toEqual([...names.map(([, name]) => name), 'Ada Crumb cake', '[erased] roll']);
  }
  expect(await stored(card)).toMatchObject({ payment_method: 'card' });
});

describe('the label of a fee', () => {
  const fee = (order_id: string, day: string) => ({ order_id, order_label: 'Cake of Ada Crumb', gateway: 'stripe', amount: 1, date: day });
  const labels = async (day: string) =>
    (await service.world.store.gatewayFees.lines(account.id, day)).lines.map((line) => line.order_label);
  const ownNumber = () => `#${order['order_number']}`;
  beforeEach(placeOrder);

  test('gateway_fee.record and gateway_fee.book give a line about the order of an erased customer its number', async () => {
    await act('gateway_fee.record', fee(order['id'], '2026-04-01'));
    const { store } = service.world;
    const { date: _, ...line } = { ...fee(order['id'], ''), transaction_id: `ch_${order['id']}` };
    const unbooked = { line, day: '2026-04-01', currency: 'USD', at: order['created_at'], reason: 'another currency' };
    await store.commit([store.gatewayFees.keepAsideWrite(account.id, unbooked)]);
    expect(await labels('2026-04-01')).toEqual(['Cake of Ada Crumb']);
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true });
    const recorded = await act('gateway_fee.record', fee(order['id'], '2026-04-01'));
    expect(recorded['line_items'].map((shown: { order_label: string }) => shown.order_label)).toEqual([ownNumber(), ownNumber()]);
    await act('gateway_fee.book', { transaction_id: line.transaction_id, date: '2026-04-01' });
    expect(await labels('2026-04-01')).toEqual([ownNumber(), ownNumber(), ownNumber()]);
  });

  test('customer.erase moves updated_at of an expense whose line loses the name, and of no other', async () => {
    const feeOn = async (day: string) => (await service.world.request('GET', `/expenses/gateway_fees_${day}`, { key })).body;
    await act('gateway_fee.record', fee(order['id'], '2026-04-04'));
    await act('gateway_fee.record', { ...fee(order['id'], '2026-04-05'), order_label: ownNumber() });
    const [named, numbered] = [await feeOn('2026-04-04'), await feeOn('2026-04-05')];
    service.world.clock.advance(1_000);
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true, gateway_fees: 1 });
    const after = await feeOn('2026-04-04');
    expect(after.updated_at > named.updated_at).toBe(true);
    expect(after).toEqual({
      ...named,
      line_items: [{ ...named.line_items[0], order_label: ownNumber() }],
      updated_at: after.updated_at,
    });
    expect(await feeOn('2026-04-05')).toEqual(numbered);
    const { body } = await service.world.request('GET', `/expenses?updated_after=${after.updated_at}`, { key });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['gateway_fees_2026-04-04']);
  });

  test('gateway_fee.record keeps the label of an order whose customer is not erased, or that is not known', async () => {
    await act('gateway_fee.record', fee(order['id'], '2026-04-02'));
    await act('gateway_fee.record', fee('ord_unknown', '2026-04-02'));
    expect(await labels('2026-04-02')).toEqual(['Cake of Ada Crumb', 'Cake of Ada Crumb']);
  });

  test('gateway_fee.record leaves no name if the customer is erased between its reads and its commit', async () => {
    const { wire } = service.world;
    let running: Promise<unknown> | undefined;
    wire.intercept(async (call, send) => {
      if (call.operation === 'TransactWriteItems' && !running) {
        running = act('customer.erase', { id: customer });
        await running;
      }
      return send();
    });
    await act('gateway_fee.record', fee(order['id'], '2026-04-03'));
    wire.intercept(undefined);
    expect(await labels('2026-04-03')).toEqual([ownNumber()]);
  });
});
