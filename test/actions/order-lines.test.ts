import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Order } from '../../shared/domain/order/fields.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { productOf } from '../support/products.ts';
import { shared } from '../support/shared.ts';
import { orderItemOf, writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

// Guarantee 28 (docs/guarantees.md)

const variants = [
  { id: 'small', name: 'Small', price: 25 },
  { id: 'large', name: 'Large', price: 90 },
];
const cake = { product_id: 'prd_cake', name: 'Cake', quantity: 1 };
const bread = { product_id: 'prd_bread', name: 'Plain bread', quantity: 1 };

const dashboard = shared(startDashboard);
let account: string;
let order: Order;
beforeEach(async () => {
  account = await dashboard.openAccount();
  const { store, clock } = dashboard.services;
  const sell = (product: Partial<Product>) => store.products.createWrite(account, productOf(clock.now(), product));
  await store.commit([
    sell({ id: 'prd_cake', name: 'Cake', price: 10, variants }),
    sell({ id: 'prd_bread', name: 'Bread', price: 7 }),
    sell({ id: 'prd_euro', name: 'Brot', currency: 'EUR' }),
  ]);
  order = await writeOrder(dashboard.services, account, {
    items: [
      orderItemOf({ ...cake, id: 'line_a', variant_id: 'small', name: 'Cake – Small', unit_price: 20, total: 20, notes: 'no nuts' }),
      orderItemOf({ ...cake, id: 'line_b', variant_id: 'large', name: 'Cake – Large', unit_price: 80, total: 80 }),
      orderItemOf({ ...bread, id: 'line_c', unit_price: 8, total: 8 }),
      orderItemOf({ ...bread, id: 'line_d', unit_price: 9, total: 9 }),
    ],
    subtotal: 117,
    total: 117,
  });
});

const update = async (items: object[]) => (await dashboard.act('order.update', account, { id: order.id, items }))['items'];
const errorOf = (items: object[]) => dashboard.errorOf('order.update', account, { id: order.id, items });

describe('order.update of lines', () => {
  test('order.update of lines with an id keeps the agreed product, variant, name, price and notes of the line', async () => {
    expect(await update([{ id: 'line_b', quantity: 2 }, { id: 'line_a' }])).toEqual([
      { ...order.items[1], quantity: 2, total: 160 },
      order.items[0],
    ]);
  });

  test('order.update of lines with an id changes the values that are sent', async () => {
    const sent = { id: 'line_a', quantity: 3, name: 'Birthday cake', unit_price: 21.5, notes: null };
    expect(await update([sent])).toEqual([{ ...order.items[0], ...sent, total: 64.5 }]);
  });

  test('order.update of lines as read changes nothing and emits nothing', async () => {
    const { items, updated_at } = await dashboard.act('order.update', account, { id: order.id, items: order.items });
    expect([items, updated_at]).toEqual([order.items, order.updated_at]);
    expect((await dashboard.services.store.orders.get(account, order.id))?.revision).toBe(1);
  });

  test('a line as read may have another quantity, and its total follows', async () => {
    const [first, ...rest] = order.items;
    const [changed] = await update([{ ...first, quantity: 3 }, ...rest]);
    expect(changed).toMatchObject({ id: first?.id, quantity: 3, total: 3 * (first?.unit_price ?? 0) });
  });

  test("lines without an id are new: at the agreed price of the product and variant, or at the catalog's", async () => {
    const [existing, agreed, offered] = await update([
      { id: 'line_a', quantity: 1 },
      { product_id: 'prd_cake', variant_id: 'large', quantity: 2 },
      { product_id: 'prd_cake', variant_id: 'small', unit_price: 22, quantity: 1 },
    ]);
    expect(existing).toEqual(order.items[0]);
    expect(agreed).toMatchObject({ variant_id: 'large', name: 'Cake – Large', unit_price: 80, total: 160 });
    expect(offered).toMatchObject({ variant_id: 'small', unit_price: 22 });
    expect(new Set([existing.id, agreed.id, offered.id]).size).toBe(3);
  });

  test.each<[string, string, (items: readonly object[]) => object[]]>([
    ['an unknown id', 'items.0', () => [{ id: 'line_x', quantity: 1 }]],
    ['a total that is not calculated', 'items.1.total', ([first, second]) => [{ ...first }, { ...second, total: 0.01 }]],
    ['another total of a new line', 'items.0.total', () => [{ name: 'Candle', quantity: 1, unit_price: 1, total: 2 }]],
    ['an id twice', 'items.1', () => [{ id: 'line_a' }, { id: 'line_a' }]],
    ['a product at several prices without id and price', 'items.0', () => [{ product_id: 'prd_bread', quantity: 1 }]],
    ['a product with variants, without a variant and a price', 'items.0.variant_id', () => [{ product_id: 'prd_cake', quantity: 1 }]],
    ['a product priced in another currency', 'items.0', () => [{ product_id: 'prd_euro', quantity: 1 }]],
    ['a total that is not calculated', 'items.0.total', () => [{ id: 'line_a', quantity: 2, total: 1 }]],
    ['a new line without a quantity', 'items.0.quantity', () => [{ name: 'Candle', unit_price: 1 }]],
    ['another product for a line', 'items.0.product_id', () => [{ id: 'line_a', product_id: 'prd_other', quantity: 1 }]],
    ['another variant for a line', 'items.0.variant_id', () => [{ id: 'line_a', variant_id: 'large', quantity: 1 }]],
    ['an unknown variant', 'items.0.variant_id', () => [{ product_id: 'prd_cake', variant_id: 'huge', quantity: 1 }]],
    ['a variant without a product', 'items.0.variant_id', () => [{ name: 'Cake', unit_price: 1, variant_id: 'small', quantity: 1 }]],
  ])('order.update of lines rejects %s and names %s', async (_, field, items) => {
    expect(await errorOf(items(order.items))).toMatchObject({ status: 400, code: 'invalid_value', field });
    expect((await dashboard.services.store.orders.get(account, order.id))?.record).toEqual(order);
  });

  test('order.update of lines with a product at several prices is accepted with a price', async () => {
    expect(await update([{ ...bread, name: undefined, unit_price: 7 }])).toMatchObject([{ name: 'Plain bread', unit_price: 7 }]);
  });

  test('order.update of lines with a product that has variants is accepted without one if it has a price', async () => {
    expect(await update([{ ...cake, unit_price: 7 }])).toMatchObject([{ variant_id: null, unit_price: 7 }]);
  });

  test('a new order line never gets the id of a removed one', async () => {
    const candle = { name: 'Candle', unit_price: 1, quantity: 1 };
    const usedIds = new Set<string>();
    let lines: readonly { readonly id: string }[] = [];
    for (const remains of [0, 2, 1, 1, 0]) {
      lines = await update([...lines.slice(0, remains).map(({ id }) => ({ id })), candle, candle]);
      const added = lines.slice(-2).map(({ id }) => id);
      for (const id of added) expect(usedIds).not.toContain(id);
      for (const id of added) usedIds.add(id);
    }
    const removed = [...usedIds].find((id) => !lines.some((line) => line.id === id));
    expect(await errorOf([{ id: removed, quantity: 30 }])).toMatchObject({ status: 400, field: 'items.0' });
  });
});
