import type { Order, OrderItem } from '../domain/order/record.ts';
import { kinds } from './schema.ts';
import { sparse } from './sparse.ts';
import type { Item } from './write.ts';

/**
 * An order is written once and once more for each of its index entries, by the KB: the names of its items' members weigh more than
 * the items. So items are kept as rows, and neither the id, which is the sort key, nor members that say nothing are kept.
 */
type PackedItem = readonly [
  name: string,
  quantity: number,
  unit_price: number,
  total: number,
  product_id?: string | null,
  notes?: string | null,
  /** Where it is not what new items of the order get. */
  id?: string,
];

const unsaid = {
  external_id: null,
  tax: 0,
  delivery_fee: 0,
  discount: 0,
  customer_id: null,
  customer_name: null,
  customer_email: null,
  customer_phone: null,
  delivery_date: null,
  delivery_time: null,
  delivery_address: null,
  order_type: null,
  payment_method: null,
  event_category: null,
  notes: null,
  custom_fields: {},
  metadata: {},
  previous_status: null,
  counted: null,
  deleted_at: null,
} as const satisfies Partial<Order>;

const lineId = (order: string, index: number): string => `${order}_${index + 1}`;

const packItem = (order: string, { id, product_id, name, quantity, unit_price, total, notes }: OrderItem, index: number): PackedItem => {
  if (id !== lineId(order, index)) return [name, quantity, unit_price, total, product_id, notes, id];
  if (notes !== null) return [name, quantity, unit_price, total, product_id, notes];
  return product_id === null ? [name, quantity, unit_price, total] : [name, quantity, unit_price, total, product_id];
};

const unpackItem = (order: string, row: PackedItem, index: number): OrderItem => {
  const [name, quantity, unit_price, total, product_id = null, notes = null, id = lineId(order, index)] = row;
  return { id, product_id, name, quantity, unit_price, total, notes };
};

export const packOrder = ({ id, items, ...members }: Order): Item => ({
  ...sparse<Omit<Order, 'id' | 'items'>>(members, unsaid),
  items: items.map((item, index) => packItem(id, item, index)),
});

/** The item with its whole view: that of an order is kept packed, all others are as they are kept. */
export const unpacked = (item: Item): Item => {
  if (!String(item['pk']).startsWith(`${kinds.order}#`)) return item;
  const id = String(item['sk']);
  const view = item['view'] as Item & { readonly items: readonly PackedItem[] };
  return { ...item, view: { id, ...unsaid, ...view, items: view.items.map((row, index) => unpackItem(id, row, index)) } };
};
