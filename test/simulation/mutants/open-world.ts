import type { Mutant } from './mutant.ts';

/** Faults of the rules about state that follows facts: payment status, fees, refunds by hand, variants, erasures, settings. */
export const openWorld: readonly Mutant[] = [
  {
    name: 'variants-are-optional',
    file: 'shared/domain/product/rules.ts',
    find: 'if (variantId === null && product.variants.length > 0)',
    replace: 'if (variantId === null && product.variants.length > 1_000)',
    seed: 1,
    invariant: 28,
  },
  {
    name: 'new-total-leaves-the-status',
    file: 'shared/domain/order/payment-status.ts',
    find: 'const changesTotal = after.order.total !== before.order.total && paid > 0;',
    replace: 'const changesTotal = false;',
    seed: 6,
    invariant: 29,
  },
  {
    name: 'lost-payment-leaves-the-status',
    file: 'shared/domain/order/payment-status.ts',
    find: '&& paid === paidOf(before) &&',
    replace: '&& paid <= paidOf(before) &&',
    seed: 3,
    invariant: 29,
  },
  {
    name: 'fee-corrected-by-hand',
    file: 'functions/actions/taken-payments.ts',
    find: "const amounts = ['amount', 'tip_amount', 'fee_amount'] as const;",
    replace: "const amounts = ['amount', 'tip_amount'] as const;",
    seed: 1,
    invariant: 30,
  },
  {
    name: 'taken-payment-is-voided',
    file: 'functions/actions/taken-payments.ts',
    find: 'if (status !== before.status && !isSettled(status) && !isGivenBack) return',
    replace: "if (status !== before.status && status !== 'voided' && !isSettled(status) && !isGivenBack) return",
    seed: 3,
    invariant: 10,
  },
  {
    name: 'shared-phone-is-removed',
    file: 'functions/actions/erased-texts.ts',
    find: 'return owner !== undefined && owner.erased_at === undefined && samePhone(',
    replace: 'return owner === undefined && samePhone(',
    seed: 7,
    invariant: 4,
  },
  {
    name: 'settings-update-replaces-all',
    file: 'functions/actions/settings.ts',
    find: 'return changeSettings(stored, restored);',
    replace: 'return changeSettings({}, restored);',
    seed: 5,
    invariant: 1,
  },
];
