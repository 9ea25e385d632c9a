/** The specification's lists of resources, written by hand and independent of the code. */

/**
 * Every endpoint: method, path, scope, key types, success status, and whether it supports
 * Idempotency-Key.
 */
export const endpoints = `
  GET    /orders                           orders:read      secret  200
  POST   /orders                           orders:write     secret  201  Idempotency-Key
  GET    /orders/{id}                      orders:read      secret  200
  GET    /customers                        customers:read   secret  200
  POST   /customers                        customers:write  secret  201  Idempotency-Key
  GET    /customers/{id}                   customers:read   secret  200
  GET    /expenses                         expenses:read    secret  200
  POST   /expenses                         expenses:write   secret  201  Idempotency-Key
  GET    /expenses/{id}                    expenses:read    secret  200
  GET    /products                         products:read    any     200
  GET    /products/{id}                    products:read    any     200
  POST   /products/search-token            products:search  any     201
  GET    /reference/payment-methods        reference:read   any     200
  GET    /reference/expense-categories     reference:read   any     200
  GET    /reference/event-categories       reference:read   any     200
  GET    /reference/time-slots             reference:read   any     200
  GET    /reference/blocked-dates          reference:read   any     200
  GET    /reference/custom-fields          reference:read   any     200
  GET    /availability                     reference:read   any     200
  POST   /checkout                         checkout:write   any     201  Idempotency-Key
  POST   /webhooks                         webhooks:manage  secret  201  Idempotency-Key
  GET    /webhooks                         webhooks:manage  secret  200
  GET    /webhooks/{id}                    webhooks:manage  secret  200
  PATCH  /webhooks/{id}                    webhooks:manage  secret  200
  DELETE /webhooks/{id}                    webhooks:manage  secret  200
  POST   /webhooks/{id}/rotate-secret      webhooks:manage  secret  200
  POST   /webhooks/{id}/test               webhooks:manage  secret  200
  GET    /webhooks/{id}/events             webhooks:manage  secret  200
`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/));

