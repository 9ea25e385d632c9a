import { type EnvironmentName, environment, type SecretPurpose } from '../shared/core/config.ts';
import type { Route } from '../shared/core/routes.ts';
import { erasedKinds, eventKinds, type IndexName, indexesOf, type Kind, type KindRow, kindNames, kinds } from '../shared/table/schema.ts';
import { type GroupName, groupNames, groups } from './groups.ts';

/**
 * DynamoDB actions a statement may name: single items are read in batches (`Db.get`); a transaction
 * needs the single actions of its parts.
 */
type TableAction = 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/**
 * Actions on items by the kinds that their partition key begins with: on the table or, if indexes
 * are named, on those only.
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
  /** Counts in the rate buckets: UpdateItem on their table. */
  readonly countsRates?: true;
  /**
   * Follows references of settings to secrets of this purpose: GetParameter below `<stack's
   * path>/<account>/<purpose>`.
   */
  readonly readsSecrets?: SecretPurpose;
  /** Its additional needs if the deployment has notices. */
  readonly withNotices?: { readonly environment?: readonly EnvironmentName[]; readonly table: readonly TableGrant[] };
  /** Variables that the runtime reads, not our source. */
  readonly runtime?: Readonly<Record<string, string>>;
}

const { region, table, bucketsTable, deliveryQueueUrl, scheduleGroup, schedulerRoleArn, parkingBucket, searchQueueUrl, secretsPrefix } =
  environment;

/**
 * A request is 1 to 3 ms of CPU around one to three waits for the table. Waiting is paid for by
 * memory, CPU is not: half the memory makes it take twice as long. 512 MB is 0.29 of a vCPU, so
 * that a client waits 2 to 7 ms longer than at 1,024 MB and a wait costs half; at 256 MB a cold
 * start would show. 29 s ends a function before the gateway gives up (30 s).
 */
const httpDefaults = { memoryMb: 512, timeoutSeconds: 29 } as const;

/**
 * getaddrinfo resolves receivers' names on libuv's threads; lookups may use half of them, two of
 * the default four. Two names that do not resolve would delay all other attempts of a batch. With
 * 20 threads, its ten lookups run in parallel.
 */
const tenLookupsAtOnce = { UV_THREADPOOL_SIZE: '20' } as const;

/**
 * Every keyed request: the key's record, its account, the rate bucket; and the day of the key's
 * last use.
 */
const authentication: readonly TableGrant[] = [
  { kinds: ['apiKey', 'account'], actions: ['BatchGetItem'] },
  { kinds: ['keyUse'], actions: ['PutItem'] },
];
/** The stored response is read beside the rest, and written in the operation's transaction. */
const idempotency: readonly TableGrant[] = [{ kinds: ['idempotency'], actions: ['BatchGetItem', 'PutItem'] }];

const storesNotices = { table: [{ kinds: ['notice'], actions: ['PutItem'] }] } as const satisfies FunctionSpec['withNotices'];

/** Properties of a group that its routes do not state. */
interface GroupRow {
  /** Its purpose, if its name does not say it. */
  readonly about?: string;
  readonly environment?: readonly EnvironmentName[];
  readonly readsSecrets?: SecretPurpose;
  /**
   * Rights beside those of every keyed request and those on the records that it is called after.
   */
  readonly table: readonly TableGrant[];
  /**
   * Absent: the group is called after what the export calls its records, and its routes say what it
   * does with them.
   */
  readonly own?: false;
}

/**
 * A group without a row has the rights that its routes ask for on the records that it is called
 * after.
 */
