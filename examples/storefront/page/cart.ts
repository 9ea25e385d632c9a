import type { Product } from '../../../clients/typescript/src/index.ts';

export interface Line {
  readonly product_id: string;
  readonly variant_id?: string;
  readonly quantity: number;
}

/**
 * The cart survives the visit to the checkout. The key identifies the attempt to buy it, so that
 * two clicks create one session.
 */
const store = sessionStorage;

export const readCart = (): readonly Line[] => JSON.parse(store.getItem('cart') ?? '[]') as Line[];
export const writeCart = (lines: readonly Line[]): void => store.setItem('cart', JSON.stringify(lines));
export const emptyCart = (): void => store.clear();

/** Returns the same key for the same order until it is paid, and a new key after every change. */
export const idempotencyKeyFor = (order: unknown): string => {
  const text = JSON.stringify(order);
  const [before, key] = JSON.parse(store.getItem('attempt') ?? '[]') as string[];
  if (before === text && key !== undefined) return key;
  const fresh = `cart-${crypto.randomUUID()}`;
  store.setItem('attempt', JSON.stringify([text, fresh]));
  return fresh;
};

export const priceOf = ({ price, variants }: Product, variant: string | undefined): number =>
  variants.find(({ id }) => id === variant)?.price ?? price;
