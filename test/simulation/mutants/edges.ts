// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code, which contains templates.

import type { Mutant } from './mutant.ts';

export const edges: readonly Mutant[] = [
  {
    name: 'delivery-fee-in-hundredths-of-a-yen',
    file: 'shared/domain/checkout/record.ts',
    find: 'return multiplyMoney(fee, slot.multiplier, placesOf(currency));',
    replace: 'return multiplyMoney(fee, slot.multiplier);',
    seed: 1,
    invariant: 25,
  },
  {
    name: 'catalog-price-in-hundredths-of-a-yen',
    file: 'shared/domain/checkout/record.ts',
    find: 'const unit_price = roundMoney(price, placesOf(currency));',
    replace: 'const unit_price = roundMoney(price);',
    seed: 1,
    invariant: 25,
  },
  {
    name: 'fee-of-the-sandbox-in-hundredths',
    file: 'shared/providers/payment-gateways/sandbox.ts',
    find: '1_000, placesOf(currency));',
    replace: '1_000);',
    seed: 1,
    invariant: 25,
  },
  {
    name: 'fee-of-stripe-without-its-decimals',
    file: 'shared/providers/payment-gateways/stripe.ts',
    find: 'divideMoney(divideMoney(fee, 10 ** decimals, decimals), exchange_rate ?? 1, placesOf(charged));',
    replace: 'divideMoney(divideMoney(fee, 10 ** decimals), exchange_rate ?? 1);',
    seed: 1,
    invariant: 25,
  },
  {
    name: 'yen-sent-in-hundredths',
    file: 'shared/providers/payment-gateways/stripe-client.ts',
    find: 'multiplyMoney(roundMoney(amount, placesOf(currency)), 10 ** minorDecimals(currency), 0);',
    replace: 'multiplyMoney(amount, 100, 0);',
    seed: 1,
    invariant: 25,
  },
  {
    name: 'refund-read-in-hundredths',
    file: 'shared/providers/payment-gateways/stripe-client.ts',
    find: 'divideMoney(amount, 10 ** minorDecimals(currency), placesOf(currency));',
    replace: 'divideMoney(amount, 100, placesOf(currency));',
    seed: 1,
    invariant: 8,
  },
  {
    name: 'thousandths-kept',
    file: 'shared/core/money.ts',
    find: 'export const placesOf = (currency: string): 0 | 2 => (whole.has(currency) ? 0 : 2);',
    replace: 'export const placesOf = decimalsOf;',
    seed: 1,
    invariant: 25,
  },
  {
    name: 'page-shows-two-decimals',
    file: 'functions/checkout-page/views.ts',
    find: 'const decimals = decimalsOf(currency);',
    replace: 'const decimals = decimalsOf(currency) && 2;',
    seed: 1,
    invariant: 25,
  },
];
