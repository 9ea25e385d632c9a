import type { EventKind } from '../domain/event/changes.ts';

/**
 * The kinds of record and the names of keys, as data. Stores, export, erasure, the
 * stream's filter, IAM policies and CDK use them. `npm run tables` writes the tables of
 * docs/cost.md and docs/privacy.md from them.
 */

/**
 * Indexes that all kinds share. Orders need the most, seven: the default sort order without a filter
 * and with each of four filters, and two more sort orders.
 */
export const indexNames = ['gsi1', 'gsi2', 'gsi3', 'gsi4', 'gsi5', 'gsi6', 'gsi7'] as const;
export type IndexName = (typeof indexNames)[number];

/** Source of a list: an index, or the table itself if the list sorts by id. */
export type ListSource = IndexName | 'table';

/** Facts of a kind, independent of its records. */
export interface KindRow {
  /**
   * First segment of every partition key, also in indexes. IAM policies use it to limit a function
   * to some kinds (`dynamodb:LeadingKeys`).
   */
  readonly prefix: string;
  /**
   * Whether its changes invoke fan-out: because they may be events, because they show that the
   * stream is read, or never.
   */
  readonly stream: 'events' | 'heartbeat' | null;
  /** Field of the document of `account.export`; null if other kinds already contain its data. */
  readonly exported: string | null;
  /**
   * How `account.erase` deletes the items of the kind: each item alone, with special code, or
   * together with another kind. Null if they stay.
   */
  readonly erased: 'each' | 'own way' | 'with another' | null;
  /**
   * The place of a person for `customer.erase`: in all records of the kind, which it counts under this
   * name; in one known record; together with another kind; nowhere.
   */
  readonly person: string | 'known' | 'with another' | null;
  /**
   * How long it is kept: until the person or the account is erased, or for a number of days, in
   * which case each item has an expiry. Null: it belongs to no account.
   */
  readonly retention: 'person' | 'account' | number | null;
  /**
   * Its lists by sort order: the source of the whole list, and the source for one value of a field.
   * A list with several filters reads the first one's source, so the most selective comes first.
   */
  readonly lists: Readonly<Record<string, { readonly all?: ListSource; readonly [field: string]: ListSource }>>;
}

/**
 * Every record of an account is erased with it, except its tombstone. A record that belongs to no
 * account is in no export.
 */
type OwnedRow = KindRow &
  (
    | { readonly retention: null; readonly exported: null; readonly erased: null }
    | { readonly retention: Exclude<KindRow['retention'], null>; readonly erased: Exclude<KindRow['erased'], null> }
    | { readonly prefix: 'acc' }
  );

/**
 * All kinds, in the order in which `account.erase` deletes them. API keys come first, because that
 * ends access. Checkout sessions come next, because a running payment still makes an order; and
 * before the settings, because it needs the keys of its gateway. A kind with references to other
 * kinds comes after those.
 */
