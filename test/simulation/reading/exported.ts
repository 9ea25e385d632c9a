import type { Item } from '../../../local/engine/commands/values.ts';
import { payloadFields } from '../../contract/specification.ts';
import { bodyIn } from '../invariants/invariant.ts';
import { isEndpointKey } from './endpoints.ts';
import { payloadOf } from './event-rules.ts';
import { type Fields, recordIn } from './records.ts';
import { viewOf } from './views.ts';

/** The lists of `account.export`, and what each shows of an item, by the specification and docs/privacy.md. */

type View = Readonly<Record<string, unknown>>;

export interface ExportedList {
  readonly name: string;
  /** First segment of the partition keys of its items. */
  readonly prefixes: readonly string[];
  /** Returns what the list shows of an item; undefined if it shows nothing. */
  readonly show: (item: Item) => View | undefined;
  /** Identifies an entry in the list. */
  readonly keyOf: (view: View) => string;
}

const names = (text: string): readonly string[] => text.trim().split(/\s+/);
const pick = (source: View, chosen: readonly string[]): View => Object.fromEntries(chosen.map((name) => [name, source[name] ?? null]));
const onlyIfSet = (record: Fields, name: string): View => (record[name] == null ? {} : { [name]: record[name] });
const byId = ({ id }: View): string => String(id);

const productNames = names(`
  id name description status storefront_visible price currency category tags images variants allergens custom_fields created_at updated_at
`);
const statNames = names('success_count failure_count consecutive_failures last_delivery_at last_success_at last_failure_at');
const endpointNames = names('id url description events enabled status disabled_reason delivery_stats created_at updated_at');
const deliveryNames = names(`
  id type status attempts last_status_code last_error next_retry_at last_attempt_at delivered_at failed_at created_at
`);
const unbookedNames = names('transaction_id order_id order_label gateway amount');

const list = (name: string, prefix: string, show: (record: Fields, item: Item) => View | undefined, keyOf = byId): ExportedList => ({
  ...{ name, prefixes: [prefix], keyOf },
  show: (item) => show(recordIn(item), item),
});

/** An order without its payments, which are items of their own. */
const showOrder = (record: Fields): View => ({
  ...viewOf('order', record),
  previous_status: record['previous_status'],
  ...onlyIfSet(record, 'deleted_at'),
});

const showEndpoint = (_: Fields, item: Item): View | undefined => {
  if (!isEndpointKey(item)) return undefined;
  const stored: View = { ...item, id: item['sk'] };
  const derived = { status: stored['enabled'] === true ? 'active' : 'disabled', delivery_stats: pick(stored, statNames) };
  return pick({ ...stored, ...derived }, endpointNames);
};

const showDelivery = (view: Fields, { pk, sk }: Item): View => ({
  endpoint_id: String(pk).split('#')[2],
  ...pick({ ...view, id: sk }, deliveryNames),
});

const showUnbooked = (record: Fields): View => {
  const { line, currency, day, reason, at } = record as Fields & { readonly line: View };
  return { ...pick(line, unbookedNames), currency, date: day, reason, created_at: at };
};

/** A session without the account and the token of its page. */
const showSession = ({ account: _, token: __, expires_ms, ...shown }: Fields): View => ({
  ...shown,
  expires_at: new Date(Number(expires_ms)).toISOString(),
});

const byTransaction = ({ transaction_id }: View): string => String(transaction_id);

export const orders = list('orders', 'ord', showOrder);
const showPayment = (record: Fields): View => payloadOf('payment', record) as View;
/** The payments of orders, which the export shows with their order. */
export const paymentsOfOrders = list('payments', 'pay', (record) => (record['order_id'] === null ? undefined : showPayment(record)));

export const exportedLists: readonly ExportedList[] = [
  orders,
  list('payments', 'pay', (record) => (record['order_id'] === null ? showPayment(record) : undefined)),
  list('customers', 'cus', (record) => ({ ...viewOf('customer', record), ...onlyIfSet(record, 'erased_at') })),
  list('products', 'prd', (record) => pick({ ...record, ...payloadOf('product', record) }, productNames)),
  list('expenses', 'exp', (record) => ({
    ...viewOf('expense', record),
    external_id: record['external_id'],
    ...onlyIfSet(record, 'deleted_at'),
  })),
  list(
    'gateway_fees',
    'fel',
    (_, item) => ({ expense_id: `gateway_fees_${String(item['sk']).slice(0, 10)}`, ...(item['line'] as unknown as View) }),
    byTransaction,
  ),
  list('unbooked_gateway_fees', 'fun', showUnbooked, byTransaction),
  list('inventory', 'inv', (record) => pick(record, [...Object.keys(payloadFields['inventory'] ?? {}), 'created_at', 'updated_at'])),
  list('checkout_sessions', 'chk', showSession),
  list('webhook_endpoints', 'whe', showEndpoint),
  list('deliveries', 'dlv', showDelivery, ({ endpoint_id, id }) => `${endpoint_id}/${id}`),
  {
    ...{ name: 'events', prefixes: ['evt', 'dlv'], keyOf: byId },
    show: (item) => {
      const body = bodyIn(item);
      return body === undefined ? undefined : (JSON.parse(body) as View);
    },
  },
];
