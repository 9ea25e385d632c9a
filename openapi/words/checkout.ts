import { checkoutSession } from '../../shared/domain/checkout/fields.ts';
import { checkoutInputSchema } from '../../shared/domain/checkout/input.ts';
import { order } from '../../shared/domain/order/fields.ts';
import { addressText } from '../../shared/domain/wire-shape.ts';
import { fieldValues, type ResourceWords, sent, sessionIdText } from './common.ts';

export const checkout = {
  group: { name: 'Checkout', description: 'Carts that shoppers pay on a hosted page.' },
  operations: {
    createCheckout: {
      summary: 'Create a checkout session',
      description:
        'Prices a cart from the catalog and returns the URL of a hosted page. The shopper can pay there for 24 hours. The payment creates the order, and events for both follow; an unpaid session sends no events. Amounts are whole numbers if the currency has no smaller unit. A blocked date, a slot that is not offered or over, a product with variants without a `variant_id`, and a product in another currency than the account fail with `invalid_value`.',
      success: 'The session.',
      body: checkoutSession,
      errors: { limit_reached: '' },
    },
  },
  inputs: {
    CheckoutInput: sent(checkoutInputSchema, order, {
      items: "Items to buy, at catalog prices in the account's currency.",
      customer: 'The buyer. The hosted page asks for missing details.',
      delivery_date: 'A date that is not blocked.',
      delivery_time:
        '`id` or `start` of a slot that is offered on that date. The `id` tells slots with the same start apart. A slot without a start needs its `id` or no time. If the account has no slots of that type, any time or none.',
      delivery_address: `${addressText} The hosted page asks for it if it is missing.`,
      notes: 'Notes about the order. The hosted page shows them to the shopper, with their markup as text. Null without notes.',
      custom_fields: fieldValues,
      metadata:
        "Texts by name for the order. The service adds `checkout_session`, the session's id; you cannot set that name. Empty when absent.",
      external_id: 'Id of the order in your own system.',
      success_url: `HTTPS URL that the shopper returns to after paying. ${sessionIdText}`,
      cancel_url: `HTTPS URL that the shopper returns to without paying. ${sessionIdText}`,
    }),
    CheckoutItemInput: {
      product_id: 'Id of a product on the storefront.',
      variant_id: 'Id of one of its variants. Required if it has variants.',
      quantity: 'Number of pieces.',
    },
  },
} as const satisfies ResourceWords;
