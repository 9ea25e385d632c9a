import { type GroupName, groupNames, groups } from '../functions/groups.ts';
import { type EnvironmentName, environment, type SecretPurpose } from '../shared/core/config.ts';
import type { Route } from '../shared/core/routes.ts';
import { erasedKinds, eventKinds, type IndexName, indexesOf, type Kind } from '../shared/table/schema.ts';

/**
 * DynamoDB actions that a policy may name. Single items are read with BatchGetItem (`Db.get`). A
 * transaction needs the actions of its parts.
 */
type TableAction = 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/**
 * Rights to actions on items of some kinds. They apply to the table or, if indexes are named, only
 * to these.
 */
export interface TableGrant {
  readonly kinds: readonly Kind[];
  readonly actions: readonly TableAction[];
  readonly indexes?: readonly IndexName[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: readonly EnvironmentName[];
  readonly table: readonly TableGrant[];
  /** Whether the function counts rates. It then gets UpdateItem on the table of buckets. */
  readonly countsRates?: true;
  /**
   * Purposes of the secrets that the function reads: GetParameters below
   * `<stack's path>/<account>/<purpose>`.
   */
  readonly readsSecrets?: readonly SecretPurpose[];
  /** Additional rights and variables of the function if the deployment has notices. */
  readonly withNotices?: { readonly environment?: readonly EnvironmentName[]; readonly table: readonly TableGrant[] };
  /** Environment variables for the runtime, which this project's source does not read. */
  readonly runtime?: Readonly<Record<string, string>>;
}

const { region, table, bucketsTable, deliveryQueueUrl, scheduleGroup, schedulerRoleArn, parkingBucket, searchQueueUrl, secretsPrefix } =
  environment;

/**
 * A request takes 1 to 3 ms of CPU and waits for the table one to three times. AWS bills time by
 * memory, so with half the memory a wait costs half, and CPU work takes twice as long but costs the
 * same. At 512 MB (0.29 of a vCPU), a client waits 2 to 7 ms longer than at 1,024 MB. At 256 MB,
 * cold starts would be noticed. The function ends after 29 s, before the gateway's limit of 30 s.
 */
const httpDefaults = { memoryMb: 512, timeoutSeconds: 29 } as const;

/**
 * Node resolves receivers' names on libuv's threads, of which lookups use half. With the default of
 * four threads, two names that do not resolve would delay all other attempts of a batch. With 20
 * threads, ten lookups run in parallel.
 */
const tenLookupsAtOnce = { UV_THREADPOOL_SIZE: '20' } as const;

/**
 * Rights for every request with a key: reading the key and its account, and writing the day of the
 * key's last use.
 */
const authentication: readonly TableGrant[] = [
  { kinds: ['apiKey', 'account'], actions: ['BatchGetItem'] },
  { kinds: ['keyUse'], actions: ['PutItem'] },
];
/**
 * Rights for Idempotency-Keys: the stored response is read with the other records and written in
 * the operation's transaction.
 */
const idempotency: readonly TableGrant[] = [{ kinds: ['idempotency'], actions: ['BatchGetItem', 'PutItem'] }];

const storesNotices = { table: [{ kinds: ['notice'], actions: ['PutItem'] }] } as const satisfies FunctionSpec['withNotices'];

/** Properties of a group that its routes do not state. */
interface GroupRow {
  /** Purpose of the function, if its name does not say it. */
  readonly about?: string;
  readonly environment?: readonly EnvironmentName[];
  readonly readsSecrets?: readonly SecretPurpose[];
  /** Rights in addition to those of every request with a key. */
  readonly table: readonly TableGrant[];
}

const groupRows: Readonly<Record<GroupName, GroupRow>> = {
  checkout: {
    about: 'checkout sessions',
    table: [
      { kinds: ['settings', 'counter', 'product'], actions: ['BatchGetItem'] },
      { kinds: ['checkoutSession'], actions: ['PutItem'] },
    ],
  },
  customers: {
    table: [
      { kinds: ['customer'], actions: ['BatchGetItem', 'PutItem', 'Query'] },
      { kinds: ['customer'], actions: ['Query'], indexes: indexesOf('customer') },
      { kinds: ['customerEmail'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['settings'], actions: ['BatchGetItem'] },
    ],
  },
  expenses: {
    table: [
      { kinds: ['expense'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['expense'], actions: ['Query'], indexes: indexesOf('expense') },
      { kinds: ['feeLine'], actions: ['Query'] },
    ],
  },
  orders: {
    table: [
      { kinds: ['order'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['order'], actions: ['Query'], indexes: indexesOf('order') },
      { kinds: ['payment'], actions: ['Query', 'PutItem'] },
      { kinds: ['paymentPointer'], actions: ['PutItem'] },
      { kinds: ['customer'], actions: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
      { kinds: ['customerEmail'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['product', 'settings'], actions: ['BatchGetItem'] },
      { kinds: ['counter'], actions: ['UpdateItem'] },
    ],
  },
  products: {
    about: 'products and search tokens',
    environment: [secretsPrefix],
    readsSecrets: ['search'],
    table: [
      { kinds: ['product', 'settings'], actions: ['BatchGetItem'] },
      { kinds: ['product'], actions: ['Query'], indexes: indexesOf('product') },
    ],
  },
  reference: { about: 'reference data and availability', table: [{ kinds: ['settings'], actions: ['BatchGetItem'] }] },
  webhooks: {
    about: 'webhook endpoints, their test and delivery log',
    table: [
      { kinds: ['endpoint'], actions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
      { kinds: ['endpointRegistry'], actions: ['UpdateItem'] },
      { kinds: ['account'], actions: ['ConditionCheckItem'] },
      { kinds: ['deliveryRecord'], actions: ['BatchGetItem', 'Query'] },
      { kinds: ['deliveryRecord'], actions: ['Query'], indexes: indexesOf('deliveryRecord') },
    ],
  },
};

const groupSpec = (group: GroupName): FunctionSpec => {
  const { about = group, environment: more = [], table: own, ...rest } = groupRows[group];
  const isIdempotent = (groups[group] as readonly Route[]).some(({ idempotent }) => idempotent);
  return {
    ...httpDefaults,
    ...rest,
    description: `REST API: ${about}`,
    environment: [region, table, bucketsTable, ...more],
    countsRates: true,
    withNotices: storesNotices,
    table: [...authentication, ...(isIdempotent ? idempotency : []), ...own],
  };
};

/** The deployed functions by folder name: size, environment and exact rights on the table. */
export const functionSpecs = {
  ...(Object.fromEntries(groupNames.map((group) => [group, groupSpec(group)])) as Record<GroupName, FunctionSpec>),
  'checkout-page': {
    ...httpDefaults,
    description: 'The hosted checkout page and the notices of payment gateways',
    environment: [table, secretsPrefix],
    readsSecrets: ['stripe'],
    table: [
      { kinds: ['account', 'settings'], actions: ['BatchGetItem'] },
      { kinds: ['checkoutSession', 'expense'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['expense'], actions: ['UpdateItem'] },
      { kinds: ['feeLine', 'feeTransaction', 'unbookedFee'], actions: ['PutItem'] },
      { kinds: ['customer'], actions: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
      { kinds: ['customerEmail'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['order', 'payment', 'paymentPointer'], actions: ['BatchGetItem', 'PutItem'] },
      // A notice about a refund or a dispute leads to its payment and order.
      { kinds: ['payment', 'paymentPointer'], actions: ['Query'] },
      { kinds: ['payment', 'counter'], actions: ['UpdateItem'] },
    ],
  },
  fallback: {
    ...httpDefaults,
    description: 'Every other path: 404, 410 under /api/v1, and GET /health',
    // Needs no AWS client.
    memoryMb: 256,
    environment: [region],
    table: [],
  },
  actions: {
    description: 'Dashboard actions: invoked with IAM rights, no public URL',
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [
      region,
      table,
      bucketsTable,
      deliveryQueueUrl,
      environment.deliveryDeadLettersUrl,
      searchQueueUrl,
      environment.searchDeadLettersUrl,
      environment.sweepFailuresUrl,
      environment.parkingNoticesUrl,
      environment.apiLogGroup,
      parkingBucket,
      secretsPrefix,
    ],
    // A refund is made with the merchant's keys, and a reindexing of the search too.
    readsSecrets: ['stripe', 'search'],
    countsRates: true,
    withNotices: storesNotices,
    table: [
      // The dashboard changes records that have events, and the account's own records.
      { kinds: [...eventKinds, 'account', 'settings', 'apiKey', 'paymentPointer'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['customerEmail'], actions: ['PutItem'] },
      // `account.reindex` gives records new index keys.
      { kinds: ['account', 'apiKey', 'customer', 'payment', 'expense', 'order', 'product'], actions: ['UpdateItem'] },
      { kinds: ['counter'], actions: ['PutItem'] },
      { kinds: ['feeLine'], actions: ['PutItem', 'UpdateItem'] },
      { kinds: ['feeTransaction'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['unbookedFee', 'event', 'counter', 'keyUse'], actions: ['BatchGetItem'] },
      { kinds: ['endpoint', 'deliveryRecord'], actions: ['BatchGetItem', 'UpdateItem'] },
      { kinds: ['endpoint'], actions: ['PutItem'] },
      { kinds: ['endpointRegistry'], actions: ['UpdateItem', 'ConditionCheckItem'] },
      { kinds: ['account'], actions: ['ConditionCheckItem'] },
      { kinds: ['checkoutSession', 'erasure', 'idempotency'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['idempotency', 'event', 'erasure'], actions: ['UpdateItem'] },
      // `account.export` reads, and `account.erase` deletes, all records of an account.
      { kinds: erasedKinds, actions: ['Query', 'DeleteItem'] },
      { kinds: ['deliveryRecord'], actions: ['Query'], indexes: indexesOf('deliveryRecord') },
      { kinds: ['due'], actions: ['Query'], indexes: indexesOf('due') },
      // A sandbox and the search take a catalog from its lists.
      { kinds: ['product'], actions: ['Query'], indexes: ['gsi1', 'gsi4'] },
      { kinds: ['searchSlot'], actions: ['PutItem', 'DeleteItem'] },
    ],
  },
  'fan-out': {
    description: 'Change stream to events, delivery records and queue messages',
    // Mostly CPU work. A batch of 100 changes takes about two seconds.
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [table, deliveryQueueUrl, searchQueueUrl, parkingBucket],
    table: [
      { kinds: ['settings'], actions: ['BatchGetItem'] },
      { kinds: ['endpoint'], actions: ['Query'] },
      { kinds: ['event'], actions: ['PutItem', 'UpdateItem'] },
      { kinds: ['erasure'], actions: ['BatchGetItem'] },
      { kinds: ['deliveryRecord'], actions: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
    ],
  },
  deliver: {
    description: 'Queue message to one signed POST and its outcome',
    // Waits up to 30 s for receivers, so memory decides its price. With 256 MB, ten attempts with
    // TLS handshakes take a third of a second of CPU.
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: [table, deliveryQueueUrl, scheduleGroup, schedulerRoleArn],
    runtime: tenLookupsAtOnce,
    withNotices: storesNotices,
    table: [
      { kinds: ['endpoint', 'deliveryRecord'], actions: ['BatchGetItem', 'UpdateItem'] },
      { kinds: ['event', 'erasure'], actions: ['BatchGetItem'] },
    ],
  },
  'search-sync': {
    description: 'Changed products to the search engines of their accounts',
    // Waits for search engines. A batch has at most ten documents.
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: [table, secretsPrefix],
    readsSecrets: ['search'],
    runtime: tenLookupsAtOnce,
    table: [{ kinds: ['settings', 'product'], actions: ['BatchGetItem'] }],
  },
  sweep: {
    description: 'Every five minutes: overdue deliveries back to the queue, the heartbeat of the stream, GET /health',
    memoryMb: 256,
    // Less than the five minutes to the next run.
    timeoutSeconds: 120,
    environment: [table, deliveryQueueUrl, environment.publicUrl, region],
    withNotices: { table: [{ kinds: ['notice'], actions: ['UpdateItem'] }] },
    table: [
      { kinds: ['due'], actions: ['Query'], indexes: indexesOf('due') },
      { kinds: ['deliveryRecord', 'erasure'], actions: ['UpdateItem'] },
      { kinds: ['erasure', 'checkoutSession'], actions: ['BatchGetItem'] },
      { kinds: ['heartbeat'], actions: ['PutItem'] },
    ],
  },
} as const satisfies Record<string, FunctionSpec>;

export type FunctionName = keyof typeof functionSpecs;
export const functionNames = Object.keys(functionSpecs) as FunctionName[];
/** Returns a function's spec with the general type, so that optional fields can be read. */
export const specOf = (name: FunctionName): FunctionSpec => functionSpecs[name];

/** Returns the spec of a function in a deployment with notices. */
export const withNotices = ({ withNotices: more, ...spec }: FunctionSpec): FunctionSpec =>
  more
    ? {
        ...spec,
        environment: [...spec.environment, environment.notices, ...(more.environment ?? [])],
        table: [...spec.table, ...more.table],
      }
    : spec;
