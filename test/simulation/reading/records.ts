import type { Item } from '../../../local/engine/commands/values.ts';

/**
 * Reads stored items without the product's code, so that a fault of its decoders cannot hide in an
 * expectation. The names and places of the fields are those of docs/cost.md.
 */

type Stored = Readonly<Record<string, unknown>>;
export interface Fields extends Stored {
  readonly id: string;
}

/** First segment of the partition keys, by kind of record. */
export const prefixes = {
  account: 'acc',
  apiKey: 'key',
  checkoutSession: 'chk',
  counter: 'cnt',
  customer: 'cus',
  expense: 'exp',
  feeLine: 'fel',
  unbookedFee: 'fun',
  inventoryItem: 'inv',
  order: 'ord',
  payment: 'pay',
  product: 'prd',
  quickSale: 'qs',
} as const;
export type Kind = keyof typeof prefixes;

const kindNames = Object.keys(prefixes) as readonly Kind[];

/** Returns the kind of the item with this key; undefined for other kinds. */
export const kindOf = ({ pk }: Item): Kind | undefined => {
  const [prefix] = String(pk).split('#');
  return kindNames.find((kind) => prefixes[kind] === prefix);
};

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const timeOf = (id: string): number => {
  const start = id.indexOf('_') + 1;
  return [...id.slice(start, start + 10)].reduce((ms, digit) => ms * 32 + digits.indexOf(digit), 0);
};
const isoOf = (ms: unknown): string => new Date(Number(ms)).toISOString();

/** Values of an order's fields that are not stored. */
const unstoredOrder = {
  ...{ external_id: null, payment_status: 'pending', tax: 0, delivery_fee: 0, discount: 0, order_type: null, source: 'api' },
  ...{ customer: null, name: null, email: null, phone: null, delivery_type: 'pickup', delivery_date: null, delivery_time: null },
  ...{ payment_method: null, event_category: null, delivery_address: null, notes: null, custom_fields: {}, metadata: {} },
  ...{ previous_status: null, counted: null, deleted_at: null },
};

const orderIn = (id: string, stored: Stored): Fields => {
  const { customer, name, email, phone, created_ms = timeOf(id), updated_ms, items, ...rest } = { ...unstoredOrder, ...stored } as Stored;
  return {
    id,
    ...rest,
    ...{ customer_id: customer, customer_name: name, customer_email: email, customer_phone: phone },
    ...{ created_at: isoOf(created_ms), updated_at: isoOf(updated_ms) },
    items: (items as readonly (readonly unknown[])[]).map(
      ([line, quantity, unit_price, total, product_id = null, notes = null, own, variant_id = null], i) => ({
        ...{ id: own ?? `${id}_${i + 1}`, product_id, variant_id, name: line, quantity, unit_price, total, notes },
      }),
    ),
  };
};

/** Values of an expense's fields that are not stored. */
const unstoredExpense = {
  ...{ subcategory: null, notes: null, tags: [], payment: { method: null, status: null, due_date: null, reference: null }, tax: null },
  ...{ external_id: null, auto_generated: false, transaction_count: null, deleted_at: null },
};

const expenseIn = (id: string, { supplier_id, supplier_name, ...view }: Stored, rest: Stored): Fields => {
  const supplier = supplier_id === null && supplier_name === null ? null : { id: supplier_id, name: supplier_name };
  return { id, ...view, ...unstoredExpense, supplier, ...rest };
};

/** Returns the record that an item stores. */
export const recordIn = <Record = Fields>(item: Item): Record => {
  const { sk, view, rest, data } = item as Stored;
  const id = String(sk);
  const kind = kindOf(item);
  if (kind === 'order') return orderIn(id, view as Stored) as Record;
  if (kind === 'expense') return expenseIn(id, view as Stored, rest as Stored) as Record;
  return (kind === 'account' || kind === 'apiKey' ? data : view) as Record;
};
