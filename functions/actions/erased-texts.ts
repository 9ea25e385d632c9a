import { changedMeanwhile } from '../../shared/core/errors.ts';
import {
  customerWithoutPerson,
  fullPersonalPart,
  isSame,
  orderWithoutPerson,
  type PersonalPart,
  paymentWithoutTexts,
} from '../../shared/domain/erased-fields.ts';
import { eraseEvent, eraseLabel } from '../../shared/domain/erasure.ts';
import { decodeEvent } from '../../shared/domain/event/envelope.ts';
import type { FeeLine } from '../../shared/domain/expense/fields.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/fields.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { type Person, sameEmail, samePhone } from '../../shared/domain/person.ts';
import { namesOfProduct } from '../../shared/domain/product/rules.ts';
import { unlessErasedWrites } from '../../shared/operations/paid-order.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import { type ActionServices, inParallel } from './action.ts';

export type ErasureServices = Pick<ActionServices, 'store' | 'clock' | 'random'>;

/** An erasure that is in progress. */
export interface ErasureRun extends ErasureServices {
  readonly account: string;
  readonly person: Person;
  /**
   * Records with the email belong to the erased person if they are not newer than this time. Newer
   * records may belong to someone else.
   */
  readonly erased_at: string;
  readonly now: string;
}

type OrderContact = Pick<Order, 'id' | 'customer_id' | 'customer_email' | 'customer_phone' | 'created_at'>;

/**
 * Whether the phone of an order stays, because its own customer has it, is not erased, and is not the
 * person (decisions §7).
 */
const isOwnersPhone = async ({ store, account, person }: ErasureRun, { customer_id, customer_phone }: OrderContact): Promise<boolean> => {
  if (!customer_id || customer_id === person.id || !customer_phone) return false;
  const owner = (await store.customers.get(account, customer_id))?.record;
  return owner !== undefined && owner.erased_at === undefined && samePhone(customer_phone, { phone: owner.phone });
};

/**
 * Returns what of an order, its view or its payload is the person's; undefined if nothing is. The
 * order is theirs by its customer id, by their email, or by their phone if it has no other customer.
 * Of another customer's order only the phone is theirs. An erasure has noted what it removed of an
 * order that no longer shows the person: it counts for versions until then. `shownAt` is the time of
 * the version.
 */
export const personalPartOf = async (run: ErasureRun, order: OrderContact, shownAt = ''): Promise<PersonalPart | undefined> => {
  const { store, account, person, erased_at } = run;
  if (order.customer_id === person.id) return fullPersonalPart;
  const noted = await store.erasures.erasedPartOf(account, order.id);
  const before = noted && shownAt <= noted.at ? noted : undefined;
  const isBefore = order.created_at <= erased_at;
  const hasEmail = isBefore && sameEmail(order.customer_email, person);
  const hasPhone = isBefore && samePhone(order.customer_phone, person);
  const details = before?.details || hasEmail || (hasPhone && order.customer_id === null);
  const phone = before?.phone || ((details || hasPhone) && !(await isOwnersPhone(run, order)));
  return details || phone ? { details, phone } : undefined;
};

/** Whether a label is a number. The service assigns it, and it identifies no person. */
const isOrderNumber = (label: string): boolean => /^#\d+$/.test(label);

type Labelled = Pick<FeeLine, 'order_id' | 'order_label'>;

/** Returns the order's name in the line of its gateway fee, without the person. */
export const labelWithoutPerson = async (run: ErasureRun, { order_id, order_label: label }: Labelled): Promise<string> => {
  const { store, account, person } = run;
  if (isOrderNumber(label)) return label;
  const order = (await store.orders.get(account, order_id))?.record;
  return order && (await personalPartOf(run, order))?.details ? friendlyOrderNumber(order) : eraseLabel(label, person);
};

/**
 * Returns the label of a new line: the order's number if its person is erased (decisions §6, Gateway
 * fees), and writes that fail as stale if its customer is erased before the line is stored.
 */
