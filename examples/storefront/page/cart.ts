import type { CheckoutSession } from '../../../clients/typescript/src/index.ts';
import type { Pictured } from './shown.ts';

/** A product, or a variant of it, that a shopper can put into the cart. */
export interface Choice {
  readonly product_id: string;
  readonly variant_id?: string;
}

export interface Line extends Choice {
  readonly quantity: number;
}

/** The cart survives the visit to the checkout. */
const store = sessionStorage;

export const readCart = (): readonly Line[] => JSON.parse(store.getItem('cart') ?? '[]') as Line[];

const isSame = (one: Choice, other: Choice): boolean => one.product_id === other.product_id && one.variant_id === other.variant_id;

export const quantityOf = (choice: Choice): number => readCart().find((line) => isSame(line, choice))?.quantity ?? 0;

/** Changes the cart and tells the page with the event `cart`. A quantity of 0 removes the line. */
export const setQuantity = (choice: Choice, quantity: number): void => {
  const lines = readCart();
  const isKnown = lines.some((line) => isSame(line, choice));
  const next = isKnown ? lines.map((line) => (isSame(line, choice) ? { ...line, quantity } : line)) : [...lines, { ...choice, quantity }];
  store.setItem('cart', JSON.stringify(next.filter((line) => line.quantity > 0)));
  dispatchEvent(new Event('cart'));
};

/**
 * Returns the same key for the same order until it is paid, and a new key after every change: two
 * clicks create one session.
 */
export const idempotencyKeyFor = (order: unknown): string => {
  const text = JSON.stringify(order);
  const [before, key] = JSON.parse(store.getItem('attempt') ?? '[]') as string[];
  if (before === text && key !== undefined) return key;
  const fresh = `cart-${crypto.randomUUID()}`;
  store.setItem('attempt', JSON.stringify([text, fresh]));
  return fresh;
};

/** An order as `/thanks` shows it. */
export interface Order {
  readonly session: CheckoutSession;
  readonly items: readonly { readonly name: string; readonly product: Pictured; readonly quantity: number; readonly total: number }[];
  /** Note for the bakery. */
  readonly notes?: string;
  readonly type: 'pickup' | 'delivery';
  /** For example `Pick up on Friday, March 14, Morning, 8:00 – 11:00 AM`. */
  readonly when: string;
  /** Whether `/thanks` has shown it. */
  readonly isSeen?: boolean;
}

/** A delivery fee depends on the slot. It is known from a session of the same slot. */
export const knownFee = (slot: string | undefined): number | undefined =>
  slot === undefined ? undefined : (JSON.parse(store.getItem('fees') ?? '{}') as Record<string, number>)[slot];

export const keepFee = (slot: string | undefined, fee: number): void => {
  if (slot !== undefined) store.setItem('fees', JSON.stringify({ ...JSON.parse(store.getItem('fees') ?? '{}'), [slot]: fee }));
};

/** The way, the day and the slot that the shopper chose before. */
export interface Choices {
  readonly delivery_type?: 'pickup' | 'delivery';
  readonly delivery_date?: string;
  readonly delivery_time?: string;
}
export const readChoices = (): Choices => JSON.parse(store.getItem('choices') ?? '{}') as Choices;
export const keepChoices = ({ delivery_type, delivery_date, delivery_time }: Choices): void =>
  store.setItem('choices', JSON.stringify({ delivery_type, delivery_date, delivery_time }));

/** The note for the bakery, which survives the visit to the checkout. */
export const readNote = (): string => store.getItem('note') ?? '';
export const keepNote = (note: string): void => store.setItem('note', note);

/** A publishable key reads no orders, so the shop keeps the order that it sends to the checkout. */
export const keepOrder = (order: Order): void => store.setItem('order', JSON.stringify(order));

/** Returns the order of a paid session, and empties the cart at the first visit. */
export const paidOrder = (session: string | null): Order | undefined => {
  const order = JSON.parse(store.getItem('order') ?? 'null') as Order | null;
  if (!order || order.session.id !== session) return undefined;
  if (order.isSeen) return order;
  // Without the attempt's key, the next order is a new one, even of the same products.
  for (const name of ['cart', 'attempt', 'note', 'choices']) store.removeItem(name);
  keepOrder({ ...order, isSeen: true });
  return order;
};
