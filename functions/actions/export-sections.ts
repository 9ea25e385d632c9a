import { isoFromMs } from '../../shared/core/time.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import type { Customer } from '../../shared/domain/customer/record.ts';
import { customerView } from '../../shared/domain/customer/view.ts';
import { gatewayFeeId } from '../../shared/domain/expense/record.ts';
import type { InventoryItem } from '../../shared/domain/inventory/record.ts';
import type { Order } from '../../shared/domain/order/record.ts';
import { paymentPayload } from '../../shared/domain/payment/events.ts';
import type { Payment } from '../../shared/domain/payment/record.ts';
import type { Product } from '../../shared/domain/product/record.ts';
import { productView } from '../../shared/domain/product/view.ts';
import type { QuickSale } from '../../shared/domain/quick-sale/record.ts';
import type { DeliveryRecord } from '../../shared/domain/webhook/record.ts';
import { deliveryView, endpointView } from '../../shared/domain/webhook/view.ts';
import { decodeEndpoint, formerEndpoint } from '../../shared/table/endpoints.ts';
import { decodeExpense } from '../../shared/table/expenses.ts';
import { dayOfLine, decodeLine, decodeUnbooked } from '../../shared/table/gateway-fees.ts';
import type { Holding } from '../../shared/table/holdings.ts';
import { withoutOrder } from '../../shared/table/payments.ts';
import { decodeRecord } from '../../shared/table/records.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Item } from '../../shared/table/write.ts';
import { expenseView, inventoryView, orderView, quickSaleView, unbookedFeeView } from './views.ts';

/** A list of the exported document, and where its records are read from. */
export interface Section {
  readonly name: string;
  readonly holding: Holding;
  readonly view: (store: Store, account: string, item: Item) => Promise<object> | object;
}

const deletion = ({ deleted_at }: { readonly deleted_at?: string | null }) => (deleted_at ? { deleted_at } : {});
const viewOf =
  <Record>(view: (record: Record) => object): Section['view'] =>
  (_store, _account, item) =>
    view(decodeRecord<Record>(item).record);

const sessionView = (session: CheckoutSession) => {
  const { account: _, token: __, expires_ms, ...shown } = session;
  return { ...shown, expires_at: isoFromMs(expires_ms) };
};

const fixed: readonly Section[] = [
  {
    name: 'customers',
    holding: { kind: 'customer' },
    view: viewOf<Customer>((customer) => ({
      ...customerView(customer),
      ...(customer.erased_at === undefined ? {} : { erased_at: customer.erased_at }),
    })),
  },
  {
    name: 'orders',
    holding: { kind: 'order' },
    async view(store, account, item) {
      const { record: order } = decodeRecord<Order>(item);
      const payments = await store.payments.ofOrder(account, order.id);
      return { ...orderView(order), payments: payments.map(paymentPayload), ...deletion(order) };
    },
  },
  { name: 'payments', holding: { kind: 'payment', of: withoutOrder }, view: viewOf<Payment>(paymentPayload) },
  { name: 'products', holding: { kind: 'product' }, view: viewOf<Product>(productView) },
  {
    name: 'expenses',
    holding: { kind: 'expense' },
    view(_store, _account, item) {
      const expense = decodeExpense(item);
      return { ...expenseView(expense), ...deletion(expense) };
    },
  },
  // A day takes any number of fees: its expense is listed without them.
  {
    name: 'gateway_fees',
    holding: { kind: 'feeLine' },
    view: (_store, _account, item) => ({ expense_id: gatewayFeeId(dayOfLine(item)), ...decodeLine(item) }),
  },
  {
    name: 'unbooked_gateway_fees',
    holding: { kind: 'unbookedFee' },
    view: (_store, _account, item) => unbookedFeeView(decodeUnbooked(item)),
  },
  {
    name: 'quick_sales',
    holding: { kind: 'quickSale' },
    view: viewOf<QuickSale>((sale) => ({ ...quickSaleView(sale), ...deletion(sale) })),
  },
  { name: 'inventory', holding: { kind: 'inventoryItem' }, view: viewOf<InventoryItem>(inventoryView) },
  { name: 'checkout_sessions', holding: { kind: 'checkoutSession' }, view: viewOf<CheckoutSession>(sessionView) },
  {
    name: 'webhook_endpoints',
    holding: { kind: 'endpoint' },
    view: (_store, _account, item) => endpointView(decodeEndpoint(item)),
  },
  { name: 'events', holding: { kind: 'event' }, view: (_store, _account, item) => JSON.parse(String(item['body'])) as object },
];

const log = (endpoint: string): Section => ({
  name: 'deliveries',
  holding: { kind: 'deliveryRecord', of: endpoint },
  view: viewOf<DeliveryRecord>((record) => ({ endpoint_id: record.endpoint, ...deliveryView(record) })),
});

/** Every list of the document, in its order; the log of deliveries is one per endpoint, those of deleted ones included. */
export const sectionsOf = async (store: Store, account: string): Promise<readonly Section[]> => {
  const [standing, registry] = await Promise.all([
    store.endpoints.all(account),
    store.holdings.page(account, { kind: 'endpointRegistry' }),
  ]);
  const endpoints = [...standing.map(({ id }) => id), ...registry.items.flatMap((item) => formerEndpoint(item) ?? [])].sort();
  return [...fixed, ...endpoints.map(log)];
};

export const sectionNames: readonly string[] = [...fixed.map(({ name }) => name), 'deliveries'];

/** Names a section in a cursor: in the order of the document, and still there when endpoints come and go. */
export const placeOf = ({ name, holding }: Section): string =>
  `${String(sectionNames.indexOf(name)).padStart(2, '0')}:${name === 'deliveries' ? (holding.of ?? '') : ''}`;
