import { declines } from '../../../shared/domain/checkout/declines.ts';

/** Every text of the page, in English. A field is its label and the error beside it. */
export const en = {
  checkout: 'Checkout',
  /** Title of a page with an error. */
  error: (title: string) => `Error: ${title}`,
  backToShop: 'Back to the shop',
  /** The same link on a phone. */
  shop: 'Shop',
  details: 'Your details',
  deliveryAddress: 'Delivery address',
  payment: 'Payment',
  testMode: 'Test mode',
  optional: '(optional)',
  choose: 'Choose',
  pay: (amount: string) => `Pay ${amount}`,
  paying: 'Paying…',
  payNext: 'You enter your payment details on the next page.',
  notPaid: 'You have not paid yet. Continue, or correct your details.',
  toPayment: 'Continue to payment',
  correctFields: 'Please correct the marked fields.',
  tooLong: (most: string) => `Use at most ${most} characters.`,
  fields: {
    first_name: ['First name', 'Enter your first name.'],
    last_name: ['Last name', 'Enter your last name.'],
    email: ['Email', 'Enter an email address, like name@example.com.'],
    phone: ['Phone', 'Enter a phone number.'],
    delivery_address: ['Street address', 'Enter the street and number.'],
    card_number: ['Card number', 'Enter a card number.'],
  },
  parts: {
    city: ['City', 'Enter the city.'],
    suburb: ['Suburb', 'Enter the suburb.'],
    town: ['Town or city', 'Enter the town or city.'],
    state: ['State', 'Choose a state.'],
    province: ['State or province', 'Choose a state or province.'],
    postcode: ['Postcode', 'Enter the postcode.'],
    zip: ['ZIP or postal code', 'Enter the ZIP or postal code.'],
    country: ['Country', 'Enter the country.'],
  },
  wholeAddress: 'Address',
  placeholders: { email: 'name@example.com', delivery_address: 'Street and number' },
  cards: {
    show: 'No money is taken. Show test cards',
    use: 'Use',
    useCard: (number: string) => `Use ${number}`,
    useTestCard: 'Use one of the test cards.',
    approve: 'Approved',
    decline: 'Declined',
    pending: 'Pending',
  },
  summary: {
    name: 'Order summary',
    order: 'Your order',
    orderOf: (items: number) => `Your order (${items} ${items === 1 ? 'item' : 'items'})`,
    each: (price: string) => `${price} each`,
    subtotal: 'Subtotal',
    fee: 'Delivery fee',
    total: 'Total',
    pickup: 'Pickup',
    delivery: 'Delivery',
    dispatch: 'Dispatch',
    note: 'Note',
  },
  pending: {
    title: 'Payment pending',
    heading: 'Your payment is being checked',
    body: 'Your bank has not decided yet. You will not be charged twice. This page updates itself. You may close it: the shop receives your order when the bank approves.',
    check: 'Check again',
    payNext: 'You pay on the next page.',
  },
  bank: {
    heading: 'The bank’s decision',
    approve: 'Approve',
    approvePayment: 'Approve the payment',
    decline: 'Decline',
    declinePayment: 'Decline the payment',
  },
  interrupted: {
    title: 'Payment interrupted',
    heading: 'Your payment was interrupted',
    body: 'We do not know its result yet. Finishing it does not charge you twice.',
    finish: 'Finish the payment',
    finishing: 'Asking…',
  },
  processing: { title: 'Payment in progress', heading: 'Your payment is in progress', body: 'This takes a few seconds.' },
  paid: {
    title: 'Thank you',
    heading: 'Thank you for your order',
    body: (amount: string) => `Your payment of ${amount} has arrived.`,
    orderNumber: 'Order number',
    date: 'Date',
    email: 'Email',
    card: 'Card',
    next: 'Continue to the shop',
    print: 'Print the receipt',
    questions: (shop: string) => `Questions about your order? Ask ${shop}:`,
  },
  expired: {
    title: 'Checkout expired',
    heading: 'This checkout has expired',
    body: 'Nothing was charged. Please start again in the shop.',
  },
  exhausted: {
    title: 'Checkout closed',
    heading: 'This checkout is closed',
    body: 'Too many payments were declined. Please start again in the shop.',
  },
  declines,
  failure: { notFound: 'Checkout not found', heading: 'That did not work', back: 'Go back' },
  rejections: {
    failed: 'Something went wrong on our side. If you were paying, open the checkout again: you will not be charged twice.',
    gatewayFailed:
      'The payment service does not respond at the moment. Open the checkout again in a minute: you will not be charged twice.',
    noPage: 'There is no such page.',
    noCheckout: 'There is no such checkout. Please start again in the shop.',
    shopClosed: 'This shop cannot take payments at the moment.',
    noGateway: 'This shop does not use that gateway.',
    gatewayChanged: 'This shop has changed how it takes payments. Please ask the shop.',
    tooMuch: 'That is too much text.',
    foreignForm: 'This form was not sent by the checkout page. Please open the page again.',
    foreignNotice: 'This notice was not sent by the gateway.',
  },
} as const;

type Translated<Text> = Text extends string
  ? string
  : Text extends (...parts: infer Parts) => string
    ? (...parts: Parts) => string
    : { readonly [Name in keyof Text]: Translated<Text[Name]> };

/** The page's texts in one language. */
export type Texts = Translated<typeof en>;
