import { type CheckoutSession, sessionGoneSeconds } from '../../shared/domain/checkout/record.ts';
import {
  eraseCustomer,
  eraseEvent,
  eraseLabel,
  eraseOrder,
  erasePayment,
  eraseSession,
  isOrderOf,
  isSessionOf,
  type Person,
} from '../../shared/domain/erasure.ts';
import type { FeeLine } from '../../shared/domain/expense/record.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/record.ts';
import type { Payment } from '../../shared/domain/payment/record.ts';
import type { Erasure } from '../../shared/table/erasures.ts';
import { decodeLine } from '../../shared/table/gateway-fees.ts';
import type { Holding } from '../../shared/table/holdings.ts';
import { decodeAnswer } from '../../shared/table/idempotency.ts';
import { decodeRecord, type Records } from '../../shared/table/records.ts';
import type { Item } from '../../shared/table/write.ts';
import type { ActionServices } from './action.ts';
import { inParallel } from './in-steps.ts';
import { retryStale } from './retry-stale.ts';

export interface CustomerErasure extends Pick<ActionServices, 'store' | 'clock' | 'random'> {
  readonly account: string;
  readonly person: Person;
  /** The email is theirs in records made until then; afterwards it may be somebody new who has it. */
  readonly erased_at: string;
  readonly now: string;
}

