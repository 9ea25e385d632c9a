import { paymentMethods } from '../shared/domain/payment/record.ts';
import type { MemberTexts } from './json-schema.ts';

const people = {
  first_name: 'First name.',
  last_name: 'Last name.',
  email: 'Compared without case.',
  phone: 'Free text.',
  company: 'Company.',
};
const freeText = 'Free text, without HTML.';
const markupText = 'Free text that keeps its markup.';
const addressText = 'One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for space around it.';
const metadataText = "The caller's own texts by name.";
const externalId = 'Id in another system.';
const supplierId = "The caller's id of the supplier.";
const sessionIdText = "`{CHECKOUT_SESSION_ID}` in its path, query or fragment, written like that, becomes the session's id.";
const fieldValues = 'Values by key of the custom field; keys that the account has not defined are refused.';

/** What members of request bodies are, by the name of their object. */
export const inputTexts = {
  ExpenseInput: {
    amount: 'Above 0 after it is rounded to 2 decimals, half away from zero.',
    date: 'ISO 8601, or epoch seconds as a string; after the Unix epoch. A date without a time, `20260305` too, is midnight UTC.',
    category: 'Id or label of an expense category, in any case; stored as its id.',
    currency: "Three letters in any case; the account's currency when absent.",
    subcategory: freeText,
    description: markupText,
    notes: markupText,
    tags: 'Free-form tags without HTML; anything but an array counts as none.',
    supplier: 'Other members are dropped.',
    payment: 'Other members are dropped.',
    tax: 'Other members are dropped.',
  },
  SupplierInput: { id: supplierId, name: 'Name of the supplier.' },
  ExpensePaymentInput: { method: freeText, status: freeText, due_date: freeText, reference: freeText },
  ExpenseTaxInput: { amount: 'Rounded to 2 decimals.', rate: 'Kept as it is sent.' },
  CustomerInput: {
    ...people,
    email: 'Unique within the account, in any case. Required where there is neither a phone nor a last name.',
    tags: 'Free-form tags without HTML; anything but an array counts as none.',
    is_blacklisted: 'Whether the bakery no longer serves them.',
    marketing_email: 'Whether they agreed to email; null where nothing is known.',
    marketing_sms: 'Whether they agreed to text messages; null where nothing is known.',
    external_id: externalId,
    notes: markupText,
    address: addressText,
    metadata: metadataText,
  },
  CustomerDetails: { ...people, email: 'Compared without case. Required where there is neither a phone nor a last name.' },
  CustomerReference: { id: 'Id of a customer of the account.' },
  OrderInput: {
    items: 'Lines of the order.',
    status: 'Any of the statuses; moves between them are not judged here.',
    payment_status: 'Any of the statuses; it is not derived from `payments`.',
    payment_method: 'Free text; stored and echoed unchanged.',
    delivery_type: '`dispatch` is by carrier.',
    delivery_date: 'Day it is wanted.',
    delivery_time: 'Time it is wanted, `HH:MM`; dropped for `dispatch`.',
    delivery_address: addressText,
    delivery_fee: 'Added to the total; rounded to 2 decimals.',
    discount: 'Taken off the total; rounded to 2 decimals.',
    tax: 'Added to the total; rounded to 2 decimals.',
    order_type: freeText,
    event_category: 'Free text; it is not compared with the event categories.',
    external_id: externalId,
    notes: markupText,
    custom_fields: fieldValues,
    metadata: metadataText,
    customer: 'A customer by id, or details: whoever has that email is the customer, else a new one is added. Absent for a walk-in.',
    payments: 'Payments to record with the order.',
    emit_webhooks: 'Whether the payments are announced by events; the order always is.',
    currency: "Three letters in any case; the account's currency when absent, `AUD` where it has none.",
  },
  OrderItemInput: {
    product_id:
      "A product that stands on the storefront; it gives name and price where they are absent. A price in another currency than the order's is refused.",
    name: 'Required without `product_id`.',
    quantity: 'How many.',
    unit_price: 'Required without `product_id`; rounded to 2 decimals.',
    notes: markupText,
  },
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
  CheckoutInput: {
    items: "What is bought, at catalog prices in the account's currency.",
    customer: 'Who buys; the hosted page asks for what is missing.',
    delivery_type: '`dispatch` is by carrier.',
    delivery_date: 'A date that is not blocked.',
    delivery_time: 'Start of a slot that is offered on that date; any or none where the account has no slots of that type.',
    delivery_address: `${addressText} The hosted page asks for it where it is missing.`,
    notes: markupText,
    custom_fields: fieldValues,
    metadata: "Texts by name for the order, whose `checkout_session` is the session's id; that name is not yours to set.",
    external_id: 'Id in another system, for the order.',
    success_url: `HTTPS address the shopper is sent to after paying. ${sessionIdText}`,
    cancel_url: `HTTPS address the shopper is sent to when turning back. ${sessionIdText}`,
  },
  CheckoutItemInput: {
    product_id: 'A product that stands on the storefront.',
    variant_id: 'One of its variants.',
    quantity: 'How many.',
  },
  WebhookEndpointInput: {
    url: 'Public HTTPS address without credentials; once per account.',
    events: 'Types to be sent; duplicates are folded.',
    description: 'Free text.',
  },
  WebhookEndpointChanges: {
    url: 'Public HTTPS address without credentials; once per account.',
    events: 'Replaces the subscribed types; duplicates are folded.',
    description: 'Free text; null empties it.',
    enabled: 'True also clears `disabled_reason` and the count of consecutive failures; what happened meanwhile is not sent later.',
  },
} as const satisfies MemberTexts;