export const labelOfNewLine = async (
  store: Store,
  account: string,
  { order_id, order_label: label }: Labelled,
): Promise<{ readonly order_label: string; readonly writes: readonly Write[] }> => {
  const order = isOrderNumber(label) ? undefined : (await store.orders.get(account, order_id))?.record;
  if (!order) return { order_label: label, writes: [] };
  const { customer_id } = order;
  const [customer, noted] = await Promise.all([
    customer_id === null ? undefined : store.customers.get(account, customer_id),
    store.erasures.erasedPartOf(account, order_id),
  ]);
  if (customer?.record.erased_at !== undefined || noted?.details) return { order_label: friendlyOrderNumber(order), writes: [] };
  return { order_label: label, writes: unlessErasedWrites(store, account, [customer_id], () => changedMeanwhile('The customer')) };
};

/**
 * Whether a stored response contains a record of that noun. The operations are named `createOrder`
 * (routes) or `order.update` (dashboard actions).
 */
const showsNoun = (noun: 'customer' | 'order' | 'payment', operation: string): boolean =>
  operation.startsWith(`${noun}.`) || operation.toLowerCase() === `create${noun}`;

/** Returns the names of the lines' products and variants in the catalog. An erasure keeps them. */
export const catalogNamesOf = async ({ store, account }: ErasureRun, items: Order['items']): Promise<ReadonlySet<string>> => {
  const ids = new Set(items.flatMap(({ product_id }) => product_id ?? []));
  const products = await store.products.getMany(account, [...ids]);
  return new Set([...products.values()].flatMap(namesOfProduct));
};

/**
 * Returns a payment of a response or an event without its texts; undefined if it does not concern the
 * person. The payment of an order with their email may have another customer.
 */
const paymentWithoutPerson = async <Shown extends object>(run: ErasureRun, shown: Shown): Promise<Shown | undefined> => {
  const { store, account, person } = run;
  const { order_id, customer_id, created_at } = shown as Partial<Payment>;
  const erased = paymentWithoutTexts(shown);
  if (customer_id === person.id) return erased;
  if (!order_id || isSame(erased, shown)) return undefined;
  const order = (await store.orders.get(account, order_id))?.record;
  return order && (await personalPartOf(run, order, created_at))?.details ? erased : undefined;
};

type Shown = OrderContact & Partial<Pick<Order, 'items' | 'updated_at'>>;

/** Returns a stored response of the operation without the person; the same text if it does not concern them. */
export const responseWithoutPerson = async (operation: string, text: string, run: ErasureRun): Promise<string> => {
  const { person } = run;
  const body = JSON.parse(text) as Shown & { readonly line_items?: readonly FeeLine[] };
  if (operation.startsWith('gateway_fee.') && body.line_items) {
    const lines = await inParallel(body.line_items, async (line) => ({ ...line, order_label: await labelWithoutPerson(run, line) }));
    return JSON.stringify({ ...body, line_items: lines });
  }
  if (showsNoun('customer', operation) && body.id === person.id) return JSON.stringify(customerWithoutPerson(body));
  if (showsNoun('payment', operation)) return JSON.stringify((await paymentWithoutPerson(run, body)) ?? body);
  const part = showsNoun('order', operation) ? await personalPartOf(run, body, body.updated_at) : undefined;
  return part ? JSON.stringify(orderWithoutPerson(body, person, part, await catalogNamesOf(run, body.items ?? []))) : text;
};

/** Returns the body of an event without the person; undefined if it does not concern them. */
export const eventWithoutPerson = async (run: ErasureRun, body: string): Promise<string | undefined> => {
  const event = decodeEvent(body);
  const { type } = event;
  const object = event.data.object as unknown as Shown;
  if (type.startsWith('customer.')) return object.id === run.person.id ? eraseEvent(body, run.person, fullPersonalPart) : undefined;
  if (type.startsWith('order.')) {
    const part = await personalPartOf(run, object, object.updated_at);
    return part && eraseEvent(body, run.person, part);
  }
  const payment = type.startsWith('payment.') ? await paymentWithoutPerson(run, object) : undefined;
  return payment && JSON.stringify({ ...event, data: { ...event.data, object: payment } });
};
