import Stripe from 'stripe';
import { divideMoney, storedDecimalsOf } from '../../core/money.ts';
import { cutText } from '../../core/text.ts';
import { declines } from '../../domain/checkout/declines.ts';
import type { CheckoutSession } from '../../domain/checkout/record.ts';
import type { Approval, Charge } from '../../domain/checkout/rules.ts';
import type { PaymentMethod } from '../../domain/enumerations.ts';
import { GatewayNotReady, NoticeRejected, type PaymentGateway, type RawNotice, type ReturnUrls } from './gateway.ts';
import {
  type ClientOf,
  minorDecimals,
  minorUnits,
  openClients,
  resourceIn,
  type StripeKeys,
  type StripeOptions,
  withKnowingKeys,
} from './stripe-client.ts';
import { moneyBackOf, moneyBackTypes } from './stripe-money-back.ts';

type HostedSession = Stripe.Checkout.Session;

/** Stripe's page stays open for at least 30 minutes, counted from when Stripe receives the request. */
const shortestLifeMs = 30 * 60_000;
/** Time that a request may take to Stripe. */
const underWayMs = 60_000;

/**
 * Returns when Stripe's page ends, in seconds since the Unix epoch: with the session, or its shortest
 * life later if the payment began too late for that (decisions §6). The time of the call does not
 * matter, because Stripe rejects a repeated call that differs from the first: a process that takes the
 * payment over would begin another one.
 */
const pageEndOf = ({ expires_ms, updated_at }: CheckoutSession): number => {
  const isInTime = Date.parse(updated_at) + shortestLifeMs + underWayMs <= expires_ms;
  return Math.floor((isInTime ? expires_ms : expires_ms + shortestLifeMs) / 1000);
};

const longestDescription = 500;

const creation = (session: CheckoutSession, { done, cancelled }: ReturnUrls): Stripe.Checkout.SessionCreateParams => {
  const { id, account, currency, total, customer, items } = session;
  const metadata = { account, session: id };
  const description = items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ');
  return {
    mode: 'payment',
    client_reference_id: id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: minorUnits(total, currency),
          product_data: { name: 'Your order', description: cutText(description, longestDescription) },
        },
      },
    ],
    success_url: done,
    cancel_url: cancelled,
    metadata,
    // The payment is captured at once, so that its fee is known with it.
    payment_intent_data: { metadata, capture_method: 'automatic' },
    ...(customer?.email ? { customer_email: customer.email } : {}),
    expires_at: pageEndOf(session),
  };
};

const methods: Readonly<Record<string, PaymentMethod>> = {
  card: 'card',
  // Stripe's wallet of saved cards.
  link: 'card',
  paypal: 'paypal',
  klarna: 'klarna',
  afterpay_clearpay: 'afterpay',
  us_bank_account: 'bank_transfer',
  sepa_debit: 'bank_transfer',
  bacs_debit: 'bank_transfer',
  au_becs_debit: 'bank_transfer',
  acss_debit: 'bank_transfer',
  customer_balance: 'bank_transfer',
};

const methodOf = (details: Stripe.Charge.PaymentMethodDetails | null): Pick<Approval, 'method' | 'method_details'> => {
  const card = details?.card;
  const wallet = card?.wallet?.type ?? null;
  const ownWallet = (['apple_pay', 'google_pay'] as const).find((name) => name === wallet);
  const method = ownWallet ?? methods[details?.type ?? ''] ?? 'other';
  return { method, method_details: card ? { brand: card.brand, last4: card.last4, wallet_type: wallet } : null };
};

/** Returns the fee in the session's currency. Stripe's books may use another. */
const feeOf = ({ fee, currency, exchange_rate }: Stripe.BalanceTransaction, charged: string): number => {
  const decimals = minorDecimals(currency.toUpperCase());
  return divideMoney(divideMoney(fee, 10 ** decimals, decimals), exchange_rate ?? 1, storedDecimalsOf(charged));
};

/** Returns the approval. Rejects a payment of another session or of another amount. */
const approvalOf = (session: CheckoutSession, hosted: HostedSession): Approval => {
  const isWhole =
    hosted.amount_total === minorUnits(session.total, session.currency) && hosted.currency?.toUpperCase() === session.currency;
  if (hosted.client_reference_id !== session.id || !isWhole)
    throw new NoticeRejected('The payment belongs to another session or has another amount.');
  const intent = resourceIn(hosted.payment_intent);
  const charge = resourceIn(intent?.latest_charge);
  const balance = resourceIn(charge?.balance_transaction);
  if (!intent || !charge || !balance) throw new GatewayNotReady('Stripe has not booked the payment yet.');
  return {
    gateway: 'stripe',
    transaction_id: intent.id,
    fee: feeOf(balance, session.currency),
    ...methodOf(charge.payment_method_details),
  };
};

const chargeOf = (session: CheckoutSession, hosted: HostedSession): Charge | undefined => {
  if (hosted.payment_status === 'paid') return { kind: 'approved', ...approvalOf(session, hosted) };
  if (hosted.status === 'expired') return { kind: 'declined', transaction_id: hosted.id, message: declines.notMade };
  return hosted.status === 'complete' ? { kind: 'pending', transaction_id: hosted.id } : undefined;
};

const sessionTypes = ['completed', 'async_payment_succeeded', 'async_payment_failed', 'expired'].map((name) => `checkout.session.${name}`);

