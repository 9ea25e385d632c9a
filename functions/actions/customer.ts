import { notFound } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type Customer, customerView } from '../../shared/domain/customer/fields.ts';
import { changeCustomer, customerChanges } from '../../shared/domain/customer/input.ts';
import { fullPersonalPart, type PersonalPart } from '../../shared/domain/erased-fields.ts';
import type { SentEvent } from '../../shared/domain/event/envelope.ts';
import type { FeeLine } from '../../shared/domain/expense/fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { assertKnownFields } from '../../shared/domain/order/rules.ts';
import { paymentPayload } from '../../shared/domain/payment/fields.ts';
import { sameEmail } from '../../shared/domain/person.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { Item } from '../../shared/table/client.ts';
import { decodeBody, decodeDelivery } from '../../shared/table/delivery-items.ts';
import { decodeLine } from '../../shared/table/expenses.ts';
import { decodeIdempotencyRecord } from '../../shared/table/idempotency.ts';
import { decodeRecord } from '../../shared/table/records.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { cursorField, type ExportedEntry, exportPage, findLaterCopy } from './account-pages.ts';
import { idField, inParallel, onAccount } from './action.ts';
import { eraseCustomer } from './customer.erase.ts';
import { isSessionOfPerson, personOf, type SearchedKind, searchedKinds } from './erased-person.ts';
import { type ErasureRun, eventWithoutPerson, labelWithoutPerson, personalPartOf, responseWithoutPerson } from './erased-texts.ts';
import { decideChange } from './modify.ts';
import { exportedCustomer, exportedOrder, feeLineView, sessionView } from './views.ts';

const lists = ['checkout_sessions', 'gateway_fees', 'orders', 'payments', 'stored_responses', 'events', 'receiver_answers'] as const;

/** Returns what an order of another customer says about the person: their phone number. */
const ownPart = <Shown extends object>(order: Shown, part: PersonalPart): object =>
  part.details ? order : pick(order as Shown & Pick<Order, 'id' | 'customer_phone'>, ['id', 'customer_phone']);

/** Returns the same of the order in a stored response or an event. */
const ownPartOf = async (run: ErasureRun, isOrder: boolean, shown: object): Promise<object> => {
  if (!isOrder) return shown;
  const order = shown as Order;
  return ownPart(shown, (await personalPartOf(run, order, order.updated_at)) ?? fullPersonalPart);
};

/** Returns the endpoints with a delivery log. */
const logsOf = async ({ store, account }: ErasureRun): Promise<readonly string[]> =>
  (await store.accountData.parts(account, 'deliveryRecord')).map(({ owner = '' }) => owner);

/** Returns the event, and what its receivers answered last, which may repeat it. */
const eventEntries = async (
  run: ErasureRun,
  event: string,
  body: string | undefined,
  endpoints: readonly string[],
): Promise<readonly ExportedEntry[]> => {
  const { store, account } = run;
  if (body === undefined || (await eventWithoutPerson(run, body)) === undefined) return [];
  const shown = JSON.parse(await withoutErased(store, account, body)) as SentEvent;
  const object = await ownPartOf(run, shown.type.startsWith('order.'), shown.data.object);
  const inspected = await Promise.all(endpoints.map((endpoint) => store.deliveries.inspect(account, endpoint, event)));
  const receiverResponses = inspected.flatMap((one) =>
    one?.receiverResponse ? [{ endpoint_id: one.record.endpoint, event_id: event, ...one.receiverResponse }] : [],
  );
  return [
    ['events', { ...shown, data: { ...shown.data, object } }],
    ...receiverResponses.map((receiverResponse): ExportedEntry => ['receiver_answers', receiverResponse]),
  ];
};

/** Returns the part of a stored response that the erasure would change. */
const responseOf = async (run: ErasureRun, item: Item): Promise<readonly ExportedEntry[]> => {
  const { route: operation, body: text } = decodeIdempotencyRecord(item);
  if ((await responseWithoutPerson(operation, text, run)) === text) return [];
  const body = JSON.parse(text) as { readonly line_items?: readonly FeeLine[] };
  if (!operation.startsWith('gateway_fee.'))
    return [['stored_responses', { operation, body: await ownPartOf(run, 'customer_phone' in body, body) }]];
  const changed = await inParallel(body.line_items ?? [], async (line) =>
    (await labelWithoutPerson(run, line)) === line.order_label ? [] : [line],
  );
  return [['stored_responses', { operation, body: { line_items: changed.flat() } }]];
};

