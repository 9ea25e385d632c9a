import type { InventoryItem } from '../domain/inventory/fields.ts';
import type { QuickSale } from '../domain/quick-sale/fields.ts';
import { openAccounts } from './accounts.ts';
import { openActionTokens } from './action-tokens.ts';
import { openApiKeys } from './api-keys.ts';
import { openAttempts } from './attempts.ts';
import { openBuckets } from './buckets.ts';
import { openCheckoutSessions } from './checkout-sessions.ts';
import type { Db, Item } from './client.ts';
import { openCustomers } from './customers.ts';
import { openDeliveries } from './deliveries.ts';
import { openEndpointStats } from './endpoint-stats.ts';
import { type Endpoints, openEndpoints } from './endpoints.ts';
import { type Erasures, openErasures } from './erasures.ts';
import { openEvents } from './events.ts';
import { openExpenses, openGatewayFees } from './expenses.ts';
import { expr } from './expressions.ts';
import { openIdempotency } from './idempotency.ts';
import { partition } from './keys.ts';
import { type IndexEntries, reindex } from './lists.ts';
import { openNotices } from './notices.ts';
import { openCounters, openOrders } from './orders.ts';
import { queryPage } from './page.ts';
import { noOrder, openPayments } from './payments.ts';
import { openProducts } from './products.ts';
import { openRecords } from './records.ts';
import type { Kind } from './schema.ts';
import { openSearchSlots } from './search-slots.ts';
import { openHeartbeat } from './stream.ts';
import { commit, deleteItem, sendAlone, type Write } from './write.ts';

/**
 * Stores of the hosted page. There are four sets of stores, so that each bundle contains only those
 * that its function needs.
 */
export const openPageStore = (db: Db) => {
  const expenses = openExpenses(db);
  return {
    accounts: openAccounts(db),
    checkoutSessions: openCheckoutSessions(db),
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

/**
 * A partition of the table with an account's records. `owner` is set if each owner of a kind
 * has its own partition.
 */
export interface AccountPart {
  readonly kind: Kind;
  /** Id of the order (payments) or of the endpoint (delivery records). */
  readonly owner?: string;
}

/** Items as stored, in the order of their sort keys. */
interface PartPage {
  readonly items: readonly Item[];
  /** Sort key after which the next page starts; undefined on the last page. */
  readonly next?: string;
}

/**
 * Reads everything that is stored for an account, including deleted and expired records. Export and
 * erasure use it.
 */
const openAccountData = (db: Db, endpoints: Pick<Endpoints, 'withFormer'>, erasures: Pick<Erasures, 'endpointsOf'>) => ({
  /**
   * Returns the partitions of the account's records of a kind. Each endpoint has its own delivery
   * log, which remains after the endpoint or the account is deleted. The payments of an order share
   * a partition.
   */
  async parts(account: string, kind: Kind): Promise<readonly AccountPart[]> {
    if (kind === 'payment') return [{ kind, owner: noOrder }];
    if (kind !== 'deliveryRecord') return [{ kind }];
    const [known, erased] = await Promise.all([endpoints.withFormer(account, 0), erasures.endpointsOf(account)]);
    const ids = new Set([...known.endpoints.map(({ id }) => id), ...known.former, ...erased]);
    return [...ids].sort().map((owner) => ({ kind, owner }));
  },
  /** Returns up to 1 MB of items, at most `limit`. Reads the table itself, consistently. */
  async page(account: string, { kind, owner }: AccountPart, after?: string, limit?: number): Promise<PartPage> {
    const { Items = [], LastEvaluatedKey } = await queryPage(db, {
      partition: partition(kind, account, ...(owner === undefined ? [] : [owner])),
      range: after === undefined ? undefined : (sk) => expr`${sk} > ${after}`,
      Limit: limit,
    });
    return { items: Items, ...(LastEvaluatedKey ? { next: String(LastEvaluatedKey['sk']) } : {}) };
  },
  /** Deletes an item. Deleting the same item again is not an error. */
  async remove({ pk, sk }: Item) {
    await sendAlone(db, deleteItem(db, { pk, sk }));
  },
});

/** All stores, one field per record. */
export const openStore = (db: Db) => {
  const [api, webhooks] = [openApiStore(db), openWebhookStore(db)];
  return {
    ...api,
    ...webhooks,
    /** Gives a stored record the index keys that its lists have now. */
    reindex: <Record>(account: string, item: Item, entries: IndexEntries<Record>) => reindex(db, account, item, entries),
    accountData: openAccountData(db, webhooks.endpoints, webhooks.erasures),
    actionTokens: openActionTokens(db),
    inventory: openRecords<InventoryItem>(db, { kind: 'inventoryItem', name: 'inventory item' }),
    searchSlots: openSearchSlots(db),
    quickSales: openRecords<QuickSale>(db, { kind: 'quickSale', name: 'quick sale', marked: true }),
  };
};

export type PageStore = ReturnType<typeof openPageStore>;
export type ApiStore = ReturnType<typeof openApiStore>;
export type Store = ReturnType<typeof openStore>;
