// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code, which contains templates.

import type { Mutant } from './mutant.ts';

export const money: readonly Mutant[] = [
  {
    name: 'notice-acknowledged-first',
    file: 'functions/checkout-page/take-notice.ts',
    find: 'const now = await applyCharge(services, account, session, charge);',
    replace: 'const now = session;\n    void applyCharge(services, account, session, charge).catch(() => undefined);',
    seed: 3,
    invariant: 9,
  },
  {
    name: 'cancelled-still-counts',
    file: 'shared/domain/order/rules.ts',
    find: "order.customer_id !== null && order.status !== 'cancelled' && order.deleted_at === null;",
    replace: 'order.customer_id !== null && order.deleted_at === null;',
    seed: 1,
    invariant: 8,
  },
  {
    name: 'stock-not-guarded',
    file: 'functions/actions/modify.ts',
    find: 'records.replaceWrite(account, record, stored)',
    replace: 'records.createWrite(account, record)',
    seed: 1,
    invariant: 3,
  },
  {
    name: 'partly-refunded-is-refunded',
    file: 'shared/domain/order/payment-status.ts',
    find: "return payments.some(hasMoney) ? 'partial_refund' : 'refunded';",
    replace:
      "return payments.some((one) => hasMoney(one) && one.refunded_amount < 0.5 * one.total_amount) ? 'partial_refund' : 'refunded';",
    seed: 16,
    invariant: 24,
  },
  {
    name: 'one-order-over-the-limit',
    file: 'shared/table/orders.ts',
    find: 'expr`attribute_not_exists(orders) OR orders < ${limit}`',
    replace: 'expr`attribute_not_exists(orders) OR orders <= ${limit}`',
    seed: 45,
    invariant: 9,
  },
  {
    name: 'bucket-too-large',
    file: 'shared/table/buckets.ts',
    find: 'return { allowed: count + bucket.admitted <= limit, resetAtSeconds };',
    replace: 'return { allowed: count + bucket.admitted <= limit + 10, resetAtSeconds };',
    seed: 6,
    invariant: 9,
  },
  {
    name: 'bucket-too-small',
    file: 'shared/table/buckets.ts',
    find: 'if (bucket.count > limit) return',
    replace: 'if (bucket.count > limit - 40) return',
    seed: 5,
    invariant: 9,
  },
];
