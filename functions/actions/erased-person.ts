import { emailKey } from '../../shared/core/email.ts';
import { notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type CheckoutSession, sessionGoneSeconds } from '../../shared/domain/checkout/record.ts';
import { mayStillTakeMoney } from '../../shared/domain/checkout/rules.ts';
import { type Customer, customerName } from '../../shared/domain/customer/fields.ts';
import {
  customerWithoutPerson,
  fullPersonalPart,
  isSame,
  orderWithoutPerson,
  type PersonalPart,
  paymentWithoutTexts,
  sessionWithoutPerson,
} from '../../shared/domain/erased-fields.ts';
import { isSessionOf, sessionNamesPerson } from '../../shared/domain/erasure.ts';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { type Person, sameEmail } from '../../shared/domain/person.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import type { Item } from '../../shared/table/client.ts';
import { decodeDelivery } from '../../shared/table/delivery-items.ts';
import type { Erasure } from '../../shared/table/erasures.ts';
import { dayOfLine, decodeLine } from '../../shared/table/expenses.ts';
import { decodeIdempotencyRecord } from '../../shared/table/idempotency.ts';
import { changeBody, type PackedBody } from '../../shared/table/packed-body.ts';
import { decodeRecord } from '../../shared/table/records.ts';
import type { Kind, KindsWith } from '../../shared/table/schema.ts';
import type { Write } from '../../shared/table/write.ts';
import { retries } from './action.ts';
import {
  catalogNamesOf,
  type ErasureRun,
  type ErasureServices,
  eventWithoutPerson,
  labelWithoutPerson,
  personalPartOf,
  responseWithoutPerson,
} from './erased-texts.ts';

/**
 * Removes the person from one item. Returns whether it changed the item, or `held` if it must stay
 * until a payment has ended. If it also changed other items, it returns the number of changed items
 * per kind.
 */
type Erase = (run: ErasureRun, item: Item) => Promise<boolean | 'held' | Erasure['counts']>;

/** Kinds of which every record is read, because no index leads from a person to these records. */
export type SearchedKind = Exclude<Kind, KindsWith<'person', null | 'known' | 'with another'>>;

const erasePayer = async (run: ErasureRun, payment: Payment, orderWrites: () => Promise<readonly Write[]> = async () => []) => {
  if (isSame(paymentWithoutTexts(payment), payment)) return false;
  const { store, account } = run;
  await retryStale(run, retries, async (round) => {
    const found = round === 1 ? payment : (await store.payments.get(account, payment.id))?.record;
    if (found) await store.commit([store.payments.erasePayerWrite(account, found), ...(await orderWrites())]);
  });
  return true;
};

/** Saves the order of a payment that is erased, because the order shows its payments (decisions §6). */
const orderSaveWrites = async ({ store, account, now }: ErasureRun, id: string | null): Promise<readonly Write[]> => {
  const found = id === null ? undefined : await store.orders.get(account, id);
  return found && found.record.deleted_at === null ? [store.orders.replaceWrite(account, { ...found.record, updated_at: now }, found)] : [];
};

/**
 * Erases the person's part of an order, with its payments. If only the order leads to the person, not
 * its customer, the commit notes what it removes, so that versions of the order in events and stored
 * responses are recognized later. Returns the numbers of changed records.
 */
const eraseOrderOfPerson = async (run: ErasureRun, record: Order, part: PersonalPart): Promise<Erasure['counts']> => {
  const { store, account, person, now } = run;
  const catalogNames = await catalogNamesOf(run, record.items);
  const erase = (order: Order): Order => {
    const erased = orderWithoutPerson(order, person, part, catalogNames);
    return isSame(erased, order) ? order : { ...erased, updated_at: now };
  };
  // The payments come first: if this call ends in between, only the order's email leads to them.
  const payments = part.details ? await store.payments.ofOrder(account, record.id) : [];
  // An order that stays as it is shows its payments, so each of them is erased with a save of the order.
  const isSaved = erase(record) !== record;
  const paid: boolean[] = [];
  for (const payment of payments) paid.push(await erasePayer(run, payment, isSaved ? undefined : () => orderSaveWrites(run, record.id)));
  const isNoted = [record, ...payments].some(({ customer_id }) => customer_id !== person.id);
  let isChanged = false;
  await retryStale(run, retries, async () => {
    const found = await store.orders.get(account, record.id);
    if (!found) return;
    const after = erase(found.record);
    isChanged ||= after !== found.record;
    const at = [isoFromMs(run.clock.now()), after.updated_at, found.record.updated_at].sort().at(-1) ?? now;
    const writes = [
      ...(isNoted ? [store.erasures.erasedOrderWrite(account, record.id, { ...part, at })] : []),
      ...(after === found.record ? [] : [store.orders.replaceWrite(account, after, found)]),
    ];
    if (writes.length > 0) await store.commit(writes);
  });
  return { orders: Number(isChanged), payments: paid.filter(Boolean).length };
};

