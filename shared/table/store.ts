import { type CheckoutSession, sessionGoneSeconds } from '../domain/checkout/record.ts';
import { largestSession } from '../domain/checkout/rules.ts';
import type { InventoryItem } from '../domain/inventory/record.ts';
import type { QuickSale } from '../domain/quick-sale/record.ts';
import { type AccountData, openAccountData } from './account-data.ts';
import { type Accounts, openAccounts } from './accounts.ts';
import { type ActionTokens, openActionTokens } from './action-tokens.ts';
import { type ApiKeys, openApiKeys } from './api-keys.ts';
import { type Attempts, openAttempts } from './attempts.ts';
import { type Buckets, openBuckets } from './buckets.ts';
import { type ConnectOptions, connectDb, type Db } from './client.ts';
import { type Counters, openCounters } from './counters.ts';
import { type Customers, openCustomers } from './customers.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import { type EndpointStats, openEndpointStats } from './endpoint-stats.ts';
import { type Endpoints, openEndpoints } from './endpoints.ts';
import { type Erasures, openErasures } from './erasures.ts';
import { type Events, openEvents } from './events.ts';
import { type Expenses, openExpenses } from './expenses.ts';
import { type GatewayFees, openGatewayFees } from './gateway-fees.ts';
import { type Idempotency, openIdempotency } from './idempotency.ts';
import { type OrderLimits, openOrderLimits } from './order-limits.ts';
import { type Orders, openOrders } from './orders.ts';
import { openPayments, type Payments } from './payments.ts';
import { openProducts, type Products } from './products.ts';
import { openRecords, type Records } from './records.ts';
import { type Heartbeat, openHeartbeat } from './stream.ts';
import { commit, type Write } from './write.ts';

/** Everything the service keeps, one member per record. */
export interface Store {
  readonly accountData: AccountData;
  readonly accounts: Accounts;
  readonly actionTokens: ActionTokens;
  readonly apiKeys: ApiKeys;
  readonly attempts: Attempts;
  readonly buckets: Buckets;
  readonly checkoutSessions: Records<CheckoutSession>;
  readonly counters: Counters;
  readonly customers: Customers;
  readonly deliveries: Deliveries;
  readonly endpoints: Endpoints;
  readonly endpointStats: EndpointStats;
  readonly erasures: Erasures;
  readonly events: Events;
  readonly expenses: Expenses;
  readonly gatewayFees: GatewayFees;
  readonly heartbeat: Heartbeat;
  readonly idempotency: Idempotency;
  readonly inventory: Records<InventoryItem>;
  readonly orderLimits: OrderLimits;
  readonly orders: Orders;
  readonly payments: Payments;
  readonly products: Products;
  readonly quickSales: Records<QuickSale>;
  /** Writes all or nothing. */
  commit(writes: readonly Write[]): Promise<void>;
}

export const openStore = (db: Db): Store => ({
  accountData: openAccountData(db, openEndpoints(db)),
  accounts: openAccounts(db),
  actionTokens: openActionTokens(db),
  apiKeys: openApiKeys(db),
  attempts: openAttempts(db),
  buckets: openBuckets(db),
  checkoutSessions: openRecords<CheckoutSession>(db, {
    kind: 'checkoutSession',
    name: 'checkout session',
    expires: sessionGoneSeconds,
    largest: largestSession,
  }),
  counters: openCounters(db),
  customers: openCustomers(db),
  deliveries: openDeliveries(db),
  endpoints: openEndpoints(db),
  endpointStats: openEndpointStats(db),
  erasures: openErasures(db),
  events: openEvents(db),
  expenses: openExpenses(db),
  gatewayFees: openGatewayFees(db, openExpenses(db)),
  heartbeat: openHeartbeat(db),
  idempotency: openIdempotency(db),
  inventory: openRecords(db, { kind: 'inventoryItem', name: 'inventory item' }),
  orderLimits: openOrderLimits(db, openAccounts(db), openCounters(db)),
  orders: openOrders(db),
  payments: openPayments(db),
  products: openProducts(db),
  quickSales: openRecords(db, { kind: 'quickSale', name: 'quick sale', absolute: true }),
  commit: (writes) => commit(db, writes),
});

export const connectStore = (options: ConnectOptions): Store => openStore(connectDb(options));
