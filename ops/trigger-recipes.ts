import type { Client } from '../clients/typescript/src/index.ts';
import type { EventType } from '../shared/domain/event/types.ts';
import type { Bakery } from './bakery.ts';

/** What a recipe writes with. */
export interface Kitchen {
  readonly act: Bakery['act'];
  /** The REST API, which alone makes orders and customers; with a key of the account. */
  readonly api: <Result>(call: (client: Client) => Promise<Result>) => Promise<Result>;
}

/** Names and ids of the records that were written; the last one is what the event is about. */
export type Made = Readonly<Record<string, string>>;

const dayMs = 86_400_000;
const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const tart = { name: 'Plum tart', price: 26, category: 'cakes', description: 'With almond crust.' };
const marketDay = {
  description: 'Market day',
  sale_type: 'market',
  location: 'Town square',
  items: [{ name: 'Cinnamon roll', quantity: 12, unit_price: 4.5 }],
  payment_method: 'cash',
};
const flour = {
  type: 'ingredient',
  name: 'Rye flour',
  category: 'dry',
  current_stock: 20,
  reorder_point: 5,
  unit: 'kg',
  supplier_name: 'Old Mill',
};

const make = async ({ act }: Kitchen, action: string, input: unknown): Promise<string> => String((await act(action, input))['id']);

const order = async ({ api }: Kitchen): Promise<string> => {
  const body = {
    customer: { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' },
    items: [{ name: 'Birthday cake', quantity: 1, unit_price: 48 }],
    delivery_date: dayFromNow(7),
    delivery_time: '08:00',
  };
  return (await api((client) => client.orders.create(body))).id;
};
const customer = async ({ api }: Kitchen): Promise<string> => {
  const body = { first_name: 'Grace', last_name: 'Miller', email: `grace.${Date.now().toString(36)}@example.com`, marketing_email: true };
  return (await api((client) => client.customers.create(body))).id;
};
const product = (kitchen: Kitchen) => make(kitchen, 'product.create', tart);
const expense = (kitchen: Kitchen) =>
  make(kitchen, 'expense.create', { amount: 12.5, date: dayFromNow(0), category: 'ingredients', description: 'Yeast', status: 'recorded' });
const quickSale = (kitchen: Kitchen) => make(kitchen, 'quick_sale.create', { ...marketDay, date: dayFromNow(0) });
const orderAndPayment = async (kitchen: Kitchen, status: string) => {
  const order_id = await order(kitchen);
  const payment = await make(kitchen, 'payment.create', {
    order_id,
    amount: 48,
    method: 'card',
    status,
    method_details: { brand: 'visa', last4: '4242' },
  });
  return { order: order_id, payment };
};

/** For each type the writes that emit it (§ Payloads, decisions §7); some emit other types on the way. */
export const recipes: Readonly<Record<EventType, (kitchen: Kitchen) => Promise<Made>>> = {
  'order.created': async (kitchen) => ({ order: await order(kitchen) }),
  'order.updated': async (kitchen) => {
    const id = await order(kitchen);
    return { order: await make(kitchen, 'order.update', { id, notes: 'Write "Ada, 40" on it.' }) };
  },
  'order.status_changed': async (kitchen) => {
    const id = await order(kitchen);
    return { order: await make(kitchen, 'order.set_status', { id, status: 'confirmed' }) };
  },
  'order.deleted': async (kitchen) => {
    const id = await order(kitchen);
    await kitchen.act('order.delete', { id });
    return { order: id };
  },
  'customer.created': async (kitchen) => ({ customer: await customer(kitchen) }),
  'customer.updated': async (kitchen) => {
    const id = await customer(kitchen);
    return { customer: await make(kitchen, 'customer.update', { id, phone: '+1 555 0123' }) };
  },
  'product.created': async (kitchen) => ({ product: await product(kitchen) }),
  'product.updated': async (kitchen) => {
    const id = await product(kitchen);
    return { product: await make(kitchen, 'product.update', { id, price: 28 }) };
  },
  'product.deleted': async (kitchen) => {
    const id = await product(kitchen);
    await kitchen.act('product.delete', { id });
    return { product: id };
  },
  'payment.created': (kitchen) => orderAndPayment(kitchen, 'pending'),
  'payment.updated': async (kitchen) => {
    const made = await orderAndPayment(kitchen, 'pending');
    await kitchen.act('payment.correct_amount', { id: made.payment, amount: 45 });
    return made;
  },
  'payment.completed': async (kitchen) => {
    const made = await orderAndPayment(kitchen, 'pending');
    await kitchen.act('payment.set_status', { id: made.payment, status: 'completed' });
    return made;
  },
  'payment.failed': async (kitchen) => {
    const made = await orderAndPayment(kitchen, 'submitted');
    await kitchen.act('payment.set_status', { id: made.payment, status: 'failed' });
    return made;
  },
  'payment.refunded': async (kitchen) => {
    const made = await orderAndPayment(kitchen, 'completed');
    return { ...made, refund: await make(kitchen, 'payment.refund', { id: made.payment, amount: 18, description: 'Cake arrived late' }) };
  },
  'quick_sale.created': async (kitchen) => ({ quick_sale: await quickSale(kitchen) }),
  'quick_sale.updated': async (kitchen) => {
    const id = await quickSale(kitchen);
    return { quick_sale: await make(kitchen, 'quick_sale.update', { id, location: 'Station' }) };
  },
  'quick_sale.deleted': async (kitchen) => {
    const id = await quickSale(kitchen);
    await kitchen.act('quick_sale.delete', { id });
    return { quick_sale: id };
  },
  'expense.created': async (kitchen) => ({ expense: await expense(kitchen) }),
  'expense.updated': async (kitchen) => {
    const id = await expense(kitchen);
    return { expense: await make(kitchen, 'expense.update', { id, amount: 13.75 }) };
  },
  'inventory.low': async (kitchen) => {
    const id = await make(kitchen, 'inventory.put', flour);
    return { inventory_item: await make(kitchen, 'inventory.adjust', { id, delta: -16 }) };
  },
};
