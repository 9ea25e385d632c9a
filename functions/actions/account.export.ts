import { record } from '../../shared/core/fields.ts';
import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import { maskSecrets } from '../../shared/domain/account/settings.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { productView } from '../../shared/domain/product/fields.ts';
import type { QuickSale } from '../../shared/domain/quick-sale/fields.ts';
import { deliveryView, endpointView } from '../../shared/domain/webhook/fields.ts';
import type { DeliveryRecord } from '../../shared/domain/webhook/record.ts';
import type { Item } from '../../shared/table/client.ts';
import { decodeBody, decodeDelivery } from '../../shared/table/delivery-items.ts';
import { decodeEndpoint, isEndpoint } from '../../shared/table/endpoints.ts';
import { decodeUnbooked } from '../../shared/table/expenses.ts';
import { decodeRecord } from '../../shared/table/records.ts';
import { type Kind, type KindsWith, kinds } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { cursorField, type ExportedEntry, exportPage, findLaterCopy } from './account-pages.ts';
import { onItself, ownIdField } from './action.ts';
import {
  accountView,
  deletedField,
  expenseView,
  exportedCustomer,
  exportedOrder,
  feeLineView,
  inventoryView,
  keyView,
  quickSaleView,
  sessionView,
  unbookedFeeView,
} from './views.ts';

type ExportedKind = Exclude<Kind, KindsWith<'exported', null>>;
/** Reads that views of items make in addition. */
interface Readers {
  /** Returns the day of a key's last use; null without one. */
  readonly lastUseOf: (key: string) => Promise<string | null>;
  readonly paymentsOf: (order: string) => Promise<readonly Payment[]>;
  /** Returns an event from its stored body, without an erased person. */
  readonly eventOf: (body: string) => Promise<object>;
  /** Whether the document shows the event of a delivery record at a later place. */
  readonly isShownLater: (record: DeliveryRecord) => Promise<boolean>;
}
type View = (item: Item, readers: Readers) => Promise<object> | object;

const viewOf =
  <Record>(view: (record: Record) => object): View =>
  (item) =>
    view(decodeRecord<Record>(item).record);

/** Fields that only the first page of the exported document contains. */
const heads = {
  account: (_store: Store, account: Account) => accountView(account),
  settings: async (store: Store, account: Account) => maskSecrets(await store.accounts.getSettings(account.id)),
} as const satisfies { readonly [K in ExportedKind]?: unknown };

/**
 * The lists of the exported document, in its order. They cover every kind that the table of kinds
 * marks as exported.
 */
const views: { readonly [K in Exclude<ExportedKind, keyof typeof heads>]: View } = {
  async apiKey(item, { lastUseOf }) {
    const key = item['data'] as ApiKey;
    return keyView(key, await lastUseOf(key.id));
  },
  customer: viewOf(exportedCustomer),
  async order(item, { paymentsOf }) {
    const { record: order } = decodeRecord<Order>(item);
    return exportedOrder(order, await paymentsOf(order.id));
  },
  payment: viewOf(paymentPayload),
  product: viewOf(productView),
  expense: viewOf((expense: Expense) => ({ ...expenseView(expense), ...deletedField(expense) })),
  // The number of fees per day is unlimited, so the expense is listed without its fees.
  feeLine: feeLineView,
  unbookedFee: (item) => unbookedFeeView(decodeUnbooked(item)),
  quickSale: viewOf((sale: QuickSale) => ({ ...quickSaleView(sale), ...deletedField(sale) })),
  inventoryItem: viewOf(inventoryView),
  checkoutSession: viewOf(sessionView),
  endpoint: (item) => endpointView(decodeEndpoint(item)),
  deliveryRecord(item) {
    const delivery = decodeDelivery(item);
    return { endpoint_id: delivery.endpoint, ...deliveryView(delivery) };
  },
  // After the delivery records, which leave events to it.
  event: (item, { eventOf }) => eventOf(String(item['body'])),
};
type ListedKind = keyof typeof views;
const listedKinds = Object.keys(views) as readonly ListedKind[];

/**
 * Returns the entries of an item in the document. A delivery record leads to two entries if it
 * keeps its event's body and no later place shows the event. The mark of a deleted endpoint leads to none.
 */
const entriesOf = async (kind: ListedKind, item: Item, readers: Readers): Promise<readonly ExportedEntry[]> => {
  if (kind === 'endpoint' && !isEndpoint(item)) return [];
  const body = kind === 'deliveryRecord' ? decodeBody(item) : undefined;
  const own: ExportedEntry = [kinds[kind].exported, await views[kind](item, readers)];
  if (body === undefined || (await readers.isShownLater(decodeDelivery(item)))) return [own];
  return [own, [kinds.event.exported, await readers.eventOf(body)]];
};

const headOf = async (store: Store, account: Account): Promise<object> => {
  const fields = Object.entries(heads).map(async ([kind, view]) => [kinds[kind as ExportedKind].exported, await view(store, account)]);
  return Object.fromEntries(await Promise.all(fields));
};

export const exportAccount = onItself({
  summary: 'Exports everything that an account holds, in pages of 4 MB. Without a cursor, ops joins the pages.',
  input: record({ ...ownIdField, ...cursorField }),
  async read(services, { cursor }, account) {
    const { store } = services;
    let payments: Promise<Readers['paymentsOf']> | undefined;
    let logs: ReturnType<Store['accountData']['parts']> | undefined;
    let uses: ReturnType<Store['apiKeys']['lastUses']> | undefined;
    const readers: Readers = {
      async lastUseOf(key) {
        uses ??= store.apiKeys.lastUses(account.id);
        return (await uses).get(key) ?? null;
      },
      async paymentsOf(order) {
        payments ??= store.payments.byOrder(account.id);
        return (await payments)(order);
      },
      async isShownLater(record) {
        logs ??= store.accountData.parts(account.id, 'deliveryRecord');
        const endpoints = (await logs).map(({ owner = '' }) => owner);
        return (await findLaterCopy(store, account.id, record, endpoints)) !== undefined;
      },
      eventOf: async (body) => JSON.parse(await withoutErased(store, account.id, body)) as object,
    };
    return exportPage(services, account.id, cursor, {
      // A cursor from before keys had pages would name other kinds, so it is rejected.
      fingerprint: `${account.id}/keys first`,
      kinds: listedKinds,
      lists: listedKinds.map((kind) => kinds[kind].exported),
      head: () => headOf(store, account),
      entriesOf: (kind, item) => entriesOf(kind, item, readers),
    });
  },
});
