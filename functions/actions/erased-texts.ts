import {
  eraseOrder,
  erasePayment,
  hasText,
  isAnothersOrder,
  isSame,
  eraseCustomer as withoutPerson,
} from '../../shared/domain/erased-fields.ts';
import { eraseEvent, eraseLabel, isOrderOf } from '../../shared/domain/erasure.ts';
import { decodeEvent } from '../../shared/domain/event/envelope.ts';
import type { FeeLine } from '../../shared/domain/expense/fields.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/fields.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import type { Person } from '../../shared/domain/person.ts';
import { namesOfProduct } from '../../shared/domain/product/rules.ts';
import { type ActionServices, inParallel } from './action.ts';

export type Services = Pick<ActionServices, 'store' | 'clock' | 'random'>;

/** An erasure that is in progress. */
export interface Run extends Services {
  readonly account: string;
  readonly person: Person;
  /**
   * Records with the email belong to the erased person if they are not newer than this time. Newer
   * records may belong to someone else.
   */
  readonly erased_at: string;
  readonly now: string;
  /** Set during an erasure: the records of earlier stages are already without the person. */
  readonly isErasing?: true;
}

type Placed = Pick<Order, 'customer_id' | 'customer_email' | 'customer_phone' | 'created_at'>;

export const isTheirOrder = ({ person, erased_at }: Run, order: Placed): boolean =>
  order.customer_id === person.id || (order.created_at <= erased_at && isOrderOf(order, person));

/** Returns the order's name in the line of its gateway fee, without the person. */
export const labelWithout = async (
  run: Run,
  { order_id, order_label: label }: Pick<FeeLine, 'order_id' | 'order_label'>,
): Promise<string> => {
  const { store, account, person } = run;
  // A number is assigned by the service and identifies no person.
  if (/^#\d+$/.test(label)) return label;
  const order = (await store.orders.get(account, order_id))?.record;
  return order && isTheirOrder(run, order) ? friendlyOrderNumber(order) : eraseLabel(label, person);
};

/**
 * Whether a stored response contains a record of that noun. The operations are named `createOrder`
 * (routes) or `order.update` (dashboard actions).
 */
const shows = (noun: 'customer' | 'order' | 'payment', of: string): boolean =>
  of.startsWith(`${noun}.`) || of.toLowerCase() === `create${noun}`;

/** Returns the names of the lines' products and variants in the catalog. An erasure keeps them. */
export const goodsOf = async ({ store, account }: Run, items: Order['items']): Promise<ReadonlySet<string>> => {
  const ids = new Set(items.flatMap(({ product_id }) => product_id ?? []));
  const products = await store.products.getMany(account, [...ids]);
  return new Set([...products.values()].flatMap(namesOfProduct));
};

/**
 * Returns a payment of a response or an event without its texts; undefined if it does not concern the
 * person. The payment of an order with their email may have another customer. An erasure has emptied
 * the order and the record of the payment before it comes to the responses and events.
 */
const paymentWithout = async <Shown extends object>(run: Run, shown: Shown): Promise<Shown | undefined> => {
  const { store, account, person } = run;
  const { id, order_id, customer_id } = shown as Partial<Payment>;
  const left = erasePayment(shown);
  if (customer_id === person.id) return left;
  if (!id || !order_id || isSame(left, shown)) return undefined;
  const [payment, order] = await Promise.all([run.isErasing && store.payments.get(account, id), store.orders.get(account, order_id)]);
  const isEmptied = payment && !hasText(payment.record);
  const isTheirs = order && isTheirOrder(run, order.record) && !isAnothersOrder(order.record, person);
  return isEmptied || isTheirs ? left : undefined;
};

/** Returns a stored response of the operation without the person; the same text if it does not concern them. */
export const eraseAnswer = async (of: string, text: string, run: Run): Promise<string> => {
  const { person } = run;
  const body = JSON.parse(text) as Placed &
    Partial<Pick<Order, 'items'>> & { readonly id: string; readonly line_items?: readonly FeeLine[] };
  if (of.startsWith('gateway_fee.') && body.line_items) {
    const lines = await inParallel(body.line_items, async (line) => ({ ...line, order_label: await labelWithout(run, line) }));
    return JSON.stringify({ ...body, line_items: lines });
  }
  if (shows('customer', of) && body.id === person.id) return JSON.stringify(withoutPerson(body));
  if (shows('payment', of)) return JSON.stringify((await paymentWithout(run, body)) ?? body);
  if (!shows('order', of) || !isTheirOrder(run, body)) return text;
  return JSON.stringify(eraseOrder(body, person, await goodsOf(run, body.items ?? [])));
};

/** Returns the body of an event without the person; undefined if it does not concern them. */
export const eventWithout = async (run: Run, body: string): Promise<string | undefined> => {
  const left = eraseEvent(body, run.person, Date.parse(run.erased_at) / 1000);
  const event = decodeEvent(body);
  if (left !== undefined || !event.type.startsWith('payment.')) return left;
  const object = await paymentWithout(run, event.data.object);
  return object && JSON.stringify({ ...event, data: { ...event.data, object } });
};
