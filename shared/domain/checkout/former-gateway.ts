import { ApiError } from '../../core/errors.ts';
import type { Settings } from '../account/settings.ts';
import { type CheckoutSession, pendingSessionRetentionDays, sessionLifeMs } from './record.ts';
import { afterCharge, stateOf } from './rules.ts';

/** Keys for calls of a payment gateway and for its notices: secrets, or references to them. */
export interface GatewayKeys {
  readonly secret_key: string;
  readonly webhook_secret: string;
}

/**
 * Keys of Stripe that an account had before: payments that were begun with them are settled with
 * them.
 */
export interface FormerGateway extends GatewayKeys {
  /** Milliseconds since the Unix epoch. */
  readonly replaced_ms: number;
}

/**
 * No session that was open when the keys were replaced is kept longer, not even with a payment
 * under way.
 */
export const formerGatewayLifeMs = sessionLifeMs + pendingSessionRetentionDays * 86_400_000;

export const isKept = ({ replaced_ms }: FormerGateway, nowMs: number): boolean => nowMs < replaced_ms + formerGatewayLifeMs;

/** Bounds what every read of the settings carries along. */
const mostFormers = 20;

/**
 * Returns the Stripe keys of an account. Returns undefined for the sandbox, and if a key is
 * missing, because no payment can then begin.
 */
export const gatewayKeysOf = (checkout: Settings['checkout']): GatewayKeys | undefined => {
  const { gateway, secret_key, webhook_secret } = (checkout ?? {}) as Readonly<Record<string, unknown>>;
  if (gateway !== 'stripe' || typeof secret_key !== 'string' || typeof webhook_secret !== 'string') return undefined;
  return { secret_key, webhook_secret };
};

/** True unless the settings name a gateway that takes money. */
export const hasSandbox = (checkout: Settings['checkout']): boolean => checkout === undefined || checkout.gateway === 'sandbox';

/**
 * The message of a payment that was pending at the sandbox when the account moved to another
 * gateway.
 */
export const formerSandboxMessage = 'The shop takes payments in another way now. Please pay again.';

/**
 * Returns the session as it counts for an account with these settings (decisions §6, Checkout
 * session): a payment that is undecided at the sandbox is declined once the account has another
 * gateway. A payment that a function is asking for now stays as it is.
 */
export const asItCounts = (session: CheckoutSession, checkout: Settings['checkout'], nowMs: number): CheckoutSession => {
  if (session.payment?.gateway !== 'sandbox' || hasSandbox(checkout) || stateOf(session, nowMs) === 'processing') return session;
  const { transaction_id } = session.payment;
  return afterCharge(session, { kind: 'declined', transaction_id, message: formerSandboxMessage }, nowMs) ?? session;
};

const isSame = (a: GatewayKeys, b: GatewayKeys | undefined): boolean =>
  a.secret_key === b?.secret_key && a.webhook_secret === b.webhook_secret;

interface GatewayChange {
  readonly before: Settings['checkout'];
  readonly after: Settings['checkout'];
  /** Those that are still kept, newest first. */
  readonly formers: readonly FormerGateway[];
  readonly nowMs: number;
}

/**
 * The former gateways once settings are replaced (decisions §6, Checkout session). Refuses with 409
 * beyond twenty, for none may be forgotten.
 */
export const formersAfter = ({ before, after, formers, nowMs }: GatewayChange): readonly FormerGateway[] => {
  const [replaced, current] = [gatewayKeysOf(before), gatewayKeysOf(after)];
  if (!replaced || isSame(replaced, current)) return formers;
  const left = formers.filter((former) => !isSame(former, current) && !isSame(former, replaced));
  if (left.length >= mostFormers)
    throw new ApiError('conflict', `Payments may still be under way with the last ${mostFormers} gateway keys. Change the keys later.`, {
      field: 'checkout',
    });
  return [{ ...replaced, replaced_ms: nowMs }, ...left];
};
