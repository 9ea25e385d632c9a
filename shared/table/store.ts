import { type CheckoutSession, sessionGoneSeconds } from '../domain/checkout/record.ts';
import { largestSession } from '../domain/checkout/rules.ts';
import type { InventoryItem } from '../domain/inventory/fields.ts';
import type { QuickSale } from '../domain/quick-sale/fields.ts';
import { openAccountData } from './account-data.ts';
import { openAccounts } from './accounts.ts';
import { openActionTokens } from './action-tokens.ts';
import { openApiKeys } from './api-keys.ts';
import { openAttempts } from './attempts.ts';
import { openBuckets } from './buckets.ts';
import { type ConnectOptions, connectDb, type Db, type Item } from './client.ts';
import { openCustomers } from './customers.ts';
import { openDeliveries } from './deliveries.ts';
import { openEndpointStats } from './endpoint-stats.ts';
import { openEndpoints } from './endpoints.ts';
import { openErasures } from './erasures.ts';
import { openEvents } from './events.ts';
import { openExpenses } from './expenses.ts';
import { openGatewayFees } from './gateway-fees.ts';
import { openIdempotency } from './idempotency.ts';
import { type EntriesOf, reindex } from './lists.ts';
import { openNotices } from './notices.ts';
import { openCounters, openOrders } from './orders.ts';
import { openPayments } from './payments.ts';
import { openProducts } from './products.ts';
import { openRecords } from './records.ts';
import { openSearchSlots } from './search-slots.ts';
import { openHeartbeat } from './stream.ts';
import { commit, type Write } from './write.ts';

/**
 * Stores of the hosted page. There are four sets of stores, so that each bundle contains only those
 * that its function needs.
 */
export const openPageStore = (db: Db) => {
  const expenses = openExpenses(db);
  return {
    accounts: openAccounts(db),
    checkoutSessions: openRecords<CheckoutSession>(db, {
      kind: 'checkoutSession',
      name: 'checkout session',
      expires: sessionGoneSeconds,
      largest: largestSession,
    }),
    counters: openCounters(db),
    customers: openCustomers(db),
    expenses,
    gatewayFees: openGatewayFees(db, expenses),
    orders: openOrders(db),
    payments: openPayments(db),
    /** Commits all writes or none. */
    commit: (writes: readonly Write[]) => commit(db, writes),
  };
};

/** Stores of the API functions. */
export const openApiStore = (db: Db) => ({
  ...openPageStore(db),
  apiKeys: openApiKeys(db),
  buckets: openBuckets(db),
  idempotency: openIdempotency(db),
  products: openProducts(db),
});

/** Stores of the functions between the change stream and a delivery. */
export const openWebhookStore = (db: Db) => ({
  attempts: openAttempts(db),
  deliveries: openDeliveries(db),
  endpoints: openEndpoints(db),
  endpointStats: openEndpointStats(db),
  erasures: openErasures(db),
  events: openEvents(db),
  heartbeat: openHeartbeat(db),
  notices: openNotices(db),
});

/** All stores, one field per record. */
export const openStore = (db: Db) => {
  const [api, webhooks] = [openApiStore(db), openWebhookStore(db)];
  return {
    ...api,
    ...webhooks,
    /** Gives a stored record the index keys that its lists have now. */
    reindex: <Record>(account: string, item: Item, entries: EntriesOf<Record>) => reindex(db, account, item, entries),
    accountData: openAccountData(db, webhooks.endpoints, webhooks.erasures),
    actionTokens: openActionTokens(db),
    inventory: openRecords<InventoryItem>(db, { kind: 'inventoryItem', name: 'inventory item' }),
    searchSlots: openSearchSlots(db),
    quickSales: openRecords<QuickSale>(db, { kind: 'quickSale', name: 'quick sale', absolute: true }),
  };
};

export type PageStore = ReturnType<typeof openPageStore>;
export type ApiStore = ReturnType<typeof openApiStore>;
export type Store = ReturnType<typeof openStore>;

export const connectStore = (options: ConnectOptions): Store => openStore(connectDb(options));