/**
 * Whether a paid session of the person was not paid when their erasure began: an earlier pass found
 * it waiting, or it was paid since.
 */
const wasUnpaid = async ({ store, account, person, erased_at }: ErasureRun, session: CheckoutSession): Promise<boolean> => {
  if (session.status !== 'paid') return false;
  const isPaidSince = session.created_at <= erased_at && session.updated_at > erased_at;
  if (isPaidSince && sessionNamesPerson(session, person)) return true;
  return await store.erasures.hasWaited(account, person.id, session.id);
};

/**
 * Whether the checkout session belongs to the person: by its own data, or by the order that it
 * became.
 */
export const isSessionOfPerson = async (run: ErasureRun, session: CheckoutSession): Promise<boolean> => {
  const { store, account, person, erased_at } = run;
  if (session.created_at <= erased_at && isSessionOf(session, person)) return true;
  if (await wasUnpaid(run, session)) return true;
  const order = session.order_id === null ? undefined : await store.orders.get(account, session.order_id);
  return order !== undefined && (await personalPartOf(run, order.record)) !== undefined;
};

/**
 * Erases a customer that a session created during this erasure. If a session is paid during the
 * erasure, it finds no customer with the person's email and creates one. That customer is the same
 * person. A customer who registered with the email at the same moment has another name.
 */
const eraseCreatedCustomer = async (run: ErasureRun, { order_id, customer }: CheckoutSession): Promise<void> => {
  const { store, account, person } = run;
  const order = order_id === null ? undefined : (await store.orders.get(account, order_id))?.record;
  if (!order || order.customer_id === null || order.customer_id === person.id) return;
  const created = (await store.customers.get(account, order.customer_id))?.record;
  if (created?.created_at !== order.created_at || !sameEmail(created.email, person)) return;
  if (customer === null || customerName(customer) === customerName(created)) await beginErasure(run, account, created.id);
};

/** Erases the order of a session that the person's erasure has waited for, also if it has another customer. */
const eraseAwaitedOrder = async (run: ErasureRun, session: CheckoutSession): Promise<Erasure['counts']> => {
  const { store, account } = run;
  if (session.order_id === null || !(await wasUnpaid(run, session))) return {};
  const order = (await store.orders.get(account, session.order_id))?.record;
  return order ? await eraseOrderOfPerson(run, order, fullPersonalPart) : {};
};

/**
 * Saves the session without the person, on top of the stored version. Returns whether it contained
 * the person. The erasure of another person, by whose phone the session is theirs too, may have saved
 * it before: the customer that the session created is found nevertheless.
 */
const eraseSessionOfPerson = async (run: ErasureRun, session: CheckoutSession): Promise<boolean> => {
  const { store, account, person, now } = run;
  const erase = (stored: CheckoutSession): CheckoutSession => sessionWithoutPerson(stored, person, Date.parse(now));
  await retryStale(run, retries, async () => {
    const found = await store.checkoutSessions.get(account, session.id);
    if (!found) return;
    await eraseCreatedCustomer(run, found.record);
    const erased = erase(found.record);
    if (!isSame(erased, found.record)) await store.commit([store.checkoutSessions.replaceWrite(account, erased, found)]);
  });
  return !isSame(erase(session), session);
};

interface StoredBody {
  /** Returns the endpoints that may have stored a response to the event. */
  readonly endpoints: () => Promise<readonly string[]>;
  readonly replace: (before: PackedBody, after: string) => Promise<Item | undefined>;
}

/** Removes the person from the body of an event, if it contains them. */
const eraseBody = async (run: ErasureRun, event: string, item: Item, { endpoints, replace }: StoredBody): Promise<boolean> => {
  const { store, account } = run;
  const change = async (body: string) => {
    const erasedBody = await eventWithoutPerson(run, body);
    // This comes first. Otherwise an attempt that has read the old body could store a response that
    // repeats it. It is needed even if fan-out has already rewritten the body.
    if (erasedBody !== undefined)
      await Promise.all((await endpoints()).map((endpoint) => store.deliveries.forgetResponses({ account, endpoint, event })));
    return erasedBody;
  };
  return changeBody(item['body'] as PackedBody | undefined, change, replace);
};

/**
 * The kinds to search, in this order. An erasure stores the index of its kind.
 * Sessions come first: if a session is paid after that, its order does not contain the person.
 * Events come last, because changes of earlier stages may still become events.
 */
