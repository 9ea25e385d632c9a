import { bounds } from '../../core/text.ts';
import { isoFromMs } from '../../core/time.ts';
import type { CustomerDetails } from '../customer/input.ts';
import type { PaymentMethod } from '../enumerations.ts';
import type { Address } from '../free-fields.ts';
import type { MethodDetails } from '../payment/fields.ts';
import {
  type CheckoutSession,
  type ContactFieldName,
  formFieldNames,
  isExpiredSession,
  type SessionIn,
  sessionGoneSeconds,
} from './record.ts';

/** A payment that a gateway has taken. */
export interface Approval {
  readonly gateway: string;
  readonly transaction_id: string;
  /** The gateway's fee, in the session's currency. */
  readonly fee: number;
  /** Method of the payment. The order gets the nearest value of its own list. */
  readonly method: PaymentMethod;
  readonly method_details: MethodDetails | null;
}

/** Result of a payment. */
export type Charge =
  | ({ readonly kind: 'approved' } & Approval)
  | {
      readonly kind: 'declined';
      readonly transaction_id: string | null;
      readonly message: string;
      /** The shopper's answer that the gateway rejected. */
      readonly rejectedField?: ContactFieldName;
    }
  /** The gateway decides later and sends a notice. */
  | { readonly kind: 'pending'; readonly transaction_id: string }
  /** The shopper pays on the gateway's own page. */
  | { readonly kind: 'redirect'; readonly transaction_id: string; readonly url: string };

/**
 * Duration of a payment's lease in milliseconds, longer than the function that holds it may run.
 */
export const leaseMs = 60_000;
/**
 * Maximum number of payments per session. It limits how many stolen cards can be tried on a page.
 */
const maxTries = 20;

/** State of a session at a time. */
export type SessionState = 'open' | 'expired' | 'exhausted' | 'processing' | 'interrupted' | 'pending' | 'paid';

export const stateOf = (session: CheckoutSession, nowMs: number): SessionState => {
  const { status, payment, tries } = session;
  if (status === 'paid') return 'paid';
  // A payment that began before the session's expiry may end after it.
  if (status === 'processing') return payment.lease_until_ms > nowMs ? 'processing' : 'interrupted';
  const isGatewaysTurn = status === 'pending' && payment.redirect_url === null;
  if (isGatewaysTurn) return 'pending';
  if (isExpiredSession(session, nowMs)) return 'expired';
  if (status === 'pending') return 'pending';
  return tries >= maxTries ? 'exhausted' : 'open';
};

/**
 * Milliseconds after the session's end in which a gateway's page may still take money, and its notice
 * may arrive (decisions §6).
 */
const pageGraceMs = 3_600_000;

/**
 * Whether a running payment of the session may still take money. Then no erasure touches the session,
 * so that the payment is recorded (decisions §7). A function holds it while it calls the gateway, a
 * page of the gateway until the page closes, and a transfer as long as the session is kept.
 */
export const mayStillTakeMoney = (session: CheckoutSession, nowMs: number): boolean => {
  if (session.status === 'processing') return nowMs < session.payment.lease_until_ms;
  if (session.status !== 'pending') return false;
  return nowMs < (session.payment.redirect_url === null ? sessionGoneSeconds(session) * 1000 : session.expires_ms + pageGraceMs);
};

/** Returns the running payment's idempotency key at the gateway. */
export const paymentKey = ({ id, tries }: Pick<CheckoutSession, 'id' | 'tries'>): string => `${id}-${tries}`;

interface PaymentStart {
  readonly gateway: string;
  readonly keys: string | null;
  readonly method: string;
  readonly customer: CustomerDetails;
  readonly delivery_address: Address | null;
}

/** open → processing: begins a payment with the shopper's answers. */
export const beginPayment = (session: SessionIn<'open'>, start: PaymentStart, nowMs: number): SessionIn<'processing'> => ({
  ...session,
  status: 'processing',
  tries: session.tries + 1,
  customer: start.customer,
  delivery_address: start.delivery_address,
  payment: {
    gateway: start.gateway,
    keys: start.keys,
    method: start.method,
    lease_until_ms: nowMs + leaseMs,
    transaction_id: null,
    redirect_url: null,
  },
  declined: null,
  refused: null,
  updated_at: isoFromMs(nowMs),
});

