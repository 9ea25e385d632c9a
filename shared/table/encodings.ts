import { timeOfId } from '../core/ids.ts';
import { isoFromMs } from '../core/time.ts';
import type { Expense, ExpenseSummary } from '../domain/expense/fields.ts';
import { noPayment } from '../domain/expense/rules.ts';
import { type Order, type OrderItem, orderFields } from '../domain/order/fields.ts';
import { emptyValuesOf } from '../domain/record-fields.ts';
import type { Item } from './client.ts';
import { kindOf } from './keys.ts';
import type { Kind } from './schema.ts';

/**
 * DynamoDB bills a record's write and each index entry in units of 1 KB. So these encodings leave
 * out empty fields, and the id, which is the sort key. Fields of an expense that no list shows are
 * stored outside the view, so that no index copies them. An order's items are rows without field
 * names, its customer's fields have short names, and its times are milliseconds.
 */

/** Returns the fields that differ from their default. */
const sparse = <Fields extends object>(fields: Fields, defaults: Partial<Fields>): Partial<Fields> => {
  const differing = Object.entries(fields).filter(
    ([name, value]) => !Object.hasOwn(defaults, name) || JSON.stringify(value) !== JSON.stringify(defaults[name as keyof Fields]),
  );
  return Object.fromEntries(differing) as Partial<Fields>;
};

/** An item of an order without field names, which would take more space than the values. */
type Row = readonly [
  name: string,
  quantity: number,
  unit_price: number,
  total: number,
  /**
   * `product_id`, `notes`, the item's id if it differs from the generated id, and `variant_id`. Null
   * values at the end are left out.
   */
  ...optional: (string | null)[],
];

const orderDefaults = emptyValuesOf(orderFields);

const lineId = (order: string, index: number): string => `${order}_${index + 1}`;

const encodeLine = (order: string, { name, quantity, unit_price, total, ...line }: OrderItem, index: number): Row => {
  const id = line.id === lineId(order, index) ? null : line.id;
  const optional = [line.product_id, line.notes, id, line.variant_id];
  const usedLength = optional.findLastIndex((value) => value !== null) + 1;
  return [name, quantity, unit_price, total, ...optional.slice(0, usedLength)];
};

const decodeLine = (order: string, row: Row, index: number): OrderItem => {
  const [name, quantity, unit_price, total, product_id = null, notes = null, id, variant_id = null] = row;
  return { id: id ?? lineId(order, index), product_id, variant_id, name, quantity, unit_price, total, notes };
};

/** The customer fields of an order: `customer_id`, `customer_name` and others. */
type Buyer = Readonly<Record<'customer' | 'name' | 'email' | 'phone', string | null>>;
const nobody: Buyer = { customer: null, name: null, email: null, phone: null };

/** An order's view as stored. */
interface StoredOrder extends Partial<Buyer> {
  readonly items: readonly Row[];
  /** Creation time in milliseconds. Absent if the id contains the same time. */
  readonly created_ms?: number;
  readonly updated_ms: number;
}

const encodeOrder = (order: Order): Item => {
  const { id, items, customer_id, customer_name, customer_email, customer_phone, created_at, updated_at, ...fields } = order;
  const created_ms = Date.parse(created_at);
  const view: StoredOrder = {
    ...sparse<typeof fields>(fields, orderDefaults),
    ...sparse<Buyer>({ customer: customer_id, name: customer_name, email: customer_email, phone: customer_phone }, nobody),
    ...(created_ms === timeOfId(id) ? {} : { created_ms }),
    updated_ms: Date.parse(updated_at),
    items: items.map((line, index) => encodeLine(id, line, index)),
  };
  return { view };
};

const decodeOrder = (id: string, stored: StoredOrder): Item => {
  const { items, customer, name, email, phone, created_ms = timeOfId(id), updated_ms, ...fields } = { ...nobody, ...stored };
  return {
    id,
    ...orderDefaults,
    ...fields,
    customer_id: customer,
    customer_name: name,
    customer_email: email,
    customer_phone: phone,
    items: items.map((row, index) => decodeLine(id, row, index)),
    created_at: isoFromMs(created_ms),
    updated_at: isoFromMs(updated_ms),
  };
};

/** An expense in a list: the fields that the list shows or filters by. */
export interface ListedExpense extends ExpenseSummary {
  readonly supplier_id: string | null;
}
/** Fields of an expense that no list shows. */
type Rest = Omit<Expense, keyof ExpenseSummary | 'supplier'>;

const expenseDefaults = {
  subcategory: null,
  notes: null,
  tags: [],
  payment: noPayment,
  tax: null,
  external_id: null,
  auto_generated: false,
  transaction_count: null,
  deleted_at: null,
} as const satisfies Partial<Rest>;

const splitExpense = (expense: Expense) => {
  const { id, amount, currency, category, date, status, source, editable, description, updated_at, supplier, ...rest } = expense;
  const { id: supplier_id = null, name: supplier_name = null } = supplier ?? {};
  const view = { amount, currency, category, date, status, source, editable, supplier_name, description, updated_at, supplier_id };
  return { id, view, rest };
};

export const listedExpense = (expense: Expense): ListedExpense => {
  const { id, view } = splitExpense(expense);
  return { id, ...view };
};

const encodeExpense = (expense: Expense): Item => {
  const { view, rest } = splitExpense(expense);
  return { view, rest: sparse<Rest>(rest, expenseDefaults) };
};

const decodeExpense = ({ sk, view, rest }: Item): Expense => {
  if (!rest) throw new Error('The stored expense lacks the attribute `rest`.');
  const { supplier_id: id, supplier_name: name, ...shown } = view as Omit<ListedExpense, 'id'>;
  const supplier = id === null && name === null ? null : { id, name };
  return { id: String(sk), ...shown, ...expenseDefaults, supplier, ...(rest as Omit<Rest, keyof typeof expenseDefaults>) };
};

/** Returns the attributes that store a record. */
export const encode = (kind: Kind, record: object): Item => {
  if (kind === 'order') return encodeOrder(record as Order);
  return kind === 'expense' ? encodeExpense(record as Expense) : { view: record };
};

/** Customers that were stored by a former version have no custom fields. */
const decodeCustomer = (view: object): Item => ({ custom_fields: {}, ...view });

/** Returns an item of the table or of an index, with the listed fields decoded. */
export const withListed = (item: Item): Item => {
  const kind = kindOf(item['pk']);
  if (kind === 'order') return { ...item, view: decodeOrder(String(item['sk']), item['view'] as never) };
  return kind === 'customer' ? { ...item, view: decodeCustomer(item['view'] as object) } : item;
};

/** Returns the listed fields of an item that `withListed` made. */
export const listedOf = <Listed>(item: Item): Listed => ({ id: item['sk'], ...(item['view'] as object) }) as Listed;

/** Returns the record that an item of the table or of the change stream stores. */
export const decode = <Record>(item: Item): Record =>
  (kindOf(item['pk']) === 'expense' ? decodeExpense(item) : withListed(item)['view']) as Record;
