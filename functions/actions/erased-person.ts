import { notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type CheckoutSession, sessionGoneSeconds } from '../../shared/domain/checkout/record.ts';
import { customerName, emailKey } from '../../shared/domain/customer/record.ts';
import { eraseOrder, erasePayment, eraseSession, eraseCustomer as withoutPerson } from '../../shared/domain/erased-fields.ts';
import { eraseEvent, eraseLabel, isOrderOf, isSessionOf } from '../../shared/domain/erasure.ts';
import type { FeeLine } from '../../shared/domain/expense/record.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/record.ts';
import type { Payment } from '../../shared/domain/payment/record.ts';
import { type Person, sameEmail } from '../../shared/domain/person.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import type { Item } from '../../shared/table/client.ts';
import { decodeBody, decodeDelivery } from '../../shared/table/delivery-items.ts';
import type { Erasure } from '../../shared/table/erasures.ts';
import { decodeLine } from '../../shared/table/gateway-fees.ts';
import { decodeAnswer } from '../../shared/table/idempotency.ts';
import { decodeRecord, type Records } from '../../shared/table/records.ts';
import type { Kind, KindsWith } from '../../shared/table/schema.ts';
import { type ActionServices, inParallel, retries } from './action.ts';

export type Services = Pick<ActionServices, 'store' | 'clock' | 'random'>;

/** A running erasure. */
export interface Run extends Services {
  readonly account: string;
  readonly person: Person;
  /**
   * Records up to this time with the email belong to the erased person; later ones may belong to
   * someone else.
   */
  readonly erased_at: string;
  readonly now: string;
}

/**
 * Removes the person from an item. Returns whether the item was changed or, if items of other kinds
 * were changed with it, how many of each kind.
 */
type Erase = (run: Run, item: Item) => Promise<boolean | Erasure['counts']>;

/** Kinds of which all records are read, because no index leads from a person to their records. */
export type SearchedKind = Exclude<Kind, KindsWith<'person', null | 'known' | 'with another'>>;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Runs `before`, then saves the record without the person. Returns whether the record contained the
 * person.
 */
const eraseRecord = async <Record extends { readonly id: string; readonly updated_at: string }>(
  run: Run,
  records: Records<Record>,
  stored: Record,
  erase: (record: Record) => Record,
  before: (record: Record) => Promise<void> = async () => undefined,
): Promise<boolean> => {
  if (isSame(erase(stored), stored)) return false;
  const { store, account } = run;
  await retryStale(run, retries, async () => {
    const found = await records.get(account, stored.id);
    if (!found || isSame(erase(found.record), found.record)) return;
    await before(found.record);
    await store.commit([records.replaceWrite(account, erase(found.record), found)]);
  });
  return true;
};

const erasePaid = async ({ store, account }: Run, payment: Payment): Promise<boolean> => {
  if (isSame(erasePayment(payment), payment)) return false;
  await store.commit([store.payments.erasePayerWrite(account, payment)]);
  return true;
};

type Placed = Pick<Order, 'customer_id' | 'customer_email' | 'created_at'>;

const isTheirOrder = ({ person, erased_at }: Run, order: Placed): boolean =>
  order.customer_id === person.id || (order.created_at <= erased_at && isOrderOf(order, person));

/** Whether a session belongs to the person, by its texts or by its order. */
const isTheirSession = async (run: Run, session: CheckoutSession): Promise<boolean> => {
  const { store, account, person, erased_at } = run;
  if (session.created_at <= erased_at && isSessionOf(session, person)) return true;
  const order = session.order_id === null ? undefined : await store.orders.get(account, session.order_id);
  return order !== undefined && isTheirOrder(run, order.record);
};

/**
 * If a session is paid during the erasure, it finds no customer with the person's email and creates
 * a new one. That customer is the same person. So this begins another erasure before the session
 * loses its order's id.
 */
const eraseMadeCustomer = async (run: Run, { order_id }: CheckoutSession): Promise<void> => {
  const { store, account, person } = run;
  const order = order_id === null ? undefined : (await store.orders.get(account, order_id))?.record;
  if (!order || order.customer_id === null || order.customer_id === person.id) return;
  const made = (await store.customers.get(account, order.customer_id))?.record;
  if (made?.created_at === order.created_at && sameEmail(made.email, person)) await beginErasure(run, account, made.id);
};

