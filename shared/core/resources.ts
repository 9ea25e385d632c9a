/**
 * The declarations of the resources, as data. The registries of ids (`ids.ts`), scopes (`scopes.ts`)
 * and event types (`shared/domain/event/types.ts`) derive from them. `shared/table/schema.ts`
 * declares how their records are stored.
 */

interface Resource {
  /** Prefixes of its ids. They are part of the contract (decisions §6). */
  readonly ids: readonly string[];
  /** Scopes that an account can select for a secret key. */
  readonly scopes: readonly string[];
  /** Types of its events, which an endpoint can subscribe to. */
  readonly events: readonly string[];
}

/**
 * The resources with scopes are in the order in which § Authentication 6 lists their scopes, because
 * responses show it.
 */
export const resources = {
  order: {
    ids: ['ord'],
    scopes: ['orders:read', 'orders:write'],
    events: ['order.created', 'order.updated', 'order.status_changed', 'order.deleted'],
  },
  customer: {
    ids: ['cus'],
    scopes: ['customers:read', 'customers:write'],
    events: ['customer.created', 'customer.updated'],
  },
  expense: {
    ids: ['exp'],
    scopes: ['expenses:read', 'expenses:write'],
    events: ['expense.created', 'expense.updated'],
  },
  product: {
    ids: ['prd', 'var'],
    scopes: ['products:read', 'products:search'],
    events: ['product.created', 'product.updated', 'product.deleted'],
  },
  reference: { ids: [], scopes: ['reference:read'], events: [] },
  checkout: {
    ids: ['cs'],
    scopes: ['checkout:write'],
    events: [],
  },
  webhook: {
    ids: ['whe'],
    scopes: ['webhooks:manage'],
    events: [],
  },
  payment: {
    ids: ['pay'],
    scopes: [],
    events: ['payment.created', 'payment.updated', 'payment.completed', 'payment.failed', 'payment.refunded'],
  },
  quickSale: {
    ids: ['qs'],
    scopes: [],
    events: ['quick_sale.created', 'quick_sale.updated', 'quick_sale.deleted'],
  },
  inventory: {
    ids: ['inv'],
    scopes: [],
    events: ['inventory.low'],
  },
} as const satisfies Readonly<Record<string, Resource>>;
