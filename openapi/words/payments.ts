import { paymentMethods } from '../../shared/domain/enumerations.ts';
import { orderPayment, paymentInput } from '../../shared/domain/payment/input.ts';
import { payment } from '../../shared/domain/payment/wire.ts';
import { type ResourceWords, sent } from './common.ts';

export const payments = {
  inputs: {
    PaymentInput: sent(orderPayment, payment, {
      amount: 'Above 0 after it is rounded to 2 decimals.',
      method: `One of ${paymentMethods.join(', ')}, in any case; everything else is recorded as \`other\`.`,
      status: '`approved` counts as completed.',
      tip_amount: 'Tip on top of the amount.',
      method_details: 'What is known of the card or wallet.',
      gateway: 'The payment at its gateway.',
    }),
    PaymentMethodDetailsInput: sent(paymentInput.method_details.wrapped, payment.entries.method_details.wrapped, {}),
    PaymentGatewayReferenceInput: sent(paymentInput.gateway.wrapped, payment.entries.gateway.wrapped, {}),
  },
  events: {
    'payment.created': {
      summary: 'A payment was recorded',
      description: 'Refunds excepted. Payments of POST /orders emit it only with `emit_webhooks`.',
      object: payment,
    },
    'payment.updated': {
      summary: 'A payment was written',
      description: 'Any write of its status, voiding, or a correction of its amount, where `previous_status` equals `status`.',
      object: payment,
    },
    'payment.completed': {
      summary: 'A payment was completed',
      description: 'Or approved by staff; at the transition only.',
      object: payment,
    },
    'payment.failed': {
      summary: 'A payment failed',
      description: 'For example a bank transfer that staff rejected; at the transition only.',
      object: payment,
    },
    'payment.refunded': {
      summary: 'A refund was recorded',
      description: 'Alone, once for every refund; the object is the refund.',
      object: payment,
    },
  },
} as const satisfies ResourceWords;