/**
 * Shows an item in the document. It has a row for each kind that `customer.erase` searches, and
 * shows a record if that erasure would change it or if it is the person's.
 */
const entriesByKind: { readonly [K in SearchedKind]: (run: ErasureRun, item: Item) => Promise<readonly ExportedEntry[]> } = {
  async checkoutSession(run, item) {
    const { record: session } = decodeRecord<CheckoutSession>(item);
    if (!(await isSessionOfPerson(run, session))) return [];
    const { store, account, person } = run;
    const order = session.order_id === null ? undefined : (await store.orders.get(account, session.order_id))?.record;
    const part = order && !sameEmail(session.customer?.email, person) ? await personalPartOf(run, order, order.updated_at) : undefined;
    return [['checkout_sessions', part?.details === false ? { id: session.id, customer: { phone: person.phone } } : sessionView(session)]];
  },
  async feeLine(run, item) {
    const line = decodeLine(item);
    return (await labelWithoutPerson(run, line)) === line.order_label ? [] : [['gateway_fees', feeLineView(item)]];
  },
  async order(run, item) {
    const { store, account } = run;
    const { record: order } = decodeRecord<Order>(item);
    const part = await personalPartOf(run, order, order.updated_at);
    if (!part) return [];
    if (!part.details) return [['orders', ownPart(order, part)]];
    return [['orders', exportedOrder(order, await store.payments.ofOrder(account, order.id))]];
  },
  // Payments of the person's orders are with the orders.
  async paymentPointer(run, pointer) {
    const { store, account, person } = run;
    if (pointer['customer'] !== person.id) return [];
    const payment = (await store.payments.get(account, String(pointer['sk'])))?.record;
    const order = payment?.order_id ? (await store.orders.get(account, payment.order_id))?.record : undefined;
    const isShown = order && (await personalPartOf(run, order, order.updated_at))?.details;
    return payment && !isShown ? [['payments', paymentPayload(payment)]] : [];
  },
  idempotency: responseOf,
  async deliveryRecord(run, item) {
    const delivery = decodeDelivery(item);
    const entries = await eventEntries(run, delivery.id, decodeBody(item), [delivery.endpoint]);
    const other = entries.length > 0 ? await findLaterCopy(run.store, run.account, delivery, await logsOf(run)) : undefined;
    // The item of the event shows the answers of all receivers.
    if (other === 'item') return [];
    return other === 'record' ? entries.filter(([list]) => list !== 'events') : entries;
  },
  async event(run, item) {
    return eventEntries(run, String(item['sk']), String(item['body']), await logsOf(run));
  },
};

const exportCustomer = onAccount({
  summary: 'Exports every record that describes a customer, in pages of 4 MB. Without a cursor, ops joins the pages.',
  input: record({ ...idField, ...cursorField }),
  async read(services, { id, cursor }, { id: account }) {
    const customer = (await services.store.customers.get(account, id))?.record;
    if (!customer) throw notFound('Customer');
    const now = isoFromMs(services.clock.now());
    // After an erasure, newer records with the same email belong to someone else.
    const run: ErasureRun = { ...services, account, person: personOf(customer), erased_at: customer.erased_at ?? now, now };
    return exportPage(services, account, cursor, {
      fingerprint: `${account}/${id}`,
      kinds: searchedKinds,
      lists,
      head: async () => ({ customer: exportedCustomer(customer) }),
      entriesOf: (kind, item) => entriesByKind[kind](run, item),
    });
  },
});

export const customer = {
  update: onAccount({
    summary: "Changes the fields that you send. Lists and objects are replaced whole. Rejects another customer's email.",
    input: record({ ...idField, ...customerChanges }),
    async decide(services, { id, ...changes }, account) {
      const { store } = services;
      const stored = await store.customers.get(account.id, id);
      if (!stored || stored.record.erased_at !== undefined) throw notFound('Customer');
      if (changes.custom_fields !== undefined) {
        const known = customFieldKeys(await store.accounts.getSettings(account.id), 'customer');
        // A stored value may stay after its field definition was deleted.
        assertKnownFields(changes.custom_fields, new Set([...known, ...Object.keys(stored.record.custom_fields)]));
      }
      const writesOf = (after: Customer) => store.customers.replaceWrites(account.id, stored, after);
      return decideChange(services, stored, (customer, now) => changeCustomer(customer, changes, now), customerView, writesOf);
    },
  }),
  export: exportCustomer,
  erase: eraseCustomer,
};
