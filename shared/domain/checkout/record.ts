import { invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount, multiplyMoney, roundMoney, storedDecimalsOf } from '../../core/money.ts';
import { isoFromMs } from '../../core/time.ts';
import type { Settings } from '../account/settings.ts';
import type { Address } from '../free-fields.ts';
import { isClockTime } from '../inputs.ts';
import { isStorefrontVisible, type Product } from '../product/fields.ts';
import { assertNamesVariant, assertPricedIn, offerOf } from '../product/rules.ts';
import type { TimeSlot } from '../reference/fields.ts';
import { availabilityOn, chooseSlot, timeSlotsOf } from '../reference/rules.ts';
import type { CheckoutInput, CheckoutItemInput } from './input.ts';

/**
 *   open ──pay──▶ processing ──approved──▶ paid
 *    ▲               │  └──pending──▶ pending ──approved──▶ paid
 *    └──declined─────┘                  └──declined──▶ open
 * A session that is not paid expires after 24 hours. If the gateway reports a payment, the session
 * always becomes an order.
 */
export const checkoutStatuses = ['open', 'processing', 'pending', 'paid'] as const satisfies readonly CheckoutStatus[];
type CheckoutStatus = CheckoutSession['status'];

export const sessionLifeMs = 24 * 3_600_000;

/**
 * Days that a session is kept after its expiry, because a gateway may report late, and after a
 * later payment, because an erasure may wait for it. Then only the order shows what was bought.
 */
export const sessionRetentionDays = 30;
/**
 * Days that a session with a running payment is kept. Vouchers and transfers take at most 60 days,
 * so a late payment always finds its session.
 */
export const pendingSessionRetentionDays = 90;

/** Returns the epoch seconds at which the session is deleted. */
export const sessionGoneSeconds = ({
  status,
  expires_ms,
  updated_at,
}: Pick<CheckoutSession, 'status' | 'expires_ms' | 'updated_at'>): number => {
  const isUnderWay = status === 'processing' || status === 'pending';
  const endMs = status === 'paid' ? Math.max(expires_ms, Date.parse(updated_at)) : expires_ms;
  return Math.floor(endMs / 1000) + (isUnderWay ? pendingSessionRetentionDays : sessionRetentionDays) * 86_400;
};

/** Field of an order's metadata in which the service stores the checkout session's id. */
export const sessionKey = 'checkout_session';

/** Fields that the hosted page can ask for, in the order of its form. */
export const formFieldNames = ['first_name', 'last_name', 'email', 'phone', 'delivery_address'] as const;
export type FormFieldName = (typeof formFieldNames)[number];
/** Answers that a gateway may reject. The page then asks for them again. */
export type ContactFieldName = Exclude<FormFieldName, 'delivery_address'>;

/** Whether the address has no text. */
const isBlank = (address: Address): boolean => (typeof address === 'string' ? [address] : Object.values(address)).every((text) => !text);

/**
 * Returns the fields that are missing: the shopper's name and contact, and the address of a
 * delivery.
 */
const missingFields = ({ customer, delivery_type, delivery_address }: CheckoutInput): readonly FormFieldName[] => {
  const needsName = !customer?.last_name && !customer?.first_name && !customer?.company;
  return [
    ...(needsName ? (['first_name', 'last_name'] as const) : []),
    ...(customer?.email ? [] : (['email'] as const)),
    ...(customer ? [] : (['phone'] as const)),
    ...(delivery_type !== 'pickup' && isBlank(delivery_address ?? '') ? (['delivery_address'] as const) : []),
  ];
};

export interface CheckoutItem {
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly total: number;
  /** First picture of the product, if it has one. */
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
   * How the shopper pays, in the gateway's terms. A repeated call with the same value and
   * idempotency key is the same payment.
   */
  readonly method: string;
  /**
   * Until this time, one function is calling the gateway. After it, any function may call again.
   */
  readonly lease_until_ms: number;
  /** Null until the gateway has returned it. */
  readonly transaction_id: string | null;
  /** URL of the gateway's page, if the shopper pays there. */
  readonly redirect_url: string | null;
}

/** A payment with the gateway's transaction id. */
type NamedPayment = SessionPayment & { readonly transaction_id: string };

/**
 * Fields of a session in every payment state. The order takes over the fields that the creator
 * sent.
 */
