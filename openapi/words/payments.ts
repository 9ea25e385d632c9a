import { paymentMethods } from '../../shared/domain/enumerations.ts';
import { payment } from '../../shared/domain/payment/fields.ts';
import { orderPaymentInput, paymentInput } from '../../shared/domain/payment/input.ts';
import { eventsOf, type ResourceWords, sent } from './common.ts';

export const payments = {
  inputs: {
    PaymentInput: sent(orderPaymentInput, payment, {
      amount: 'Above 0 after it is rounded to 2 decimals.',
      method: `One of ${paymentMethods.join(', ')}, in any case. Other values are recorded as \`other\`.`,
      status: '`approved` counts as completed.',
      tip_amount: 'Tip, added to the amount.',
      method_details: 'Card or wallet that paid. Null if not known.',
      gateway: 'The gateway that took the payment, and its transaction. Null without a gateway.',
    }),
    PaymentMethodDetailsInput: sent(paymentInput.method_details.wrapped, payment.entries.method_details.wrapped, {}),
    PaymentGatewayReferenceInput: sent(paymentInput.gateway.wrapped, payment.entries.gateway.wrapped, {}),
  },
  events: eventsOf(payment, {
    'payment.created': {
      summary: 'A payment was recorded',
      description: 'Not sent for refunds. Payments of POST /orders emit it only with `emit_webhooks`.',
    },
    'payment.updated': {
      summary: 'A payment was written',
      description:
        'Sent for any write of its status, for voiding, and for a correction of its amount. For a correction, `previous_status` equals `status`.',
    },
    'payment.completed': {
      summary: 'A payment was completed',
      description: 'Also sent if staff approves it. Sent only at the transition.',
    },
    'payment.failed': {
      summary: 'A payment failed',
      description: 'For example a bank transfer that staff rejected. Sent only at the transition.',
    },
    'payment.refunded': {
      summary: 'A refund was recorded',
      description: 'Sent once per refund, without other payment events. The object is the refund.',
    },
  }),
} as const satisfies ResourceWords;
