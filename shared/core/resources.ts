/**
 * The declarations of the resources, as data. The registries derive from them: prefixes of ids
 * (`ids.ts`), scopes (`scopes.ts`), event types (`shared/domain/event/types.ts`) and kinds of record
 * (`shared/table/schema.ts`).
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
export type OwnedRow = KindRow &
  (
    | { readonly retention: null; readonly exported: null; readonly erased: null }
    | { readonly retention: Exclude<KindRow['retention'], null>; readonly erased: Exclude<KindRow['erased'], null> }
    | { readonly prefix: 'acc' }
  );

interface Resource {
  /** Prefixes of its ids. They are part of the contract (decisions §6). */
  readonly ids: readonly string[];
  /** Scopes that an account can select for a secret key. */
  readonly scopes: readonly string[];
  /** Types of its events, which an endpoint can subscribe to. */
  readonly events: readonly string[];
  /**
   * Its kinds of record. `account.erase` deletes them in this order, so a kind with references to
   * other kinds comes after those.
   */
  readonly kinds: Readonly<Record<string, OwnedRow>>;
}

/**
 * The resources with scopes are in the order in which § Authentication 6 lists their scopes, because
 * responses show it.
 */
// biome-ignore format: a table
export const resources = {
  order: {
    ids: ['ord'],
    scopes: ['orders:read', 'orders:write'],
    events: ['order.created', 'order.updated', 'order.status_changed', 'order.deleted'],
    kinds: {
      order: {
        prefix: 'ord', stream: 'events', exported: 'orders', erased: 'each', person: 'orders', retention: 'person',
        lists: { createdAt: { all: 'gsi1', external_id: 'gsi7', customer_id: 'gsi4', status: 'gsi2', payment_status: 'gsi3' }, updatedAt: { all: 'gsi5' }, deliveryDate: { all: 'gsi6' } },
      },
      counter: { prefix: 'cnt', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
    },
  },
  customer: {
    ids: ['cus'],
    scopes: ['customers:read', 'customers:write'],
    events: ['customer.created', 'customer.updated'],
    kinds: {
      customer: {
        prefix: 'cus', stream: 'events', exported: 'customers', erased: 'each', person: 'known', retention: 'person',
        lists: { created: { all: 'table', external_id: 'gsi2' }, updated: { all: 'gsi1', external_id: 'gsi3' } },
      },
      customerEmail: { prefix: 'cue', stream: null, exported: null, erased: 'each', person: 'known', retention: 'person', lists: {} },
    },
  },
  expense: {
    ids: ['exp'],
    scopes: ['expenses:read', 'expenses:write'],
    events: ['expense.created', 'expense.updated'],
    kinds: {
      expense: {
        prefix: 'exp', stream: 'events', exported: 'expenses', erased: 'each', person: null, retention: 'account',
        lists: { date: { all: 'gsi1', category: 'gsi2', status: 'gsi3', supplier_id: 'gsi4' }, updated_at: { all: 'gsi5' } },
      },
      feeLine: { prefix: 'fel', stream: null, exported: 'gateway_fees', erased: 'each', person: 'gateway_fees', retention: 'account', lists: {} },
      // Names the day on which a gateway's transaction was booked, so that no other day books it.
      feeTransaction: { prefix: 'fet', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
      unbookedFee: { prefix: 'fun', stream: null, exported: 'unbooked_gateway_fees', erased: 'each', person: null, retention: 'account', lists: {} },
    },
  },
  product: {
    ids: ['prd', 'var'],
    scopes: ['products:read', 'products:search'],
    events: ['product.created', 'product.updated', 'product.deleted'],
    kinds: {
      product: {
        prefix: 'prd', stream: 'events', exported: 'products', erased: 'each', person: null, retention: 'account',
        lists: { created: { all: 'gsi1', category: 'gsi2' }, updated: { all: 'gsi3' }, storefrontCreated: { all: 'gsi4', category: 'gsi5' }, storefrontUpdated: { all: 'gsi6' } },
      },
    },
  },
  reference: { ids: [], scopes: ['reference:read'], events: [], kinds: {} },
  checkout: {
    ids: ['cs'],
    scopes: ['checkout:write'],
    events: [],
    kinds: {
      // Days after the session expires. With a running payment it is 90 (`sessionGoneSeconds`).
      checkoutSession: { prefix: 'chk', stream: null, exported: 'checkout_sessions', erased: 'own way', person: 'checkout_sessions', retention: 30, lists: {} },
    },
  },
  webhook: {
    ids: ['whe'],
    scopes: ['webhooks:manage'],
    events: [],
    kinds: {
      deliveryRecord: {
        prefix: 'dlv', stream: null, exported: 'deliveries', erased: 'each', person: 'events', retention: 30,
        lists: { log: { all: 'table', status: 'gsi2' } },
      },
      endpoint: { prefix: 'whe', stream: null, exported: 'webhook_endpoints', erased: 'each', person: null, retention: 'account', lists: {} },
      endpointRegistry: { prefix: 'whr', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },
    },
  },
  payment: {
    ids: ['pay'],
    scopes: [],
    events: ['payment.created', 'payment.updated', 'payment.completed', 'payment.failed', 'payment.refunded'],
    kinds: {
      payment: { prefix: 'pay', stream: 'events', exported: 'payments', erased: 'with another', person: 'with another', retention: 'person', lists: {} },
      paymentPointer: { prefix: 'ppt', stream: null, exported: null, erased: 'own way', person: 'payments', retention: 'account', lists: {} },
    },
  },
  quickSale: {
    ids: ['qs'],
    scopes: [],
    events: ['quick_sale.created', 'quick_sale.updated', 'quick_sale.deleted'],
    kinds: {
      quickSale: { prefix: 'qs', stream: 'events', exported: 'quick_sales', erased: 'each', person: null, retention: 'account', lists: {} },
    },
  },
  inventory: {
    ids: ['inv'],
    scopes: [],
    events: ['inventory.low'],
    kinds: {
      inventoryItem: { prefix: 'inv', stream: 'events', exported: 'inventory', erased: 'each', person: null, retention: 'account', lists: {} },
    },
  },
} as const satisfies Readonly<Record<string, Resource>>;
