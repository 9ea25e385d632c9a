/** § Enumerations. The OpenAPI document lists these values; the records use their types. */

/** § Enumerations, Order status. */
export const orderStatuses = [
  'draft',
  'inquiry',
  'quote',
  'pending',
  'payment_pending_verification',
  'confirmed',
  'in_production',
  'ready',
  'dispatched',
  'delivered',
  'completed',
  'cancelled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Values that a create accepts. Reads return whatever is stored. */
export const orderPaymentStatuses = [
  'pending',
  'pending_payment',
  'partial_payment',
  'paid',
  'failed',
  'refunded',
  'overdue',
  'partial_refund',
  'disputed',
  'chargebacked',
] as const;

export const deliveryTypes = ['pickup', 'delivery', 'dispatch'] as const;

export const paymentStatuses = ['pending', 'submitted', 'completed', 'approved', 'failed', 'voided', 'refunded'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const paymentMethods = [
  'card',
  'credit_card',
  'bank_transfer',
  'wire_transfer',
  'cash',
  'check',
  'cheque',
  'paypal',
  'apple_pay',
  'google_pay',
  'afterpay',
  'klarna',
  'store_credit',
  'imported',
  'other',
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export const productStatuses = ['draft', 'active', 'archived', 'deleted'] as const;

export const allergenLevels = ['contains', 'may_contain', 'processed_in'] as const;

/** Values that a create or an edit of an expense accepts. Reads return whatever is stored. */
export const expenseStatuses = ['draft', 'submitted', 'recorded', 'approved'] as const;

export const gatewayFeeSource = 'gateway_fee';

export const customFieldTypes = [
  'text',
  'textarea',
  'email',
  'tel',
  'number',
  'date',
  'select',
  'checkbox',
  'radio',
  'customerChoice',
] as const;

/** Scopes of custom fields in the API. All others are internal to the dashboard. */
export const customFieldScopes = ['order', 'product', 'customer'] as const;

/** Dispatch has no slots. */
export const slotTypes = ['pickup', 'delivery'] as const;