const groupRows: Readonly<Record<Exclude<GroupName, (typeof kinds)[Kind]['exported']>, GroupRow> & Partial<Record<GroupName, GroupRow>>> = {
  checkout: {
    about: 'checkout sessions',
    own: false,
    table: [
      { kinds: ['settings', 'counter', 'product'], actions: ['BatchGetItem'] },
      { kinds: ['checkoutSession'], actions: ['PutItem'] },
    ],
  },
  customers: { table: [{ kinds: ['customerEmail'], actions: ['BatchGetItem', 'PutItem'] }] },
  expenses: { table: [{ kinds: ['feeLine'], actions: ['Query'] }] },
  orders: {
    own: false,
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
    readsSecrets: 'search',
    table: [{ kinds: ['settings'], actions: ['BatchGetItem'] }],
  },
  reference: { about: 'reference data and availability', own: false, table: [{ kinds: ['settings'], actions: ['BatchGetItem'] }] },
  webhooks: {
    about: 'webhook endpoints, their test and delivery log',
    own: false,
    table: [
      { kinds: ['endpoint'], actions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
      { kinds: ['endpointRegistry'], actions: ['PutItem', 'UpdateItem'] },
      { kinds: ['account'], actions: ['ConditionCheckItem'] },
      { kinds: ['deliveryRecord'], actions: ['BatchGetItem', 'Query'] },
      { kinds: ['deliveryRecord'], actions: ['Query'], indexes: indexesOf('deliveryRecord') },
    ],
  },
};

/** Reading by id, creating and listing, as far as there are routes for it. */
const ownRights = (group: GroupName): TableGrant[] => {
  const own = kindNames.filter((kind) => kinds[kind].exported === group);
  const has = (...wanted: readonly string[]) => groups[group].some(({ method, path }) => wanted.includes(`${method} ${path}`));
  const listsTable = own.some((kind) => Object.values((kinds[kind] as KindRow).lists).some(({ all }) => all === 'table'));
  const actions: TableAction[] = [
    ...(has(`GET /${group}/{id}`, `PATCH /${group}/{id}`) ? (['BatchGetItem'] as const) : []),
    ...(has(`POST /${group}`, `PATCH /${group}/{id}`) ? (['PutItem'] as const) : []),
    ...(listsTable ? (['Query'] as const) : []),
  ];
  return [{ kinds: own, actions }, ...own.map((kind): TableGrant => ({ kinds: own, actions: ['Query'], indexes: indexesOf(kind) }))];
};

const groupSpec = (group: GroupName): FunctionSpec => {
  const { about = group, environment: more = [], table: beside, own, ...rest }: GroupRow = groupRows[group] ?? { table: [] };
  const isIdempotent = (groups[group] as readonly Route[]).some(({ idempotent }) => idempotent);
  return {
    ...httpDefaults,
    ...rest,
    description: `REST API: ${about}`,
    environment: [region, table, bucketsTable, ...more],
    countsRates: true,
    withNotices: storesNotices,
    table: [...authentication, ...(isIdempotent ? idempotency : []), ...beside, ...(own === false ? [] : ownRights(group))],
  };
};

/**
 * The deployed functions by the name of their folder under functions/: their size, environment and
 * exact rights on the table.
 */
export const functionSpecs = {
  ...(Object.fromEntries(groupNames.map((group) => [group, groupSpec(group)])) as Record<GroupName, FunctionSpec>),
  'checkout-page': {
    ...httpDefaults,
    description: 'The hosted checkout page and the notices of payment gateways',
    environment: [table, secretsPrefix],
    readsSecrets: 'stripe',
    table: [
      { kinds: ['account', 'settings'], actions: ['BatchGetItem'] },
      { kinds: ['checkoutSession', 'expense'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['expense'], actions: ['UpdateItem'] },
      { kinds: ['feeLine', 'unbookedFee'], actions: ['PutItem'] },
      { kinds: ['customer'], actions: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
      { kinds: ['customerEmail'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['order', 'payment', 'paymentPointer'], actions: ['PutItem'] },
      { kinds: ['counter'], actions: ['UpdateItem'] },
    ],
  },
  fallback: {
    ...httpDefaults,
    description: 'Every other path: 404, and 410 under /api/v1',
    // Answers from memory without the SDK.
    memoryMb: 256,
    environment: [],
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
    ],
    countsRates: true,
    withNotices: storesNotices,
    table: [
      // The dashboard changes records with events, and the account's own records.
      { kinds: [...eventKinds, 'account', 'settings', 'apiKey', 'paymentPointer'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['customerEmail'], actions: ['PutItem'] },
      { kinds: ['account', 'apiKey', 'customer', 'payment', 'expense', 'counter'], actions: ['UpdateItem'] },
      { kinds: ['counter'], actions: ['PutItem'] },
      { kinds: ['feeLine'], actions: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
      { kinds: ['unbookedFee', 'event', 'counter', 'keyUse'], actions: ['BatchGetItem'] },
      { kinds: ['endpoint', 'deliveryRecord'], actions: ['BatchGetItem', 'UpdateItem'] },
      { kinds: ['endpoint', 'endpointRegistry'], actions: ['PutItem'] },
      { kinds: ['endpointRegistry'], actions: ['UpdateItem', 'ConditionCheckItem'] },
      { kinds: ['account'], actions: ['ConditionCheckItem'] },
      { kinds: ['checkoutSession', 'erasure', 'idempotency'], actions: ['BatchGetItem', 'PutItem'] },
      { kinds: ['idempotency', 'event', 'erasure'], actions: ['UpdateItem'] },
      // Everything an account holds beside itself is read for its export, and deleted with it.
      { kinds: erasedKinds, actions: ['Query', 'DeleteItem'] },
      { kinds: ['deliveryRecord'], actions: ['Query'], indexes: indexesOf('deliveryRecord') },
      { kinds: ['due'], actions: ['Query'], indexes: indexesOf('due') },
      { kinds: ['searchSlot'], actions: ['PutItem', 'DeleteItem'] },
    ],
  },
  'fan-out': {
    description: 'Change stream to events, delivery records and queue messages',
    // CPU-bound between short waits; a batch of 100 changes takes about two seconds.
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [table, deliveryQueueUrl, searchQueueUrl, parkingBucket],
    table: [
      { kinds: ['settings'], actions: ['BatchGetItem'] },
      { kinds: ['endpoint', 'endpointRegistry'], actions: ['Query'] },
      { kinds: ['event'], actions: ['PutItem', 'UpdateItem'] },
      { kinds: ['erasure'], actions: ['BatchGetItem'] },
      { kinds: ['deliveryRecord'], actions: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
    ],
  },
  deliver: {
    description: 'Queue message to one signed POST and its outcome',
    // Waits up to 30 s for receivers, so memory is what it costs; 256 MB does the CPU of ten
    // attempts, TLS handshakes included, in a third of a second.
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: [table, deliveryQueueUrl, scheduleGroup, schedulerRoleArn],
    runtime: tenLookupsAtOnce,
    withNotices: storesNotices,
    table: [
      { kinds: ['endpoint', 'deliveryRecord'], actions: ['BatchGetItem', 'UpdateItem'] },
      { kinds: ['event'], actions: ['BatchGetItem'] },
    ],
  },
  'search-sync': {
    description: 'Changed products to the search engines of their accounts',
    // Waits for engines; a batch is at most ten documents.
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: [table, secretsPrefix],
    readsSecrets: 'search',
    runtime: tenLookupsAtOnce,
    table: [{ kinds: ['settings', 'product'], actions: ['BatchGetItem'] }],
  },
  sweep: {
    description: 'Every five minutes: overdue deliveries back to the queue, and the heartbeat of the stream',
    memoryMb: 256,
    // Well under the five minutes to the next run.
    timeoutSeconds: 120,
    environment: [table, deliveryQueueUrl],
    withNotices: { environment: [region], table: [{ kinds: ['notice'], actions: ['UpdateItem'] }] },
    table: [
      { kinds: ['due'], actions: ['Query'], indexes: indexesOf('due') },
      { kinds: ['deliveryRecord'], actions: ['UpdateItem'] },
      { kinds: ['heartbeat'], actions: ['PutItem'] },
    ],
  },
} as const satisfies Record<string, FunctionSpec>;

export type FunctionName = keyof typeof functionSpecs;
export const functionNames = Object.keys(functionSpecs) as FunctionName[];
/** The spec with its general type, so that optional fields read uniformly. */
export const specOf = (name: FunctionName): FunctionSpec => functionSpecs[name];

/** The spec of a function in a deployment that has notices. */
export const withNotices = ({ withNotices: more, ...spec }: FunctionSpec): FunctionSpec =>
  more
    ? {
        ...spec,
        environment: [...spec.environment, environment.notices, ...(more.environment ?? [])],
        table: [...spec.table, ...more.table],
      }
    : spec;

/**
 * `api` belongs to all functions of the API, `fallback` included; every other function has a log
 * group of its own name.
 */
export type LogGroupName = 'api' | Exclude<FunctionName, GroupName | 'fallback'>;

const apiFunctions: readonly FunctionName[] = [...groupNames, 'fallback'];

/**
 * Log group of a function. The API's functions write the same lines, so one shared group needs one
 * metric filter instead of eight. `op` identifies a line's function; `@logStream` identifies
 * Lambda's own lines, because it contains the function's name in a shared group.
 */
export const logGroupOf = (name: FunctionName): LogGroupName => (apiFunctions.includes(name) ? 'api' : (name as LogGroupName));

export const logGroupNames: readonly LogGroupName[] = [...new Set(functionNames.map(logGroupOf))];
