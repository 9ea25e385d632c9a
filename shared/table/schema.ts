/**
 * Key and index names of the two tables, as data for CDK, the local runtime and the stores.
 * Every access pattern is listed in docs/access-patterns.md.
 */

/** First segment of every partition key, also of indexes: what `dynamodb:LeadingKeys` holds a function to. */
export const kinds = {
  account: 'acc',
  settings: 'set',
  apiKey: 'key',
  idempotency: 'idm',
  expense: 'exp',
  feeLine: 'fel',
  unbookedFee: 'fun',
  order: 'ord',
  payment: 'pay',
  paymentPointer: 'ppt',
  customer: 'cus',
  customerEmail: 'cue',
  product: 'prd',
  quickSale: 'qs',
  inventoryItem: 'inv',
  counter: 'cnt',
  checkoutSession: 'chk',
  endpoint: 'whe',
  endpointRegistry: 'whr',
  deliveryRecord: 'dlv',
  event: 'evt',
  erasure: 'era',
  due: 'due',
  heartbeat: 'hbt',
} as const;

export type Kind = keyof typeof kinds;

/** Generic indexes shared by all kinds: 6 cover the widest resource (orders: the default order without or with one of three filters, two more orders). */
export const indexNames = ['gsi1', 'gsi2', 'gsi3', 'gsi4', 'gsi5', 'gsi6'] as const;
export type IndexName = (typeof indexNames)[number];

/** Short, as names are part of what every item weighs: `pk1` and `sk1` of `gsi1`. */
export const indexKeys = (index: IndexName): { readonly pk: string; readonly sk: string } => {
  const number = index.slice('gsi'.length);
  return { pk: `pk${number}`, sk: `sk${number}` };
};

export const schema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** The record's list view: one map attribute, so that six projections count once against the limit of 100 projected attributes. */
  viewAttribute: 'view',
  /** Epoch seconds; DynamoDB removes the item some time after, reads treat it as gone from that second on. */
  ttlAttribute: 'expires_at',
  streamViewType: 'NEW_AND_OLD_IMAGES',
} as const;

/** Kinds whose changes are events. */
export const eventKinds = [
  'expense',
  'order',
  'payment',
  'customer',
  'product',
  'quickSale',
  'inventoryItem',
] as const satisfies readonly Kind[];

/** Kinds that reach fan-out. The heartbeat is among them so that it takes the way of every event, through the same filter. */
export const streamedKinds = [...eventKinds, 'heartbeat'] as const satisfies readonly Kind[];

/** Lambda event-source filter patterns (JSON): one, whose alternatives are the streamed kinds; a source takes five patterns. */
export const streamFilters = [
  { dynamodb: { Keys: { [schema.partitionKey]: { S: streamedKinds.map((kind) => ({ prefix: `${kinds[kind]}#` })) } } } },
];

/** Rate buckets alone live in a second table, without stream or PITR: they die in minutes. */
export const bucketsSchema = { partitionKey: 'pk', ttlAttribute: 'expires_at' } as const;

/** Shards of the due index: a sweep reads each; a write picks one by hashing the delivery. */
export const dueShards = 8;
export const dueIndex: IndexName = 'gsi1';