/** Returns the label of an order in the line of its gateway fee, without the person. */
const labelWithout = async (run: Run, { order_id, order_label: label }: Pick<FeeLine, 'order_id' | 'order_label'>): Promise<string> => {
  const { store, account, person } = run;
  // An order number is the service's own label and identifies no person.
  if (/^#\d+$/.test(label)) return label;
  const order = (await store.orders.get(account, order_id))?.record;
  return order && isTheirOrder(run, order) ? friendlyOrderNumber(order) : eraseLabel(label, person);
};

/**
 * Whether a stored response contains a record of this noun. Operations have names such as
 * `createOrder`, actions such as `order.update`.
 */
const shows = (noun: 'customer' | 'order' | 'payment', of: string): boolean =>
  of.startsWith(`${noun}.`) || of.toLowerCase() === `create${noun}`;

const eraseAnswer = async (of: string, text: string, run: Run): Promise<string> => {
  const { person } = run;
  const body = JSON.parse(text) as Placed & { readonly id: string; readonly line_items?: readonly FeeLine[] };
  if (of.startsWith('gateway_fee.') && body.line_items) {
    const lines = await inParallel(body.line_items, async (line) => ({ ...line, order_label: await labelWithout(run, line) }));
    return JSON.stringify({ ...body, line_items: lines });
  }
  if (shows('customer', of) && body.id === person.id) return JSON.stringify(withoutPerson(body));
  if (shows('payment', of) && body.customer_id === person.id) return JSON.stringify(erasePayment(body));
  return shows('order', of) && isTheirOrder(run, body) ? JSON.stringify(eraseOrder(body, person)) : text;
};

interface BodyPlace {
  /** Endpoints that may have a stored response to the event. */
  readonly endpoints: () => Promise<readonly string[]>;
  readonly rewrite: (body: string) => Promise<void>;
}

/** Removes the person from the body of an event, if it contains them. */
const eraseBody = async (run: Run, event: string, body: string | undefined, { endpoints, rewrite }: BodyPlace): Promise<boolean> => {
  const { store, account, person, erased_at } = run;
  const left = body && eraseEvent(body, person, Date.parse(erased_at) / 1000);
  if (left === undefined) return false;
  // This comes first, so that an attempt that has read the old body stores no response. It is also
  // needed if fan-out has rewritten the body already.
  await Promise.all((await endpoints()).map((endpoint) => store.deliveries.forgetAnswers({ account, endpoint, event })));
  if (left === body) return false;
  await rewrite(left);
  return true;
};

/**
 * The kinds to search, in order; an erasure stores its position in this list. Sessions come first,
 * so that a session that is paid later creates an order without the person. Events come last,
 * because changes by earlier stages may still become events.
 */
export const stages: { readonly [K in SearchedKind]: Erase } = {
  async checkoutSession(run, item) {
    const { record } = decodeRecord<CheckoutSession>(item);
    if (!(await isTheirSession(run, record))) return false;
    // Nobody can read an expired session, so it is deleted now.
    if (sessionGoneSeconds(record) * 1000 <= Date.parse(run.now)) {
      await run.store.accountData.remove(item);
      return true;
    }
    const erase = (session: CheckoutSession): CheckoutSession => eraseSession(session, run.person, Date.parse(run.now));
    return eraseRecord(run, run.store.checkoutSessions, record, erase, (session) => eraseMadeCustomer(run, session));
  },
  // Fee lines come before orders, because a line's label may have a name that only the order still
  // has.
  async feeLine(run, item) {
    const { store } = run;
    const line = decodeLine(item);
    const left = await labelWithout(run, line);
    if (left === line.order_label) return false;
    await store.commit([store.gatewayFees.relabelWrite(item, left)]);
    return true;
  },
  async order(run, item) {
    const { store, account, person, now } = run;
    const { record } = decodeRecord<Order>(item);
    if (!isTheirOrder(run, record)) return false;
    const erase = (order: Order): Order => {
      const left = eraseOrder(order, person);
      return isSame(left, order) ? order : { ...left, updated_at: now };
    };
    const changed = await eraseRecord(run, store.orders, record, erase);
    const paid = await inParallel(await store.payments.ofOrder(account, record.id), (payment) => erasePaid(run, payment));
    return { orders: Number(changed), payments: paid.filter(Boolean).length };
  },
  async paymentPointer(run, pointer) {
    const { store, account, person } = run;
    if (pointer['customer'] !== person.id) return false;
    const payment = await store.payments.get(account, String(pointer['sk']));
    return payment !== undefined && (await erasePaid(run, payment.record));
  },
  async idempotency(run, item) {
    const stored = decodeAnswer(item);
    const left = await eraseAnswer(stored.route, stored.body, run);
    if (left === stored.body) return false;
    await run.store.idempotency.rewrite(run.account, stored, left);
    return true;
  },
  deliveryRecord(run, item) {
    const { account, endpoint, id: event } = decodeDelivery(item);
    const rewrite = (left: string) => run.store.deliveries.rewriteBody({ account, endpoint, event }, left);
    return eraseBody(run, event, decodeBody(item), { endpoints: async () => [endpoint], rewrite });
  },
  event(run, item) {
    const { store, account } = run;
    const event = String(item['sk']);
    const endpoints = async () => (await store.accountData.parts(account, 'deliveryRecord')).map(({ of = '' }) => of);
    return eraseBody(run, event, String(item['body']), { endpoints, rewrite: (left) => store.events.rewrite(account, event, left) });
  },
};

export const searchedKinds = Object.keys(stages) as readonly SearchedKind[];

/**
 * Removes the customer's identity, frees the email and records the erasure, in one transaction.
 * After it, no order can be made for the customer. If this call dies, the next one continues.
 */
export const beginErasure = (services: Services, account: string, id: string): Promise<Erasure> =>
  retryStale(services, retries, async () => {
    const { store, clock } = services;
    const [stored, begun] = await Promise.all([store.customers.get(account, id), store.erasures.get(account, id)]);
    if (!stored) throw notFound('Customer');
    if (begun) return begun;
    const { record: customer } = stored;
    const now = isoFromMs(clock.now());
    const erasure: Erasure = {
      person: { id, email: customer.email && emailKey(customer.email), phone: customer.phone, name: customerName(customer) },
      erased_at: customer.erased_at ?? now,
      stage: 0,
      after: null,
      counts: {},
    };
    const erased = { ...withoutPerson(customer), updated_at: now, erased_at: erasure.erased_at };
    await store.commit([
      store.erasures.beginWrite(account, id, erasure),
      ...(customer.erased_at === undefined ? store.customers.replaceWrites(account, stored, erased) : []),
    ]);
    return erasure;
  });
