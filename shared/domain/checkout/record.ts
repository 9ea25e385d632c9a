import { invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount, multiplyMoney, placesOf, roundMoney } from '../../core/money.ts';
import type { Settings } from '../account/settings.ts';
import { assertPricedIn, isStorefrontVisible, type Product } from '../product/record.ts';
import { availabilityOn, timeSlotsOf } from '../reference/rules.ts';
import type { CheckoutInput, CheckoutItemInput } from './input.ts';

/**
 *   open ──pay──▶ processing ──approved──▶ paid
 *    ▲               │  └──pending──▶ pending ──approved──▶ paid
 *    └──declined─────┘                  └──declined──▶ open
 * A session that is not paid expires after 24 hours; one the gateway says is paid always becomes an
 * order.
 */
export const checkoutStatuses = ['open', 'processing', 'pending', 'paid'] as const satisfies readonly CheckoutStatus[];
type CheckoutStatus = CheckoutSession['status'];

export const sessionLifeMs = 24 * 3_600_000;

/** A gateway may report late; afterwards the order alone says what was bought. */
export const sessionRetentionDays = 30;
/**
 * Vouchers and transfers are paid within 60 days at most: money that is under way always finds its
 * session.
 */
export const pendingSessionRetentionDays = 90;

/** Epoch seconds from which on a session is gone. */
export const sessionGoneSeconds = ({ status, expires_ms }: Pick<CheckoutSession, 'status' | 'expires_ms'>): number => {
  const isUnderWay = status === 'processing' || status === 'pending';
  return Math.floor(expires_ms / 1000) + (isUnderWay ? pendingSessionRetentionDays : sessionRetentionDays) * 86_400;
};

/** Member of an order's metadata that names the session it comes from: the service's own. */
export const sessionKey = 'checkout_session';

/** Fields that the hosted page can ask for, in the order of its form. */
export const answerNames = ['first_name', 'last_name', 'email', 'phone', 'delivery_address'] as const;
export type AnswerName = (typeof answerNames)[number];
/** Answers that a gateway may reject, so that the page asks for them again. */
export type ContactName = Exclude<AnswerName, 'delivery_address'>;

/**
 * Returns the fields that are missing: the shopper's name and contact, and the address of a
 * delivery.
 */
const missingAnswers = ({ customer, delivery_type, delivery_address }: CheckoutInput): readonly AnswerName[] => {
  const needsName = !customer?.last_name && !customer?.first_name && !customer?.company;
  return [
    ...(needsName ? (['first_name', 'last_name'] as const) : []),
    ...(customer?.email ? [] : (['email'] as const)),
    ...(customer ? [] : (['phone'] as const)),
    ...(delivery_type !== 'pickup' && !delivery_address ? (['delivery_address'] as const) : []),
  ];
};

export interface CheckoutItem {
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly total: number;
  /** First picture of the product; absent without one. */
  readonly image?: string;
}

/** A payment at a gateway. */
export interface SessionPayment {
  readonly gateway: string;
  /**
   * Identifies the gateway keys with which the payment began, because the account may use other
   * keys now. Null if the gateway needs no keys.
   */
  readonly keys: string | null;
  /**
   * How it is paid, in the gateway's terms: asking again with the same words and key is the same
   * payment.
   */
  readonly method: string;
  /** Until then a function is asking the gateway; afterwards any function may ask again. */
  readonly lease_until_ms: number;
  /** Null until the gateway has named it. */
  readonly transaction_id: string | null;
  /** Address of the gateway's own page, if the shopper pays there. */
  readonly redirect_url: string | null;
}

/** One that the gateway has named. */
type NamedPayment = SessionPayment & { readonly transaction_id: string };

/**
 * Fields of a session in every payment state. The order takes over the fields that the creator
 * sent.
 */