// biome-ignore format: a table
export const kinds = {
  account: { prefix: 'acc', stream: null, exported: 'account', erased: null, person: null, retention: 'account', lists: {} },
  apiKey: { prefix: 'key', stream: null, exported: 'keys', erased: 'own way', person: null, retention: 'account', lists: {} },
  keyUse: { prefix: 'kus', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
  // Days after the session expires. With a running payment it is 90 (`sessionGoneSeconds`).
  checkoutSession: { prefix: 'chk', stream: null, exported: 'checkout_sessions', erased: 'own way', person: 'checkout_sessions', retention: 30, lists: {} },
  settings: { prefix: 'set', stream: null, exported: 'settings', erased: 'own way', person: null, retention: 'account', lists: {} },
  order: {
    prefix: 'ord', stream: 'events', exported: 'orders', erased: 'each', person: 'orders', retention: 'person',
    lists: { createdAt: { all: 'gsi1', external_id: 'gsi7', customer_id: 'gsi4', status: 'gsi2', payment_status: 'gsi3' }, updatedAt: { all: 'gsi5' }, deliveryDate: { all: 'gsi6' } },
  },
  counter: { prefix: 'cnt', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
  customer: {
    prefix: 'cus', stream: 'events', exported: 'customers', erased: 'each', person: 'known', retention: 'person',
    lists: { created: { all: 'table', external_id: 'gsi2' }, updated: { all: 'gsi1', external_id: 'gsi3' } },
  },
  customerEmail: { prefix: 'cue', stream: null, exported: null, erased: 'each', person: 'known', retention: 'person', lists: {} },
  expense: {
    prefix: 'exp', stream: 'events', exported: 'expenses', erased: 'each', person: null, retention: 'account',
    lists: { date: { all: 'gsi1', category: 'gsi2', status: 'gsi3', supplier_id: 'gsi4' }, updated_at: { all: 'gsi5' } },
  },
  feeLine: { prefix: 'fel', stream: null, exported: 'gateway_fees', erased: 'each', person: 'gateway_fees', retention: 'account', lists: {} },
  // Names the day on which a gateway's transaction was booked, so that no other day books it.
  feeTransaction: { prefix: 'fet', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
  unbookedFee: { prefix: 'fun', stream: null, exported: 'unbooked_gateway_fees', erased: 'each', person: null, retention: 'account', lists: {} },
  product: {
    prefix: 'prd', stream: 'events', exported: 'products', erased: 'each', person: null, retention: 'account',
    lists: { created: { all: 'gsi1', category: 'gsi2' }, updated: { all: 'gsi3' }, storefrontCreated: { all: 'gsi4', category: 'gsi5' }, storefrontUpdated: { all: 'gsi6' } },
  },
  deliveryRecord: {
    prefix: 'dlv', stream: null, exported: 'deliveries', erased: 'each', person: 'events', retention: 30,
    lists: { log: { all: 'table', status: 'gsi2' } },
  },
  endpoint: { prefix: 'whe', stream: null, exported: 'webhook_endpoints', erased: 'each', person: null, retention: 'account', lists: {} },
  endpointRegistry: { prefix: 'whr', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
  payment: { prefix: 'pay', stream: 'events', exported: 'payments', erased: 'with another', person: 'with another', retention: 'person', lists: {} },
  paymentPointer: { prefix: 'ppt', stream: null, exported: null, erased: 'own way', person: 'payments', retention: 'account', lists: {} },
  quickSale: { prefix: 'qs', stream: 'events', exported: 'quick_sales', erased: 'each', person: null, retention: 'account', lists: {} },
  inventoryItem: { prefix: 'inv', stream: 'events', exported: 'inventory', erased: 'each', person: null, retention: 'account', lists: {} },
  idempotency: { prefix: 'idm', stream: null, exported: null, erased: 'own way', person: 'stored_responses', retention: 1, lists: {} },
  event: { prefix: 'evt', stream: null, exported: 'events', erased: 'each', person: 'events', retention: 30, lists: {} },
  notice: { prefix: 'ntc', stream: null, exported: null, erased: 'each', person: null, retention: 30, lists: {} },
  // Must exceed 30 days: a change from before the erasure can arrive for that long, because the
  // parking bucket keeps it for 30 days.
  erasure: { prefix: 'era', stream: null, exported: null, erased: 'own way', person: 'known', retention: 31, lists: {} },
  due: {
    prefix: 'due', stream: null, exported: null, erased: null, person: null, retention: null,
    lists: { due: { all: 'gsi1' } },
  },
  searchSlot: { prefix: 'rqs', stream: null, exported: null, erased: null, person: null, retention: null, lists: {} },
  heartbeat: { prefix: 'hbt', stream: 'heartbeat', exported: null, erased: null, person: null, retention: null, lists: {} },
} as const satisfies Record<string, OwnedRow> & Record<EventKind, OwnedRow & { readonly stream: 'events'; readonly exported: string }>;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as readonly Kind[];

/**
 * The kinds with this value in their row. A `Record` with these kinds as keys does not compile if the
 * code for a kind is missing.
 */
export type KindsWith<Field extends keyof KindRow, Value extends KindRow[Field]> = {
  [K in Kind]: (typeof kinds)[K][Field] extends Value ? K : never;
}[Kind];

const kindsWith = <Field extends keyof KindRow, Value extends KindRow[Field]>(field: Field, value: Value) =>
  kindNames.filter((kind): kind is KindsWith<Field, Value> => (kinds[kind] as KindRow)[field] === value);

/** Kinds with events for their changes. The compiler compares them with `EventRecords`. */
export const eventKinds: readonly EventKind[] = kindsWith('stream', 'events');

/** Kinds that `account.export` reads and `account.erase` deletes. */
export const erasedKinds = kindNames.filter((kind) => kinds[kind].erased !== null);

/**
 * Returns the key names of an index, for example `pk1` and `sk1` of `gsi1`. They are short, because
 * every item stores them.
 */
export const indexKeys = (index: IndexName): { readonly pk: string; readonly sk: string } => {
  const number = index.slice('gsi'.length);
  return { pk: `pk${number}`, sk: `sk${number}` };
};

/** The indexes that the lists of a kind read. */
export const indexesOf = (kind: Kind): readonly IndexName[] => {
  const sources = Object.values(kinds[kind].lists).flatMap((sort) => Object.values<ListSource>(sort));
  return indexNames.filter((index) => sources.includes(index));
};

export const schema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /**
   * The record's list view. It is one map attribute, so that each of seven projections counts once
   * against DynamoDB's limit of 100 projected attributes.
   */
  viewAttribute: 'view',
  /**
   * Epoch seconds. Reads treat the item as deleted from that second on; DynamoDB deletes it later.
   */
  ttlAttribute: 'expires_at',
  streamViewType: 'NEW_AND_OLD_IMAGES',
} as const;

/**
 * Filter patterns (JSON) of fan-out's event source. A source takes at most five patterns, so this
 * is one pattern with the streamed kinds as alternatives. The heartbeat is one of them, so that it
 * takes the same path as every event.
 */
export const streamFilters = [
  {
    dynamodb: {
      Keys: {
        [schema.partitionKey]: {
          S: kindNames.filter((kind) => kinds[kind].stream !== null).map((kind) => ({ prefix: `${kinds[kind].prefix}#` })),
        },
      },
    },
  },
];

/**
 * Rate buckets have a second table without stream or point-in-time recovery, because they expire in
 * minutes.
 */
export const bucketsSchema = { partitionKey: 'pk', ttlAttribute: 'expires_at' } as const;

/**
 * Number of shards of the due index. A write chooses a shard by hashing the delivery; the sweep
 * reads all.
 */
export const dueShards = 8;
export const dueIndex = kinds.due.lists.due.all;