/** Events of Stripe's webhook that this service reads. */
export const noticeTypes: readonly string[] = [...sessionTypes, ...moneyBackTypes];

/**
 * Whether Stripe began no payment: it rejected the request, or its idempotency key belongs to
 * another request.
 */
const isRejectedRequest = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError ||
  error instanceof Stripe.errors.StripeIdempotencyError ||
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripePermissionError;

/** Returns what the shopper reads about a request that Stripe rejected. */
const rejectionMessage = (error: unknown): string => {
  // An earlier try sent other values under this key. The next payment has a key of its own.
  if (error instanceof Stripe.errors.StripeIdempotencyError) return declines.notMade;
  const code = error instanceof Stripe.errors.StripeInvalidRequestError ? error.code : undefined;
  if (code === 'amount_too_small') return declines.tooSmall;
  return code === 'amount_too_large' ? declines.tooLarge : declines.closed;
};

/** Whether Stripe rejected the email. It checks addresses more strictly than this service. */
const isRejectedEmail = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && (error.param === 'customer_email' || error.code === 'email_invalid');

/**
 * Tolerance for functions with different clocks, and for payments that begin while the keys change.
 */
const slackMs = 60_000;

const mayKnow = ({ untilMs = Number.POSITIVE_INFINITY }: StripeKeys, { created_at }: CheckoutSession): boolean =>
  Date.parse(created_at) <= untilMs + slackMs;

/**
 * Reads a session of Stripe Checkout with the keys that began it. If these fail, it tries the other
 * keys, because the account may have replaced its keys since.
 */
const retrieveHostedSession = (
  clientOf: ClientOf,
  session: CheckoutSession,
  id: string,
  keys: readonly StripeKeys[],
): Promise<HostedSession> =>
  withKnowingKeys(
    clientOf,
    keys.filter((known) => mayKnow(known, session)),
    (stripe) => stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge.balance_transaction'] }),
  );

/**
 * Ends a page of Stripe Checkout with the keys that began it. Stripe rejects this for a page that is
 * paid, ended or being paid: its state decides then.
 */
const expire = async (clientOf: ClientOf, session: CheckoutSession, id: string, keys: readonly StripeKeys[]): Promise<void> => {
  const known = keys.filter((one) => mayKnow(one, session));
  try {
    await withKnowingKeys(clientOf, known, (stripe) => stripe.checkout.sessions.expire(id));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 404) throw error;
  }
};

/**
 * Stripe Checkout in hosted mode. The shopper pays on Stripe's page. Stripe's notice or the
 * shopper's return leads to the result.
 */
export const stripeGateway = ({ keys, api, now }: StripeOptions): PaymentGateway => {
  const clientOf = openClients(api);
  const [current] = keys;
  const stripe = clientOf(current);

  const eventOf = ({ body, headers }: RawNotice): { readonly event: Stripe.Event; readonly signer: StripeKeys } => {
    const signature = headers['stripe-signature'] ?? '';
    for (const signer of keys) {
      try {
        const event = stripe.webhooks.constructEvent(body, signature, signer.webhookSecret, undefined, undefined, now());
        return { event, signer };
      } catch {
        // The signature does not match this secret, so the next secret is tried.
      }
    }
    throw new NoticeRejected('The notice has no valid signature of Stripe.');
  };

  return {
    name: 'stripe',
    keys: current.name,
    takesCards: false,
    method: () => 'hosted',
    async charge(session, _method, idempotencyKey, urls) {
      try {
        const { id, url } = await stripe.checkout.sessions.create(creation(session, urls), { idempotencyKey });
        if (url === null) throw new Error('Stripe returned no URL of a payment page.');
        return { kind: 'redirect', transaction_id: id, url };
      } catch (error) {
        if (isRejectedEmail(error)) return { kind: 'declined', transaction_id: null, message: declines.email, rejectedField: 'email' };
        if (!isRejectedRequest(error)) throw error;
        return { kind: 'declined', transaction_id: null, message: rejectionMessage(error) };
      }
    },
    async check(session) {
      return chargeOf(session, await retrieveHostedSession(clientOf, session, session.payment.transaction_id, [current, ...keys]));
    },
    async endPage(session) {
      const { transaction_id } = session.payment;
      await expire(clientOf, session, transaction_id, keys);
      return chargeOf(session, await retrieveHostedSession(clientOf, session, transaction_id, keys));
    },
    async readNotice(notice) {
      const { event, signer } = eventOf(notice);
      if (!sessionTypes.includes(event.type)) return moneyBackOf(event, clientOf, [signer, ...keys], now);
      const { id, client_reference_id, payment_status, payment_intent } = event.data.object as HostedSession;
      if (client_reference_id === null) return undefined;
      return {
        session: client_reference_id,
        taken: payment_status === 'paid' ? (resourceIn(payment_intent)?.id ?? String(payment_intent ?? id)) : undefined,
        async judge(session) {
          if (!mayKnow(signer, session)) throw new NoticeRejected('The secret of this signature was replaced before the session began.');
          if (event.type === 'checkout.session.async_payment_failed')
            return { kind: 'declined', transaction_id: id, message: declines.notMade };
          return chargeOf(session, await retrieveHostedSession(clientOf, session, id, [signer, ...keys]));
        },
      };
    },
  };
};