/** One kind of record that may tell of a person: all of the account's are read, and what is found in one is erased. */
export interface EraseStage {
  readonly name: string;
  readonly holding: Holding;
  /** Whether the record was changed; where others go with it, how many of each kind were. */
  readonly erase: (erasure: CustomerErasure, item: Item) => Promise<boolean | Erasure['counts']>;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Saves what is left of the record, unless nothing else was in it. */
const eraseRecord = async <Record extends { readonly id: string }>(
  erasure: CustomerErasure,
  records: Records<Record>,
  stored: Record,
  erase: (record: Record) => Record,
): Promise<boolean> => {
  if (isSame(erase(stored), stored)) return false;
  const { store, account } = erasure;
  await retryStale(erasure, async () => {
    const found = await records.get(account, stored.id);
    if (found && !isSame(erase(found.record), found.record))
      await store.commit([records.replaceWrite(account, erase(found.record), found.revision)]);
  });
  return true;
};

const erasePaid = async ({ store, account }: CustomerErasure, payment: Payment): Promise<boolean> => {
  if (isSame(erasePayment(payment), payment)) return false;
  await store.commit([store.payments.erasePayerWrite(account, payment)]);
  return true;
};

type Placed = Pick<Order, 'customer_id' | 'customer_email' | 'created_at'>;

const isTheirOrder = ({ person, erased_at }: CustomerErasure, order: Placed): boolean =>
  order.customer_id === person.id || (order.created_at <= erased_at && isOrderOf(order, person));

/** By the email it was opened with, or by the order it became. */
const isTheirSession = async (erasure: CustomerErasure, session: CheckoutSession): Promise<boolean> => {
  const { store, account, person, erased_at } = erasure;
  if (session.created_at <= erased_at && isSessionOf(session, person)) return true;
  const order = session.order_id === null ? undefined : await store.orders.get(account, session.order_id);
  return order !== undefined && isTheirOrder(erasure, order.record);
};

/** What is left of what an order is called in the line of its gateway's fee. */
const labelWithout = async (
  erasure: CustomerErasure,
  { order_id, order_label: label }: Pick<FeeLine, 'order_id' | 'order_label'>,
): Promise<string> => {
  const { store, account, person } = erasure;
  // What the service calls an order tells of nobody.
  if (/^#\d+$/.test(label)) return label;
  const order = (await store.orders.get(account, order_id))?.record;
  return order && isTheirOrder(erasure, order) ? friendlyOrderNumber(order) : eraseLabel(label, person);
};

/** What a stored answer shows: of a route by its operation, of a dashboard action by its name. */
const shows = (noun: 'customer' | 'order' | 'payment', of: string): boolean =>
  of.startsWith(`${noun}.`) || of.toLowerCase() === `create${noun}`;

const eraseAnswer = async (of: string, text: string, erasure: CustomerErasure): Promise<string> => {
  const { person } = erasure;
  const body = JSON.parse(text) as Placed & { readonly id: string; readonly line_items?: readonly FeeLine[] };
  if (of.startsWith('gateway_fee.') && body.line_items) {
    const lines = await inParallel(body.line_items, async (line) => ({ ...line, order_label: await labelWithout(erasure, line) }));
    return JSON.stringify({ ...body, line_items: lines });
  }
  if (shows('customer', of) && body.id === person.id) return JSON.stringify(eraseCustomer(body));
  if (shows('payment', of) && body.customer_id === person.id) return JSON.stringify(erasePayment(body));
  return shows('order', of) && isTheirOrder(erasure, body) ? JSON.stringify(eraseOrder(body, person)) : text;
};

/** Sessions first: one that is paid afterwards knows nobody any more. Events last, as changes before may still become some. */
export const eraseStages: readonly EraseStage[] = [
  {
    name: 'checkout_sessions',
    holding: { kind: 'checkoutSession' },
    async erase(erasure, item) {
      const { record } = decodeRecord<CheckoutSession>(item);
      if (!(await isTheirSession(erasure, record))) return false;
      // What has expired is read by nobody, and need not wait for the table to delete it.
      if (sessionGoneSeconds(record) * 1000 <= Date.parse(erasure.now)) {
        await erasure.store.holdings.remove(item);
        return true;
      }
      return eraseRecord(erasure, erasure.store.checkoutSessions, record, (session) => eraseSession(session, Date.parse(erasure.now)));
    },
  },
  {
    // Before the orders, which still have the name they were placed with.
    name: 'gateway_fees',
    holding: { kind: 'feeLine' },
    async erase(erasure, item) {
      const { store } = erasure;
      const line = decodeLine(item);
      const left = await labelWithout(erasure, line);
      if (left === line.order_label) return false;
      await store.commit([store.gatewayFees.relabelWrite(item, left)]);
      return true;
    },
  },
  {
    name: 'orders',
    holding: { kind: 'order' },
    async erase(erasure, item) {
      const { store, account, person, now } = erasure;
      const { record } = decodeRecord<Order>(item);
      if (!isTheirOrder(erasure, record)) return false;
      const erase = (order: Order): Order => {
        const left = eraseOrder(order, person);
        return isSame(left, order) ? order : { ...left, updated_at: now };
      };
      const changed = await eraseRecord(erasure, store.orders, record, erase);
      const paid = await inParallel(await store.payments.ofOrder(account, record.id), (payment) => erasePaid(erasure, payment));
      return { orders: Number(changed), payments: paid.filter(Boolean).length };
    },
  },
  {
    name: 'payments',
    holding: { kind: 'paymentPointer' },
    async erase(erasure, pointer) {
      const { store, account, person } = erasure;
      if (pointer['customer'] !== person.id) return false;
      const payment = await store.payments.get(account, String(pointer['sk']));
      return payment !== undefined && (await erasePaid(erasure, payment.record));
    },
  },
  {
    name: 'stored_responses',
    holding: { kind: 'idempotency' },
    async erase(erasure, item) {
      const stored = decodeAnswer(item);
      const left = await eraseAnswer(stored.route, stored.body, erasure);
      if (left === stored.body) return false;
      await erasure.store.idempotency.rewrite(erasure.account, stored, left);
      return true;
    },
  },
  {
    name: 'events',
    holding: { kind: 'event' },
    async erase({ store, account, person, erased_at }, item) {
      const body = String(item['body']);
      const left = eraseEvent(body, person, Date.parse(erased_at) / 1000);
      if (left === undefined || left === body) return false;
      await store.events.rewrite(account, String(item['sk']), left);
      return true;
    },
  },
];
