import { type IndexName, indexNames, type KindRow, type ListSource, type OwnedRow, resources } from '../core/resources.ts';
import type { EventKind } from '../domain/event/changes.ts';

/**
 * The kinds of record and the names of keys, as data. Stores, export, erasure, the
 * stream's filter, IAM policies and CDK use them. `npm run tables` writes the tables of
 * docs/cost.md and docs/privacy.md from them.
 */

/** The kinds of all resources in one table, with the literal types of their rows. */
type ResourceTable = (typeof resources)[keyof typeof resources]['kinds'];
type KindIn<Table> = Table extends unknown ? keyof Table : never;
type ResourceKinds = { readonly [K in KindIn<ResourceTable>]: Extract<ResourceTable, Record<K, unknown>>[K] };
const resourceKinds: ResourceKinds = Object.assign({}, ...Object.values(resources).map((one) => one.kinds));

/**
 * The rows of the resources between those of the platform, in the order in which `account.erase`
 * deletes kinds. API keys come first, because that ends access. Checkout sessions come next, because
 * a running payment still makes an order; and before the settings, because it needs the keys of its
 * gateway.
 */
// biome-ignore format: a table
export const kinds = {
  account: { prefix: 'acc', stream: null, exported: 'account', erased: null, person: null, retention: 'account', lists: {} },
  apiKey: { prefix: 'key', stream: null, exported: 'keys', erased: 'own way', person: null, retention: 'account', lists: {} },
  keyUse: { prefix: 'kus', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
  ...resources.checkout.kinds,
  settings: { prefix: 'set', stream: null, exported: 'settings', erased: 'own way', person: null, retention: 'account', lists: {} },
  ...resourceKinds,
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
