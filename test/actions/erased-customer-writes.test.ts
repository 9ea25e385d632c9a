import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isCommit, runBefore } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';
import { openShopFor } from './erasing.ts';

// Guarantee 11 (docs/guarantees.md)

const service = shared(startBakeries);
const { at, call, act, register } = openShopFor(beforeAll, service);
let customer: string;
let order: Record<string, any>;
let payment: string;
const errorOf = (action: string, input: object) => service.errorOf(action, at.account, input);
const storedOrder = () => service.world.store.orders.get(at.account, order['id']);

const placeOrder = async () => {
  customer = await register({ first_name: 'Ada', last_name: 'Crumb' });
  const items = [
    { name: 'Cake', quantity: 1, unit_price: 40, notes: 'no nuts' },
    { name: 'Tart', quantity: 2, unit_price: 5 },
  ];
  order = await call('POST', '/orders', {
    customer: { id: customer },
    items,
    payment_status: 'paid',
    notes: 'Ring twice',
    order_type: 'Standing',
  });
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
  order = { ...order, ...(await storedOrder())?.record };
};

describe('text after the erasure of a customer', () => {
  beforeAll(placeAndErase);

  test.each(texts)('%s fails with 409 for an erased customer, and stores nothing', async (_, action, input) => {
    const before = await storedOrder();
    expect(await errorOf(action, input())).toMatchObject({ status: 409, code: 'conflict' });
    expect(await storedOrder()).toEqual(before);
    expect(await service.world.store.payments.ofOrder(at.account, order['id'])).toHaveLength(1);
  });
});

describe('an erased customer', () => {
  beforeEach(placeAndErase);

  test.each(others)('%s still works for an erased customer', async (_, action, input) => {
    await act(action, input());
  });

  test.each<[string, () => Promise<unknown>, object]>([
    [
      'POST /orders',
      async () => {
        const body = { customer: { id: customer }, items: [{ name: 'Cake', quantity: 1, unit_price: 1 }] };
        return (await service.world.request('POST', '/orders', { key: at.shop.secretKey, body })).body.error;
      },
      { code: 'customer_not_found', field: 'customer.id' },
    ],
    ['customer.update', () => errorOf('customer.update', { id: customer, notes: 'x' }), { status: 404 }],
    [
      'payment.create',
      () => errorOf('payment.create', { customer_id: customer, amount: 1, method: 'cash', status: 'completed' }),
      { status: 400, field: 'customer_id' },
    ],
  ])('%s with the id of an erased customer fails', async (_, send, error) => {
    expect(await send()).toMatchObject(error);
  });
});

/** Runs the erasure between the reads and the commit of the write. */
const eraseBeforeCommit = async (write: () => Promise<unknown>) => {
  service.world.wire.intercept(runBefore(isCommit, () => act('customer.erase', { id: customer })));
  await write();
  service.world.wire.intercept(undefined);
};

describe('during the erasure of a customer', () => {
  beforeEach(placeOrder);

  test.each(texts)('%s that commits during the erasure is erased or fails', async (_, action, input) => {
    const prepared = input();
    await eraseBeforeCommit(() => service.call(action, at.account, prepared));
    await act('customer.erase', { id: customer });
    const payments = await service.world.store.payments.ofOrder(at.account, order['id']);
    expect(JSON.stringify([await storedOrder(), payments])).not.toMatch(/Ada|1 Mill Lane|4242/);
  });

  test('customer.erase runs every step again when it is called again', async () => {
    await act('customer.erase', { id: customer });
    // A record that an older version could have stored after the erasure.
    const { store } = service.world;
    const stored = await storedOrder();
    if (!stored) throw new Error('No order.');
    await store.commit([store.orders.replaceWrite(at.account, { ...stored.record, notes: 'Ada rang' }, stored)]);
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true, orders: 1 });
    expect((await storedOrder())?.record.notes).toBeNull();
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true, orders: 0 });
  });
});

