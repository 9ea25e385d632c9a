/** The types an endpoint can subscribe to (§ Events, Subscribable types). */
export const eventTypes = [
  'order.created',
  'order.updated',
  'order.status_changed',
  'order.deleted',
  'customer.created',
  'customer.updated',
  'product.created',
  'product.updated',
  'product.deleted',
  'payment.created',
  'payment.updated',
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'quick_sale.created',
  'quick_sale.updated',
  'quick_sale.deleted',
  'expense.created',
  'expense.updated',
  'inventory.low',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Type of test events. Endpoints cannot subscribe to it. */
export const testEventType = 'webhook.test';