/** § Subscribable types. */
const subscribable: Readonly<Record<string, readonly string[]>> = {
  order: ['created', 'updated', 'status_changed', 'deleted'],
  customer: ['created', 'updated'],
  product: ['created', 'updated', 'deleted'],
  payment: ['created', 'updated', 'completed', 'failed', 'refunded'],
  quick_sale: ['created', 'updated', 'deleted'],
  expense: ['created', 'updated'],
  inventory: ['low'],
};
export const subscribableTypes: readonly string[] = Object.entries(subscribable).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}`),
);

/**
 * § Payloads: the exact fields of `data.object` of each kind of event, and the types of their
 * values (`integer` is a whole number, `iso` an ISO 8601 timestamp with milliseconds and `Z`).
 */
export const payloadFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  order: {
    id: 'string',
    order_number: 'integer',
    friendly_order_number: 'string',
    external_id: 'string null',
    status: 'string',
    payment_status: 'string',
    subtotal: 'number',
    tax: 'number',
    delivery_fee: 'number',
    discount: 'number',
    total: 'number',
    currency: 'string',
    customer_id: 'string null',
    customer_name: 'string null',
    customer_email: 'string null',
    customer_phone: 'string null',
    delivery_type: 'string',
    delivery_date: 'string null',
    delivery_time: 'string null',
    items_count: 'integer',
    order_type: 'string null',
    source: 'string',
    created_at: 'iso',
    updated_at: 'iso',
  },
  customer: {
    id: 'string',
    first_name: 'string null',
    last_name: 'string null',
    email: 'string null',
    phone: 'string null',
    company: 'string null',
    tags: 'array',
    is_blacklisted: 'boolean',
    total_orders: 'integer',
    total_spent: 'number',
    last_order_date: 'iso null',
    marketing_email: 'boolean null',
    marketing_sms: 'boolean null',
    external_id: 'string null',
    created_at: 'iso',
    updated_at: 'iso',
  },
  product: { id: 'string', name: 'string', status: 'string', storefront_visible: 'boolean', updated_at: 'iso' },
  payment: {
    id: 'string',
    order_id: 'string null',
    customer_id: 'string null',
    schedule_id: 'string null',
    amount: 'number',
    tip_amount: 'number',
    total_amount: 'number',
    fee_amount: 'number',
    net_amount: 'number',
    type: 'string',
    source: 'string',
    method: 'string',
    status: 'string',
    previous_status: 'string null',
    method_details: 'object null',
    gateway: 'object null',
    original_payment_id: 'string null',
    refunded_amount: 'number',
    description: 'string null',
    created_at: 'iso',
    completed_at: 'iso null',
  },
  quick_sale: {
    id: 'string',
    date: 'string',
    description: 'string null',
    sale_type: 'string null',
    location: 'string null',
    event_name: 'string null',
    gross_sales: 'number',
    gross_cost: 'number',
    net_amount: 'number',
    payment_method: 'string null',
    items_count: 'integer',
    created_at: 'iso',
    updated_at: 'iso',
  },
  expense: {
    id: 'string',
    amount: 'number',
    currency: 'string',
    category: 'string',
    description: 'string null',
    date: 'iso',
    status: 'string',
    supplier_id: 'string null',
    supplier_name: 'string null',
    payment_status: 'string null',
    payment_method: 'string null',
    payment_reference: 'string null',
    external_id: 'string null',
    created_at: 'iso',
    updated_at: 'iso',
  },
  inventory: {
    id: 'string',
    type: 'string',
    name: 'string',
    category: 'string null',
    current_stock: 'number',
    reorder_point: 'number',
    unit: 'string',
    supplier_id: 'string null',
    supplier_name: 'string null',
  },
};

/** Fields that only the API and the dashboard show. */
export const shownFields = {
  customer: { notes: 'string null', address: 'string object null', custom_fields: 'object', metadata: 'object' },
} as const;

/** Fields of the blocks of payment.*. */
export const blockFields = { method_details: ['brand', 'last4', 'wallet_type'], gateway: ['provider', 'transaction_id'] } as const;

/** Fields that an erasure empties in the simulation; each holds a unique text. */
export const personal = {
  customer: ['first_name', 'last_name', 'email', 'phone', 'company', 'notes', 'address', 'external_id', 'metadata'],
  order: ['customer_name', 'customer_email', 'customer_phone', 'delivery_address', 'notes', 'external_id', 'metadata'],
} as const;

const fields = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Fields of personal records that survive an erasure; every other field is personal. */
export const survivors = {
  customer: fields('id total_orders total_spent last_order_date created_at updated_at erased_at'),
  order: fields(`
    id order_number status payment_status subtotal tax delivery_fee discount total currency customer_id delivery_type delivery_date
    delivery_time source previous_status counted created_at updated_at deleted_at
  `),
  payment: fields(`
    id order_id customer_id schedule_id amount tip_amount total_amount fee_amount net_amount type source method status previous_status
    gateway original_payment_id refunded_amount created_at completed_at updated_at emits_on_create
  `),
  checkoutSession: fields(`
    id account status currency items subtotal delivery_fee total delivery_type delivery_date delivery_time token tries payment asked
    declined refused order_id expires_ms created_at updated_at
  `),
};

const typesOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value) ? ['string', 'iso'] : [typeof value];
};

/**
 * Returns the defects of an event's payload: missing, extra or wrongly typed fields. Empty if it is
 * valid.
 */
export const faultsOfPayload = (type: string, payload: Readonly<Record<string, unknown>>): readonly string[] => {
  const [category = ''] = type.split('.');
  const expected = { ...payloadFields[category], ...(type === 'order.status_changed' ? { previous_status: 'string' } : {}) };
  const tooMany = Object.keys(payload).filter((name) => !Object.hasOwn(expected, name));
  const wrong = Object.entries(expected).filter(
    ([name, allowed]) => !Object.hasOwn(payload, name) || !typesOf(payload[name]).some((one) => allowed.split(' ').includes(one)),
  );
  return [...tooMany.map((name) => `${name} is too many`), ...wrong.map(([name, allowed]) => `${name} is no ${allowed}`)];
};
