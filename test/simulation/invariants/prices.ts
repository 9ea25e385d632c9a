import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Product } from '../../../shared/domain/product/fields.ts';
import { recordIn } from '../reading/records.ts';
import { isoDecimals } from '../world/currencies.ts';
import { changesOf } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most time from a read to the write that it decides, with calls that arrive late. */
const longestDecisionMs = 75_000;

type Sold = Pick<Order | CheckoutSession, 'id' | 'currency' | 'items'>;

/** Returns the lines as they were first stored. The people of the simulator send no price with a product. */
const linesOf = (evidence: Evidence, account: string) =>
  (['order', 'checkoutSession'] as const).flatMap((kind) =>
    changesOf(evidence, kind, account).flatMap(({ before, after, atMs }) => {
      if (before || !after) return [];
      const { id, currency, items, ...rest } = recordIn<Sold & { readonly source?: string }>(after);
      // An order of a checkout has the lines of its session, whatever the catalog has become.
      if (rest.source === 'checkout') return [];
      return items.flatMap(({ product_id, variant_id = null, unit_price }) =>
        product_id === null ? [] : [{ of: id, currency, atMs, product_id, variant_id, unit_price }],
      );
    }),
  );

/** Returns the versions of each product, oldest first. */
const productsOf = (evidence: Evidence, account: string) => {
  const products = new Map<string, { readonly atMs: number; readonly product: Product }[]>();
  for (const { after, atMs } of changesOf(evidence, 'product', account)) {
    if (!after) continue;
    const product = recordIn<Product>(after);
    products.set(product.id, [...(products.get(product.id) ?? []), { atMs, product }]);
  }
  return products;
};

/** Returns the price of what is sold; undefined if the product cannot be sold like this (decisions §6). */
const priceOf = ({ price, variants }: Product, variant: string | null): number | undefined => {
  if (variant === null) return variants.length === 0 ? (price ?? undefined) : undefined;
  return variants.find(({ id }) => id === variant)?.price ?? undefined;
};

const rounded = (amount: number, places: number): number => Math.round(amount * 10 ** places) / 10 ** places;

const findingsOf = (evidence: Evidence, account: string): readonly string[] => {
  const products = productsOf(evidence, account);
  return linesOf(evidence, account).flatMap(({ of, currency, atMs, product_id, variant_id, unit_price }) => {
    const all = products.get(product_id) ?? [];
    const seen = all.filter((one, i) => one.atMs <= atMs && (all[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= atMs - longestDecisionMs);
    const prices = seen.flatMap(({ product }) => priceOf(product, variant_id) ?? []);
    const isRight = prices.some((price) => [price, rounded(price, Math.min(2, isoDecimals(currency)))].includes(unit_price));
    const what = variant_id === null ? product_id : `${variant_id} of ${product_id}`;
    return isRight ? [] : [`${of} sold ${what} for ${unit_price}, and the catalog had ${prices.join(', then ') || 'no price for it'}.`];
  });
};

export const priced: Invariant = {
  number: 28,
  name: 'what is sold has the price of the catalog, and a product with variants is sold by one of them',
  only: ['shop', 'mixed'],
  breaches: (evidence) => evidence.accounts.flatMap((account) => findingsOf(evidence, account)),
};
