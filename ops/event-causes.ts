import type { ActionName } from '../functions/actions/index.ts';
import type { EventType } from '../shared/domain/event/types.ts';

interface Written {
  readonly id: string;
}

/** Nouns of records that only the REST API creates. */
export type CreatedByApi = 'order' | 'customer';

/** Makes the writes that cause events. */
export interface Writer {
  /** Runs a dashboard action on the account. */
  act(action: ActionName, input: unknown): Promise<Written>;
  create(what: CreatedByApi, body: unknown): Promise<Written>;
}

/** Ids of the written records, by noun. The last event belongs to the last one. */
export type Made = Record<string, string>;

const dayMs = 86_400_000;

/**
 * Returns the bodies and inputs to write, with dates near today. Each cause sets the status of its
 * payments.
 */
export const samplesOn = (nowMs: number, email = 'jonas@example.com') => {
  const day = (offset: number): string => new Date(nowMs + offset * dayMs).toISOString().slice(0, 10);
  return {
    order: {
      customer: { first_name: 'Jonas', last_name: 'Lind', email: 'jonas@example.com' },
      items: [{ name: 'Rye loaf', quantity: 4, unit_price: 7.5 }],
      delivery_date: day(4),
    },
    // No other customer may have the email yet.
    customer: { first_name: 'Jonas', last_name: 'Lind', email },
    product: { name: 'Rye loaf', price: 7.5, category: 'bread' },
    payment: ({ order }: Made) => ({
      order_id: order,
      amount: 100,
      method: 'card',
      gateway: { provider: 'stripe', transaction_id: 'ch_4711' },
    }),
    quickSale: {
      date: day(-2),
      location: 'Market square',
      items: [{ name: 'Roll', quantity: 12, unit_price: 1.5 }],
      payment_method: 'cash',
    },
    expense: { amount: 62.4, date: day(-1), category: 'packaging', description: 'Cake boxes', status: 'draft' },
    /** Its stock is below the reorder point. */
    inventoryItem: {
      type: 'ingredient',
      name: 'Flour',
      category: 'dry',
      current_stock: 4,
      reorder_point: 5,
      unit: 'kg',
      supplier_name: 'Old Mill',
    },
  };
};
type Samples = ReturnType<typeof samplesOn>;

interface Cause {
  /** Noun of the event's record. */
  readonly of: string;
  /** Event to cause first, if its noun has no record yet. */
  readonly after?: EventType;
  /** Field that decides the event's type. */
  readonly decidedBy?: 'status';
  /** Fields for `ops trigger --json`, as its help shows them. */
  readonly sample: object;
  write(writer: Writer, made: Made, samples: Samples): Promise<Written>;
}

type CreatedNoun<Type = EventType> = Type extends `${infer Noun}.created` ? Noun : never;

/** Returns the cause of an event by an action on a record that was created before. */
const change = (of: CreatedNoun, action: ActionName, input: object, sample: object): Cause => ({
  of,
  after: `${of}.created`,
  sample,
  write: ({ act }, made) => act(action, { id: made[of], ...input }),
});

/**
 * The write that emits each event type (§ Payloads, decisions §7). They can be run in this order.
 * Some emit other types as well.
 */
export const causes: Readonly<Record<EventType, Cause>> = {
  'customer.created': {
    of: 'customer',
    sample: { company: 'Café Nora' },
    write: ({ create }, _made, { customer }) => create('customer', customer),
  },
  'customer.updated': change('customer', 'customer.update', { phone: '+1 555 0101' }, { phone: '+43 1 555 0102' }),
  'order.created': {
    of: 'order',
    sample: { delivery_type: 'delivery', delivery_fee: 5 },
    write: ({ create }, _made, { order }) => create('order', order),
  },
  'order.updated': change('order', 'order.update', { notes: 'Ring twice' }, { delivery_time: '08:30' }),
  'order.status_changed': change('order', 'order.set_status', { status: 'ready' }, { status: 'in_production' }),
  'order.deleted': change('order', 'order.delete', {}, { delivery_type: 'delivery' }),
  'product.created': {
    of: 'product',
    sample: { name: 'Baguette', storefront_visible: true },
    write: ({ act }, _made, { product }) => act('product.create', product),
  },
  'product.updated': change('product', 'product.update', { price: 8 }, { name: 'Baguette' }),
  'product.deleted': change('product', 'product.delete', {}, { name: 'Baguette' }),
  'payment.created': {
    of: 'payment',
    sample: { amount: 250, method: 'cash' },
    write: ({ act }, made, { payment }) => act('payment.create', { ...payment(made), status: 'pending' }),
  },
  'payment.updated': change('payment', 'payment.correct_amount', { amount: 110 }, { amount: 120 }),
  'payment.completed': {
    ...change('payment', 'payment.set_status', { status: 'completed' }, { amount: 250 }),
    decidedBy: 'status',
  },
  'payment.refunded': {
    ...change('payment', 'payment.refund', { amount: 30 }, { amount: 12.5 }),
    of: 'refund',
    after: 'payment.completed',
    decidedBy: 'status',
  },
  'payment.failed': {
    of: 'payment',
    decidedBy: 'status',
    sample: { amount: 90 },
    async write({ act }, made, { payment }) {
      const { order_id } = payment(made);
      const { id } = await act('payment.create', { order_id, amount: 80, method: 'bank_transfer', status: 'submitted' });
      return act('payment.set_status', { id, status: 'failed' });
    },
  },
  'quick_sale.created': {
    of: 'quick_sale',
    sample: { location: 'Harbour' },
    write: ({ act }, _made, { quickSale }) => act('quick_sale.create', quickSale),
  },
  'quick_sale.updated': change('quick_sale', 'quick_sale.update', { location: 'Station' }, { location: 'Harbour' }),
  'quick_sale.deleted': change('quick_sale', 'quick_sale.delete', {}, { location: 'Harbour' }),
  'expense.created': {
    of: 'expense',
    sample: { category: 'ingredients' },
    write: ({ act }, _made, { expense }) => act('expense.create', expense),
  },
  'expense.updated': change('expense', 'expense.update', { amount: 64 }, { amount: 70 }),
  'inventory.low': {
    of: 'inventory_item',
    sample: { name: 'Yeast', current_stock: 1 },
    write: ({ act }, _made, { inventoryItem }) => act('inventory.put', inventoryItem),
  },
};

/**
 * Causes an event, and first creates what it needs. Adds what was written to `made`. Returns the id
 * of the event's record.
 */
export const cause = async (type: EventType, writer: Writer, samples: Samples, made: Made): Promise<string> => {
  const { of, after, write } = causes[type];
  if (after !== undefined && made[causes[after].of] === undefined) await cause(after, writer, samples, made);
  const { id } = await write(writer, made, samples);
  made[of] = id;
  return id;
};
