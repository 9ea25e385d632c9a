import { paymentMethods } from '../../shared/domain/payment/record.ts';
import { payment } from '../../shared/domain/payment/wire.ts';
import { markupText, type ResourceWords } from './common.ts';

export const payments = {
  inputs: {
    PaymentInput: {
      amount: 'Above 0 after it is rounded to 2 decimals.',
      method: `One of ${paymentMethods.join(', ')}, in any case; everything else is recorded as \`other\`.`,
      status: '`approved` counts as completed.',
      tip_amount: 'Tip on top of the amount.',
      fee_amount: 'Fee kept by the gateway.',
      description: markupText,
      method_details: 'What is known of the card or wallet.',
      gateway: 'The payment at its gateway.',
    },
    PaymentMethodDetailsInput: { brand: 'Such as `visa`.', last4: 'Last four digits.', wallet_type: 'Such as `apple_pay`.' },
    PaymentGatewayReferenceInput: { provider: 'Name of the gateway.', transaction_id: "The gateway's id of the transaction." },
  },
  events: {
    'payment.created': {
      summary: 'A payment was recorded',
      description: 'Refunds excepted. Payments of POST /orders are told only with `emit_webhooks`.',
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
      description: 'Such as a bank transfer that staff rejected; at the transition only.',
      object: payment,
    },
    'payment.refunded': {
      summary: 'A refund was recorded',
      description: 'Alone, once for every refund; the object is the refund.',
      object: payment,
    },
  },
} as const satisfies ResourceWords;