interface Cart extends Readonly<Omit<CheckoutInput, 'items'>> {
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  /** Priced from the catalog when the session was made. */
  readonly items: readonly CheckoutItem[];
  readonly subtotal: number;
  readonly delivery_fee: number;
  readonly total: number;
  /** Proves that a form was sent by the session's own page; only that page has it. */
  readonly token: string;
  /** Payments begun so far: part of the idempotency key of each. */
  readonly tries: number;
  /**
   * Fields that the page asks for, also after a decline. All others were given by the creator of
   * the session and stay.
   */
  readonly asked: readonly AnswerName[];
  readonly expires_ms: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Open {
  readonly status: 'open';
  readonly payment: null;
  /** Why the last payment was declined, as the shopper reads it. */
  readonly declined: string | null;
  /** The answer that it was declined for. */
  readonly refused: ContactName | null;
  readonly order_id: null;
}

/** A function is calling the gateway for the payment, or died while calling. */
interface Processing {
  readonly status: 'processing';
  readonly payment: SessionPayment & { readonly transaction_id: null };
  readonly declined: null;
  readonly refused: null;
  readonly order_id: null;
}

/** The gateway decides later, or the shopper pays on its page. */
interface Pending {
  readonly status: 'pending';
  readonly payment: NamedPayment;
  readonly declined: null;
  readonly refused: null;
  readonly order_id: null;
}

interface Paid {
  readonly status: 'paid';
  readonly payment: NamedPayment;
  readonly declined: null;
  readonly refused: null;
  readonly order_id: string;
}

export type CheckoutSession = Cart & (Open | Processing | Pending | Paid);
/** A session that stands so. */
export type SessionIn<Status extends CheckoutStatus> = Extract<CheckoutSession, { readonly status: Status }>;

/** Expired means expired at that moment; what is paid stays what it is. */
export const isExpiredSession = (session: Pick<CheckoutSession, 'status' | 'expires_ms'>, nowMs: number): boolean =>
  session.status !== 'paid' && nowMs >= session.expires_ms;

interface Catalog {
  /** The account's: what everything is priced in. */
  readonly currency: string;
  readonly settings: Settings;
  readonly products: ReadonlyMap<string, Product>;
}

const priceItem = (input: CheckoutItemInput, index: number, { products, currency }: Catalog): CheckoutItem => {
  const product = products.get(input.product_id);
  if (!product || !isStorefrontVisible(product))
    throw invalidValue(`items.${index}.product_id`, `items.${index}.product_id is not a product on the storefront.`);
  const variant = input.variant_id === null ? undefined : product.variants.find(({ id }) => id === input.variant_id);
  if (input.variant_id !== null && !variant) throw invalidValue(`items.${index}.variant_id`, 'The product has no such variant.');
  assertPricedIn(currency, product, index);
  const unit_price = roundMoney(variant?.price ?? product.price, placesOf(currency));
  const name = variant ? `${product.name} – ${variant.name}` : product.name;
  const { product_id, variant_id, quantity } = input;
  const [image] = product.images ?? [];
  return {
    ...{ product_id, variant_id, name, quantity, unit_price, total: multiplyMoney(unit_price, quantity) },
    ...(image === undefined ? {} : { image }),
  };
};

/**
 * The delivery fee of the slot that was chosen. Refuses a blocked date and a time that no slot of
 * that day starts at.
 */
const deliveryFee = (
  { delivery_type: type, delivery_date: date, delivery_time: time }: CheckoutInput,
  { settings, currency }: Catalog,
): number => {
  const day = availabilityOn(settings, date);
  if (!day.bookable) throw invalidValue('delivery_date', 'This date is not available.');
  const fee = type === 'delivery' ? Number(settings.checkout?.delivery_fee ?? 0) : 0;
  if (!timeSlotsOf(settings).some((slot) => slot.type === type)) return roundMoney(fee, placesOf(currency));
  const slot = day.slots.find((offered) => offered.type === type && offered.start === time);
  if (!slot) throw invalidValue('delivery_time', 'This time is not offered on that date.');
  return multiplyMoney(fee, slot.multiplier, placesOf(currency));
};

interface SessionOrigin {
  readonly id: string;
  readonly account: string;
  readonly token: string;
  readonly nowMs: number;
}

/**
 * Makes a session. Prices come from the catalog, in whole units if the currency has no smaller one
 * (decisions §6, Checkout session).
 */
export const makeSession = (input: CheckoutInput, catalog: Catalog, { id, account, token, nowMs }: SessionOrigin): SessionIn<'open'> => {
  const { items: wanted, ...said } = input;
  const items = wanted.map((item, index) => priceItem(item, index, catalog));
  const subtotal = addMoney(...items.map((item) => item.total));
  const delivery_fee = deliveryFee(input, catalog);
  const total = addMoney(subtotal, delivery_fee);
  if (total <= 0 || total >= maxAmount) throw invalidValue('items', `The total of the session must be above 0 and less than ${maxAmount}.`);
  const now = new Date(nowMs).toISOString();
  return {
    ...said,
    id,
    account,
    status: 'open',
    currency: catalog.currency,
    items,
    subtotal,
    delivery_fee,
    total,
    // Carriers give no time.
    delivery_time: said.delivery_type === 'dispatch' ? null : said.delivery_time,
    token,
    tries: 0,
    payment: null,
    asked: missingAnswers(input),
    declined: null,
    refused: null,
    order_id: null,
    expires_ms: nowMs + sessionLifeMs,
    created_at: now,
    updated_at: now,
  };
};

/** Path of the hosted page, beside the API. */
export const hostedPagePath = ({ account, id }: Pick<CheckoutSession, 'account' | 'id'>): string => `/checkout/${account}/${id}`;