test('customer.erase removes names, emails and phones from every free text of an order, and keeps goods', async () => {
  const id = await register({ first_name: 'Ada', last_name: 'Crumb', email: 'ada@bücher.example', phone: '030 5550199' });
  const product = await act('product.create', { name: 'Ada Crumb cake', price: 5, status: 'active', currency: 'USD' });
  const text = 'Ada loaf and Crumb cake for Crumb, Ada, ADA@xn--bcher-kva.example, 030 / 555 01 99';
  const erasedText = 'Ada loaf and Crumb cake for [erased], [erased], [erased]';
  const items = [{ name: text }, { product_id: product['id'] }, { product_id: product['id'], name: 'Ada Crumb roll' }];
  const placeText = (payment_method: string) =>
    call('POST', '/orders', {
      customer: { id },
      items: items.map((item) => ({ quantity: 1, unit_price: 5, ...item })),
      order_type: text,
      event_category: text,
      payment_method,
    });
  const made = [await placeText(text), await placeText('card')];
  expect(await act('customer.erase', { id })).toMatchObject({ erased: true, orders: 2 });
  const stored = await Promise.all(made.map(async (one) => (await service.world.store.orders.get(at.account, one.id))?.record));
  for (const record of stored) {
    expect(record).toMatchObject({ order_type: erasedText, event_category: erasedText });
    expect(record?.items.map(({ name }) => name)).toEqual([erasedText, 'Ada Crumb cake', '[erased] roll']);
  }
  expect(stored.map((record) => record?.payment_method)).toEqual([erasedText, 'card']);
});

describe('the label of a fee', () => {
  const fee = (order_id: string, day: string) => ({ order_id, order_label: 'Cake of Ada Crumb', gateway: 'stripe', amount: 1, date: day });
  const labels = async (day: string) =>
    (await service.world.store.gatewayFees.lines(at.account, day)).lines.map((line) => line.order_label);
  const ownNumber = () => `#${order['order_number']}`;
  beforeEach(placeOrder);

  test('gateway_fee.record and gateway_fee.book give a line about the order of an erased customer its number', async () => {
    await act('gateway_fee.record', fee(order['id'], '2026-04-01'));
    const { store } = service.world;
    const { date: _, ...line } = { ...fee(order['id'], ''), transaction_id: `ch_${order['id']}` };
    const unbooked = { line, day: '2026-04-01', currency: 'USD', at: order['created_at'], reason: 'another currency' };
    await store.commit([store.gatewayFees.keepAsideWrite(at.account, unbooked)]);
    expect(await labels('2026-04-01')).toEqual(['Cake of Ada Crumb']);
    expect(await act('customer.erase', { id: customer })).toMatchObject({ erased: true });
    const recorded = await act('gateway_fee.record', fee(order['id'], '2026-04-01'));
    expect(recorded['line_items'].map((shown: { order_label: string }) => shown.order_label)).toEqual([ownNumber(), ownNumber()]);
    await act('gateway_fee.book', { transaction_id: line.transaction_id, date: '2026-04-01' });
    expect(await labels('2026-04-01')).toEqual([ownNumber(), ownNumber(), ownNumber()]);
  });

  test('gateway_fee.record keeps the label of an order whose customer is not erased, or that is not known', async () => {
    await act('gateway_fee.record', fee(order['id'], '2026-04-02'));
    await act('gateway_fee.record', fee('ord_unknown', '2026-04-02'));
    expect(await labels('2026-04-02')).toEqual(['Cake of Ada Crumb', 'Cake of Ada Crumb']);
  });

  test('gateway_fee.record leaves no name if the customer is erased between its reads and its commit', async () => {
    await eraseBeforeCommit(() => act('gateway_fee.record', fee(order['id'], '2026-04-03')));
    expect(await labels('2026-04-03')).toEqual([ownNumber()]);
  });
});
