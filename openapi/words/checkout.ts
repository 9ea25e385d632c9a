import { checkoutInputSchema } from '../../shared/domain/checkout/input.ts';
import { checkoutSession } from '../../shared/domain/checkout/wire.ts';
import { order } from '../../shared/domain/order/wire.ts';
import { addressText } from '../../shared/domain/wire-shape.ts';
import { fieldValues, type ResourceWords, sent, sessionIdText } from './common.ts';

export const checkout = {
  group: { name: 'Checkout', description: 'Carts that are paid on a hosted page.' },
  operations: {
    createCheckout: {
      summary: 'Create a checkout session',
      description:
        'Prices a cart from the catalog and answers with the address of a hosted page, where the shopper pays within 24 hours. The payment makes the order, and both are announced; a session that is not paid announces nothing. Amounts are whole where the currency has no smaller unit. A blocked date, a slot that is not offered and a product in another currency than the account has are `invalid_value`.',
      success: 'The session.',
      body: checkoutSession,
      errors: { limit_reached: '' },
    },
  },
  inputs: {
    CheckoutInput: sent(checkoutInputSchema, order, {
      items: "What is bought, at catalog prices in the account's currency.",
      customer: 'Who buys; the hosted page asks for what is missing.',
      delivery_date: 'A date that is not blocked.',
      delivery_time: 'Start of a slot that is offered on that date. Any or none if the account has no slots of that type.',
      delivery_address: `${addressText} The hosted page asks for it where it is missing.`,
      custom_fields: fieldValues,
      metadata:
        "Texts by name for the order, whose `checkout_session` is the session's id; that name is not yours to set. None when absent.",
      external_id: 'Id in another system, for the order.',
      success_url: `HTTPS address the shopper is sent to after paying. ${sessionIdText}`,
      cancel_url: `HTTPS address the shopper is sent to when turning back. ${sessionIdText}`,
    }),
    CheckoutItemInput: {
      product_id: 'A product that stands on the storefront.',
      variant_id: 'One of its variants.',
      quantity: 'How many.',
    },
  },
} as const satisfies ResourceWords;
