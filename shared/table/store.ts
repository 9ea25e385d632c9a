import { type Accounts, openAccounts } from './accounts.ts';
import { type ApiKeys, openApiKeys } from './api-keys.ts';
import { type Buckets, openBuckets } from './buckets.ts';
import { connectDb, type Db, type DbOptions } from './client.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import { type EndpointStats, openEndpointStats } from './endpoint-stats.ts';
import { type Endpoints, openEndpoints } from './endpoints.ts';
import { type Events, openEvents } from './events.ts';
import { type Expenses, openExpenses } from './expenses.ts';
import { type Idempotency, openIdempotency } from './idempotency.ts';
import { commit, type Write } from './write.ts';

/** Everything the service keeps, one member per record. */
export interface Store {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly buckets: Buckets;
  readonly deliveries: Deliveries;
  readonly endpoints: Endpoints;
  readonly endpointStats: EndpointStats;
  readonly events: Events;
  readonly expenses: Expenses;
  readonly idempotency: Idempotency;
  /** Writes all or nothing. */
  commit(writes: readonly Write[]): Promise<void>;
}

export const openStore = (db: Db): Store => ({
  accounts: openAccounts(db),
  apiKeys: openApiKeys(db),
  buckets: openBuckets(db),
  deliveries: openDeliveries(db),
  endpoints: openEndpoints(db),
  endpointStats: openEndpointStats(db),
  events: openEvents(db),
  expenses: openExpenses(db),
  idempotency: openIdempotency(db),
  commit: (writes) => commit(db, writes),
});

export const connectStore = (options: DbOptions): Store => openStore(connectDb(options));