const cursor = '`next_cursor` of the page before, verbatim, with all other parameters unchanged.';
const exact = 'Exact match.';
const mayBeShort = 'pages may be shorter than `limit`.';

/** What query parameters are: by operation where its meaning is its own, else by name. */
export const parameterTexts: Readonly<Record<string, string>> = {
  limit:
    'Records a page; a number out of bounds counts as the nearest bound, anything that is no whole number in decimal digits as the default.',
  cursor,
  updated_after:
    'Records saved then or later, latest save first; the last record of the previous sync therefore comes again. A date is its midnight in UTC. With another filter pages may be shorter than `limit`.',
  'listExpenses.order_by': `Always descending; \`updated_at\` goes without a range of dates, and with a filter its ${mayBeShort}`,
  'listExpenses.date_from': 'First moment, inclusive; ISO 8601 or epoch seconds. A date without a time, `20260305` too, is midnight UTC.',
  'listExpenses.date_to':
    'Last moment, inclusive; ISO 8601 or epoch seconds. A date without a time, `20260305` too, takes in its whole UTC day.',
  'listExpenses.category': `${exact} Id of the category. At most one of category, status and supplier_id is taken.`,
  'listExpenses.status': `${exact} Such as \`submitted\`.`,
  'listExpenses.supplier_id': exact,
  'listOrders.sort': `Always descending; orders without a delivery date come last. With a filter and another sort than \`createdAt\` ${mayBeShort}`,
  'listOrders.created_after': 'Inclusive; ISO 8601 or epoch seconds. A date is its midnight in UTC. With the default sort only.',
  'listOrders.created_before':
    'Inclusive; ISO 8601 or epoch seconds. A date without a time takes in its whole UTC day. With the default sort only.',
  'listOrders.status': 'Any of these, separated by commas.',
  'listOrders.payment_status': exact,
  'listOrders.customer_id': exact,
  'listCustomers.email': 'Exact match, in any case.',
  'listCustomers.search': `Part of the name, in any case; ${mayBeShort}`,
  'listProducts.category': exact,
  'listProducts.search': `Part of the name, in any case; ${mayBeShort}`,
  'listTimeSlots.type': 'Both when absent.',
  'listCustomFields.scope': 'Definitions of these records; all when absent.',
  'getAvailability.date': 'One date that exists; goes without `from` and `to`, and is required where they are absent.',
  'getAvailability.from': 'First date of a range of at most 90 days; requires `to`.',
  'getAvailability.to': 'Last date of the range, inclusive and not before `from`; requires `from`.',
  'getAvailability.type': 'Narrows the slots; it never changes `bookable`.',
  'listWebhookEvents.status': 'Deliveries in this status; of `pending` and `delivered` pages may be shorter than `limit`.',
};
