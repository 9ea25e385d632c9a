import { isoFromMs } from '../../core/time.ts';
import type { Customer } from '../customer/fields.ts';
import type { Order } from '../order/fields.ts';
import { makeOrder, makeOrderPayment, orderPaymentMethodOf } from '../order/rules.ts';
import type { Payment } from '../payment/fields.ts';
import { type CheckoutSession, type SessionIn, sessionKey } from './record.ts';
import type { Approval } from './rules.ts';

/** A payment without an order, or with an erased one. The merchant owes the shopper a refund. */
interface Orderless {
  readonly account: string;
  readonly session: string;
  /** The gateway's id of the payment. */
  readonly transaction: string;
  readonly why: 'paid_twice' | 'session_gone' | 'account_erased';
}

/** Returns the log line that an alarm counts. */
export const orderlessPaymentLine = (payment: Orderless) => ({ op: 'settle', ...payment, without_order: true }) as const;

interface SettleOrigin {
  readonly orderId: string;
  readonly orderNumber: number;
  readonly paymentId: string;
  readonly customer: Customer | null;
  readonly nowMs: number;
}

interface Settled {
  readonly session: SessionIn<'paid'>;
  readonly order: Order;
  readonly payment: Payment;
}

/**
 * Returns the order of a paid session, with the session's prices, and its payment. The payment
 * always emits its event (decisions §6).
 */
export const settleSession = (
  session: CheckoutSession,
  approval: Approval,
  { orderId, orderNumber, paymentId, customer, nowMs }: SettleOrigin,
): Settled => {
  const { items, subtotal, delivery_fee, total, currency } = session;
  const { gateway, transaction_id, fee, method, method_details } = approval;
  const order = makeOrder(
    {
      external_id: session.external_id,
      status: 'pending',
      payment_status: 'paid',
      payment_method: orderPaymentMethodOf[method],
      delivery_type: session.delivery_type,
      delivery_date: session.delivery_date,
      delivery_time: session.delivery_time,
      delivery_address: session.delivery_address,
      order_type: null,
      event_category: null,
      notes: session.notes,
      custom_fields: session.custom_fields,
      metadata: { ...session.metadata, [sessionKey]: session.id },
    },
    {
      items: items.map(({ product_id, variant_id, name, quantity, unit_price, total: amount }, i) => ({
        id: `${orderId}_${i + 1}`,
        product_id,
        variant_id,
        name,
        quantity,
        unit_price,
        total: amount,
        notes: null,
      })),
      subtotal,
      tax: 0,
      delivery_fee,
      discount: 0,
      total,
    },
    {
      id: orderId,
      order_number: orderNumber,
      currency,
      source: 'checkout',
      created_at: isoFromMs(nowMs),
      customer,
      contact: session.customer ?? undefined,
    },
  );
  const payment = makeOrderPayment(
    {
      amount: total,
      method,
      status: 'completed',
      tip_amount: 0,
      fee_amount: fee,
      description: null,
      method_details,
      gateway: { provider: gateway, transaction_id },
    },
    order,
    paymentId,
    true,
  );
  const paid: SessionIn<'paid'> = {
    ...session,
    status: 'paid',
    payment: { gateway, keys: null, method, lease_until_ms: 0, transaction_id, redirect_url: null },
    declined: null,
    refused: null,
    order_id: orderId,
    updated_at: isoFromMs(nowMs),
  };
  return { session: paid, order, payment };
};
