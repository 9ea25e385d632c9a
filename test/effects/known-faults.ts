interface KnownFault {
  /** The rule that the cases break. */
  readonly because: string;
  readonly faults: readonly string[];
  /** Titles of the cases, with the name of their action. */
  readonly cases: readonly string[];
}

const known: readonly KnownFault[] = [
  {
    because: 'decisions §7: a payment of a deleted order cannot be created completed (409)',
    faults: ['it was rejected with 400 for order_id'],
    cases: ['payment.create: a payment of a deleted order'],
  },
  {
    because: 'decisions §5: what settings.put rejects',
    faults: ['it was not rejected'],
    cases: [
      'settings.put: a name that the document does not have',
      'settings.put: the document without checkout',
      'settings.put: checkout without its secrets',
      'settings.put: a slot that ends before it starts',
    ],
  },
  {
    because: 'decisions §7: order.delete is a conflict while payments count',
    faults: ['it was not rejected'],
    cases: ['order.delete: a deletion of a paid order', 'order.delete: a deletion of an order that Stripe was paid'],
  },
  {
    because: 'decisions §7: money that a gateway took is given back by a refund',
    faults: ['it was not rejected'],
    cases: [
      'payment.set_status: a payment that Stripe took, failed',
      'payment.set_status: a payment that Stripe took, pending',
      'payment.set_status: a payment that Stripe took, marked as refunded',
      'payment.set_status: a payment by hand that names a transaction of Stripe, failed',
      'payment.void: a payment that Stripe took',
      'payment.correct_amount: a payment that Stripe took',
      'payment.correct_amount: the fee of a payment that Stripe took',
      'payment.correct_amount: the tip of a payment that Stripe took',
    ],
  },
  {
    because: 'decisions §7: a payment of a deleted order cannot become completed',
    faults: ['it was not rejected'],
    cases: ['payment.set_status: a payment of a deleted order'],
  },
  {
    because: 'decisions §7: key.replace gives the end before the first replacement',
    faults: ['expires_at that was sent is not read', 'updated_at of the key moved, but nothing changed'],
    cases: ['key.replace: a key that was replaced before'],
  },
  {
    because: 'decisions §6: updated_at moves with what is shown',
    faults: ['updated_at of the key moved, but nothing changed'],
    cases: ['key.update: the stored values'],
  },
  {
    because: 'decisions §7: payment_status follows what was paid',
    faults: ['payment_status is pending, not partial_payment'],
    cases: ['order.update: an update that raises the total above what was paid'],
  },
  {
    because: 'decisions §7: payment_status follows what was paid',
    faults: ['payment_status is pending, not paid'],
    cases: ['order.update: an update that lowers the total to what was paid'],
  },
  {
    because:
      "decisions §7: a payment write that changes what the order's retrieve shows saves the order; decisions §7: payment_status follows what was paid",
    faults: [
      'order.updated was not emitted',
      'payment_status is pending, not paid',
      'updated_at of the order stayed, but changed: payments',
    ],
    cases: [
      'payment.create: a payment with every field',
      'payment.create: a payment of the rest',
      'payment.create: a payment of more than the total',
      'payment.create: an approved payment',
      'payment.set_status: a waiting payment that is completed',
      'payment.set_status: a submitted payment that is approved',
      'payment.correct_amount: a greater amount that reaches the total',
    ],
  },
  {
    because:
      "decisions §7: a payment write that changes what the order's retrieve shows saves the order; decisions §7: payment_status follows what was paid",
    faults: [
      'order.updated was not emitted',
      'payment_status is pending, not partial_payment',
      'updated_at of the order stayed, but changed: payments',
    ],
    cases: [
      'payment.create: a payment of a part',
      'payment.set_status: one of two payments that fails',
      'payment.void: one of two payments',
      'payment.correct_amount: amount, tip and fee',
    ],
  },
  {
    because: "decisions §7: a payment write that changes what the order's retrieve shows saves the order",
    faults: ['order.updated was not emitted', 'updated_at of the order stayed, but changed: payments'],
    cases: [
      'payment.create: a payment that waits',
      'payment.create: a payment that failed',
      'payment.create: a voided payment',
      'payment.create: a payment of a disputed order',
      'payment.set_status: a submitted payment that is rejected',
      'payment.set_status: a completed payment that is completed',
      'payment.set_status: a completed payment that is approved',
      'payment.set_status: a completed payment that fails',
      'payment.set_status: a completed payment that waits again',
      'payment.set_status: a completed payment that is marked as refunded',
      'payment.set_status: a payment with a refund that is approved',
      'payment.set_status: a payment with a refund of the whole that is marked as refunded',
      'payment.set_status: a payment that Stripe took, approved',
      'payment.set_status: a payment that Stripe took, completed again',
      'payment.void: the only payment',
      'payment.void: a payment that waits',
      'payment.void: a payment that is voided twice',
      'payment.correct_amount: the stored amount',
      'payment.correct_amount: a payment that waits',
      'payment.correct_amount: the stored values of a payment that Stripe took',
    ],
  },
  {
    because: 'decisions §6: customers have custom fields',
    faults: ['custom_fields that was sent is not read', 'customer.updated was not emitted'],
    cases: ['customer.update: the custom fields'],
  },
  {
    because: 'decisions §6: updated_at of an expense moves with its lines',
    faults: ['expense.updated was not emitted', 'updated_at of the expense stayed, but changed: line_items'],
    cases: ['customer.erase: a customer whom a fee names'],
  },
  {
    because: 'decisions §6: updated_at moves with what is shown',
    faults: ['updated_at of the session stayed, but changed: customer, expires_at'],
    cases: ['customer.erase: a customer with a cart that is open', 'customer.erase: a customer who paid at Stripe'],
  },
  {
    because: 'decisions §7: a phone stays on the order of another customer who has it',
    faults: ['customer_phone that was sent is not read', 'order.updated was emitted'],
    cases: ['customer.erase: a customer whose phone another customer has'],
  },
  {
    because: 'decisions §7: a refund that Stripe reports takes over the record that was made by hand',
    faults: ['more was given back than paid', 'payment.refunded was emitted'],
    cases: ['refund.created of what was recorded with gateway: false'],
  },
  {
    because: 'decisions §7: payment_status follows what was paid',
    faults: ['payment_status is paid, not partial_payment'],
    cases: ['charge.dispute.closed of a won dispute after the total rose'],
  },
  {
    because: 'decisions §6: customers have custom fields',
    faults: ['custom_fields that was sent is not read'],
    cases: ['POST /customers with custom fields'],
  },
];

/** Returns the known faults of a case. A fault that is gone fails the case's test: then remove its line. */
export const knownFaultsOf = (title: string): readonly string[] =>
  known.flatMap(({ faults, cases }) => (cases.includes(title) ? faults : []));

/** Titles of all cases that have known faults. */
export const knownCases: readonly string[] = known.flatMap(({ cases }) => cases);