interface Cart extends Readonly<Omit<CheckoutInput, 'items'>> {
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  /** Items with the catalog's prices at the time of creation. */
  readonly items: readonly CheckoutItem[];
  readonly subtotal: number;
  readonly delivery_fee: number;
  readonly total: number;
  /** The chosen slot, whose `start` is `delivery_time`. Absent if the account had none of the type. */
  readonly slot?: ChosenSlot;
  /** Token that proves that the session's own page sent a form. Only that page contains it. */
  readonly token: string;
  /** Number of payments begun so far, which is part of each payment's idempotency key. */
  readonly tries: number;
  /**
   * Fields that the page asks for, even after a decline. The shop set all other fields, and their
   * values stay.
   */
  readonly asked: readonly FormFieldName[];
  readonly expires_ms: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Open {
  readonly status: 'open';
  readonly payment: null;
  /** Message for the shopper why the last payment was declined. */
  readonly declined: string | null;
  /** The field value that caused the decline. */
  readonly refused: ContactFieldName | null;
  readonly order_id: null;
}

/** A function is calling the gateway, or died during the call. */
interface Processing {
  readonly status: 'processing';
  readonly payment: SessionPayment & { readonly transaction_id: null };
  readonly declined: null;
  readonly refused: null;
  readonly order_id: null;
}

/** The gateway decides later, or the shopper is paying on its page. */
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
/** A session in this status. */
export type SessionIn<Status extends CheckoutStatus> = Extract<CheckoutSession, { readonly status: Status }>;

/** Whether the session has expired. A paid session never expires. */
export const isExpiredSession = (session: Pick<CheckoutSession, 'status' | 'expires_ms'>, nowMs: number): boolean =>
  session.status !== 'paid' && nowMs >= session.expires_ms;

interface Catalog {
  /** The account's currency. All prices are in it. */
  readonly currency: string;
  /** The account's present day and time of day. */
  readonly today: string;
  readonly clockTime: string;
  readonly settings: Settings;
  readonly products: ReadonlyMap<string, Product>;
}

const priceItem = (input: CheckoutItemInput, index: number, { products, currency }: Catalog): CheckoutItem => {
  const product = products.get(input.product_id);
  if (!product || !isStorefrontVisible(product))
    throw invalidValue(`items.${index}.product_id`, `items.${index}.product_id is not a product on the storefront.`);
  const { product_id, variant_id, quantity } = input;
  const { name, price } = offerOf(product, variant_id, index);
  assertNamesVariant(product, variant_id, index);
  assertPricedIn(currency, product, index);
  const unit_price = roundMoney(price, storedDecimalsOf(currency));
  const [image] = product.images ?? [];
  return {
    ...{ product_id, variant_id, name, quantity, unit_price, total: multiplyMoney(unit_price, quantity) },
    ...(image === undefined ? {} : { image }),
  };
};

/** What a session keeps of its slot, for the hosted page. */
export type ChosenSlot = Pick<TimeSlot, 'label' | 'start' | 'end'>;

interface Schedule {
  readonly delivery_fee: number;
  readonly delivery_time: string | null;
  /** Undefined if the account has no slots of the type. */
  readonly slot?: ChosenSlot;
}

/**
 * Returns time and fee of the chosen slot. Rejects a past or blocked date, and a slot that is not
 * offered or over.
 */
const scheduleOf = (
  { delivery_type: type, delivery_date: date, delivery_time: choice }: CheckoutInput,
  { settings, currency, today, clockTime }: Catalog,
): Schedule => {
  if (date < today) throw invalidValue('delivery_date', `delivery_date must be ${today} or later.`);
  const day = availabilityOn(settings, date);
  if (!day.bookable) throw invalidValue('delivery_date', 'delivery_date is not available. GET /availability lists the dates that are.');
  const fee = type === 'delivery' ? Number(settings.checkout?.delivery_fee ?? 0) : 0;
  if (type === 'dispatch' || !timeSlotsOf(settings).some((slot) => slot.type === type)) {
    if (choice !== null && !isClockTime(choice)) throw invalidValue('delivery_time', 'delivery_time must be a time, HH:MM.');
    // A dispatch has no time, because carriers promise none.
    return { delivery_fee: roundMoney(fee, storedDecimalsOf(currency)), delivery_time: type === 'dispatch' ? null : choice };
  }
  const slot = chooseSlot(day.slots, { type, choice, clockTime: date === today ? clockTime : null });
  if (!slot)
    throw invalidValue(
      'delivery_time',
      'delivery_time must be the start or the id of a slot that is offered on that date and not over. GET /availability lists the slots.',
    );
  const { label, start, end, multiplier } = slot;
  return { delivery_fee: multiplyMoney(fee, multiplier, storedDecimalsOf(currency)), delivery_time: start, slot: { label, start, end } };
};

interface SessionOrigin {
  readonly id: string;
  readonly account: string;
  readonly token: string;
  readonly nowMs: number;
}

/**
 * Makes a session. Prices come from the catalog, in whole units if the currency has no smaller unit
 * (decisions §6, Checkout session).
 */
export const makeSession = (input: CheckoutInput, catalog: Catalog, { id, account, token, nowMs }: SessionOrigin): SessionIn<'open'> => {
  const { items: itemInputs, ...fields } = input;
  const items = itemInputs.map((item, index) => priceItem(item, index, catalog));
  const subtotal = addMoney(...items.map((item) => item.total));
  const schedule = scheduleOf(input, catalog);
  const total = addMoney(subtotal, schedule.delivery_fee);
  if (total <= 0 || total >= maxAmount) throw invalidValue('items', `The total of the session must be above 0 and less than ${maxAmount}.`);
  const now = isoFromMs(nowMs);
  const missing = missingFields(input);
  return {
    ...fields,
    delivery_address: missing.includes('delivery_address') ? null : fields.delivery_address,
    id,
    account,
    status: 'open',
    currency: catalog.currency,
    items,
    subtotal,
    ...schedule,
    total,
    token,
    tries: 0,
    payment: null,
    asked: missing,
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