/**
 * Takes a payment over from a process that died. `updated_at` stays the time at which the payment began,
 * because the gateway must get the same call again.
 */
export const resumePayment = (session: SessionIn<'processing'>, nowMs: number): SessionIn<'processing'> => ({
  ...session,
  payment: { ...session.payment, lease_until_ms: nowMs + leaseMs },
});

/**
 * Minimum time between two calls of a gateway about one payment. Shoppers and their browsers may
 * return at any time.
 */
export const checkIntervalMs = 5_000;

/**
 * pending → pending: leases the session for one call of its gateway. Returns undefined during an
 * earlier lease. The lease is stored, so it applies to all instances of the function.
 */
export const leaseForCheck = (session: SessionIn<'pending'>, nowMs: number): SessionIn<'pending'> | undefined =>
  session.payment.lease_until_ms > nowMs
    ? undefined
    : { ...session, payment: { ...session.payment, lease_until_ms: nowMs + checkIntervalMs } };

/**
 * Whether the shopper can correct what was entered before the gateway's page opened: the payment is
 * not decided, and another one may begin.
 */
export const isCorrectable = (session: CheckoutSession, nowMs: number): session is SessionIn<'pending'> =>
  session.status === 'pending' && session.payment.redirect_url !== null && session.tries < maxTries && !isExpiredSession(session, nowMs);

/** Every result except an approval. */
type Undecided = Exclude<Charge, { readonly kind: 'approved' }>;

/**
 * Returns the session after a result that is not an approval; undefined if the result belongs to
 * another payment.
 */
export const afterCharge = (session: CheckoutSession, charge: Undecided, nowMs: number): CheckoutSession | undefined => {
  if (session.status !== 'processing' && session.status !== 'pending') return undefined;
  const { payment } = session;
  if (payment.transaction_id !== null && payment.transaction_id !== charge.transaction_id) return undefined;
  if (charge.kind === 'declined') {
    const { message, rejectedField = null } = charge;
    // The shopper can correct every rejected answer, also one that the shop sent. Otherwise the
    // shopper could not continue.
    const askedFields = rejectedField === null || session.asked.includes(rejectedField) ? session.asked : [...session.asked, rejectedField];
    return {
      ...session,
      status: 'open',
      payment: null,
      asked: askedFields,
      declined: message,
      refused: rejectedField,
      updated_at: isoFromMs(nowMs),
    };
  }
  const redirect_url = charge.kind === 'redirect' ? charge.url : null;
  const { transaction_id } = charge;
  // The call has ended, so its lease ends too, and the shopper may return at once.
  return {
    ...session,
    status: 'pending',
    payment: { ...payment, lease_until_ms: 0, transaction_id, redirect_url },
    updated_at: isoFromMs(nowMs),
  };
};

/** Returns a text of this many characters at their maximum size: four bytes of UTF-8 each. */
const longestText = (characters: number): string => '\u{1f370}'.repeat(characters);

/**
 * Returns the session at the largest size that shopper and gateway can give it, which is at least
 * its order's size. Every contact counts with its full length: after a decline the shopper may
 * enter a new email, and the order gets the name of the customer with that email.
 */
export const largestSession = (session: CheckoutSession): CheckoutSession => ({
  ...session,
  status: 'pending',
  customer: {
    first_name: longestText(bounds.text),
    last_name: longestText(bounds.text),
    email: longestText(bounds.email),
    phone: longestText(bounds.text),
    company: session.customer?.company ?? null,
  },
  // The page's fields hold together no more than the order's text.
  delivery_address: session.asked.includes('delivery_address')
    ? { delivery_address: longestText(bounds.markup), address_city: '', address_state: '', address_postcode: '', address_country: '' }
    : session.delivery_address,
  asked: formFieldNames,
  payment: {
    gateway: longestText(bounds.text),
    keys: longestText(bounds.text),
    method: longestText(bounds.text),
    lease_until_ms: session.expires_ms,
    transaction_id: longestText(bounds.text),
    redirect_url: longestText(bounds.url),
  },
  declined: null,
  refused: null,
  order_id: null,
});