export const eraseByKind: { readonly [K in SearchedKind]: Erase } = {
  async checkoutSession(run, item) {
    const { store, account, person, now, clock } = run;
    const { record } = decodeRecord<CheckoutSession>(item);
    if (!(await isSessionOfPerson(run, record))) return false;
    if (mayStillTakeMoney(record, clock.now())) {
      await store.erasures.noteWaiting(account, person.id, record.id, sessionGoneSeconds(record));
      return 'held';
    }
    // The order comes first: if this call ends in between, only the session leads to it.
    const counts = await eraseAwaitedOrder(run, record);
    // No caller can read an expired session, so it is deleted at once instead of rewritten.
    if (sessionGoneSeconds(record) * 1000 <= Date.parse(now)) {
      await store.accountData.remove(item);
      return { ...counts, checkout_sessions: 1 };
    }
    return { ...counts, checkout_sessions: Number(await eraseSessionOfPerson(run, record)) };
  },
  // Fee lines come before orders, because an order still has the name that the line may contain.
  async feeLine(run, item) {
    const { store, account, now } = run;
    const line = decodeLine(item);
    const erasedLabel = await labelWithoutPerson(run, line);
    if (erasedLabel === line.order_label) return false;
    await retryStale(run, retries, async () => {
      const day = await store.expenses.get(account, gatewayFeeId(dayOfLine(item)));
      await store.commit(store.gatewayFees.relabelWrites(account, item, day?.record, erasedLabel, now));
    });
    return true;
  },
  async order(run, item) {
    const { record } = decodeRecord<Order>(item);
    const part = await personalPartOf(run, record, record.updated_at);
    return part ? await eraseOrderOfPerson(run, record, part) : false;
  },
  async paymentPointer(run, pointer) {
    const { store, account, person } = run;
    if (pointer['customer'] !== person.id) return false;
    const payment = await store.payments.get(account, String(pointer['sk']));
    return payment !== undefined && (await erasePayer(run, payment.record, () => orderSaveWrites(run, payment.record.order_id)));
  },
  async idempotency(run, item) {
    const stored = decodeIdempotencyRecord(item);
    return changeBody(
      item['body'] as PackedBody,
      (body) => responseWithoutPerson(stored.route, body, run),
      (before, after) => run.store.idempotency.rewrite(run.account, stored, before, after),
    );
  },
  deliveryRecord(run, item) {
    const { account, endpoint, id: event } = decodeDelivery(item);
    return eraseBody(run, event, item, {
      endpoints: async () => [endpoint],
      replace: (before, after) => run.store.deliveries.rewriteBody({ account, endpoint, event }, before, after),
    });
  },
  event(run, item) {
    const { store, account } = run;
    const event = String(item['sk']);
    const endpoints = async () => (await store.accountData.parts(account, 'deliveryRecord')).map(({ owner = '' }) => owner);
    return eraseBody(run, event, item, {
      endpoints,
      replace: (before, after) => store.events.rewrite(account, event, before, after),
    });
  },
};

export const searchedKinds = Object.keys(eraseByKind) as readonly SearchedKind[];

/** Returns what identifies the customer in other records. */
export const personOf = (customer: Customer): Person => ({
  id: customer.id,
  email: customer.email && emailKey(customer.email),
  phone: customer.phone,
  name: customerName(customer),
});

/**
 * Removes the customer's identity, frees the email and records the erasure in one transaction. From
 * then on, no order can be made for the customer, and no text can be put on their records. If this
 * call fails later, the next call continues. After a finished erasure, it begins another one.
 */
export const beginErasure = (services: ErasureServices, account: string, id: string): Promise<Erasure> =>
  retryStale(services, retries, async () => {
    const { store, clock } = services;
    const [stored, begun] = await Promise.all([store.customers.get(account, id), store.erasures.get(account, id)]);
    if (!stored) throw notFound('Customer');
    if (begun?.person) return begun;
    const { record: customer } = stored;
    const now = isoFromMs(clock.now());
    const erasure: Erasure = {
      person: personOf(customer),
      erased_at: customer.erased_at ?? now,
      stage: 0,
      position: null,
      counts: {},
      held: 0,
      awaited: [],
      // An earlier erasure has removed the phone that leads to them.
      ...(begun?.same_contact && { same_contact: begun.same_contact }),
    };
    const erased = { ...customerWithoutPerson(customer), updated_at: now, erased_at: erasure.erased_at };
    await store.commit([
      store.erasures.beginWrite(account, id, erasure),
      ...(customer.erased_at === undefined ? store.customers.replaceWrites(account, stored, erased) : []),
    ]);
    return erasure;
  });
