/**
 * Sentences that a shopper reads after a declined payment. A session stores the sentence, and the
 * page finds its translation by it.
 */
export const declines = {
  card: 'The card was declined. Please try another one.',
  notMade: 'The payment was not made. Please try again.',
  email: 'Your email address was not accepted. Nothing was charged.',
  tooSmall:
    'The total is below the smallest amount that this way of paying takes. Please add to your order, or ask the shop. Nothing was charged.',
  tooLarge: 'The total is above the largest amount that this way of paying takes. Please ask the shop. Nothing was charged.',
  closed: 'The shop cannot take payments at the moment. Nothing was charged.',
  otherGateway: 'The shop takes payments in another way now. Please pay again.',
} as const;
