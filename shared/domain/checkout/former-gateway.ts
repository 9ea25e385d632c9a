import { ApiError } from '../../core/errors.ts';
import type { Settings } from '../account/settings.ts';
import { declines } from './declines.ts';
import { type CheckoutSession, pendingSessionRetentionDays, sessionLifeMs } from './record.ts';
import { afterCharge, stateOf } from './rules.ts';

/**
 * Keys to call a payment gateway and to verify its notices. Each is a secret or a reference to one.
 */
export interface GatewayKeys {
  readonly secret_key: string;
  readonly webhook_secret: string;
}

/** Stripe keys that an account replaced. Payments that began with them are settled with them. */
export interface FormerGateway extends GatewayKeys {
  /** Milliseconds since the Unix epoch. */
  readonly replaced_ms: number;
}

/**
 * Milliseconds for which replaced keys are kept. Every session that was open when the keys were
 * replaced is deleted by then, even with a running payment.
 */
export const formerGatewayLifeMs = sessionLifeMs + pendingSessionRetentionDays * 86_400_000;

export const isRetained = ({ replaced_ms }: FormerGateway, nowMs: number): boolean => nowMs < replaced_ms + formerGatewayLifeMs;

/** Maximum number of former gateways, because they enlarge the settings, which are read often. */
const maxFormers = 20;

/**
 * Returns the Stripe keys of an account. Returns undefined for the sandbox, and if a key is
 * missing, because no payment can then begin.
 */
export const gatewayKeysOf = (checkout: Settings['checkout']): GatewayKeys | undefined => {
  const { gateway, secret_key, webhook_secret } = checkout ?? {};
  if (gateway !== 'stripe' || typeof secret_key !== 'string' || typeof webhook_secret !== 'string') return undefined;
  return { secret_key, webhook_secret };
};

/** Whether the account uses the sandbox, which takes no money. */
export const hasSandbox = (checkout: Settings['checkout']): boolean => !checkout || checkout.gateway === 'sandbox';

/**
 * Returns the session's effective state under these settings (decisions §6, Checkout session). An
 * undecided payment at the sandbox counts as declined if the account has another gateway now. While
 * a function is calling the gateway, the payment stays as it is.
 */
export const effectiveSession = (session: CheckoutSession, checkout: Settings['checkout'], nowMs: number): CheckoutSession => {
  if (session.payment?.gateway !== 'sandbox' || hasSandbox(checkout) || stateOf(session, nowMs) === 'processing') return session;
  const { transaction_id } = session.payment;
  return afterCharge(session, { kind: 'declined', transaction_id, message: declines.otherGateway }, nowMs) ?? session;
};

const isSame = (a: GatewayKeys, b: GatewayKeys | undefined): boolean =>
  a.secret_key === b?.secret_key && a.webhook_secret === b.webhook_secret;

interface GatewayChange {
  readonly before: Settings['checkout'];
  readonly after: Settings['checkout'];
  /** Former gateways that are still kept, newest first. */
  readonly formers: readonly FormerGateway[];
  readonly nowMs: number;
}

/**
 * Returns the former gateways after a change of settings (decisions §6, Checkout session). Throws
 * 409 above twenty, because the service must not forget any of them.
 */
export const formersAfter = ({ before, after, formers, nowMs }: GatewayChange): readonly FormerGateway[] => {
  const [replaced, current] = [gatewayKeysOf(before), gatewayKeysOf(after)];
  if (!replaced || isSame(replaced, current)) return formers;
  const remaining = formers.filter((former) => !isSame(former, current) && !isSame(former, replaced));
  if (remaining.length >= maxFormers)
    throw new ApiError('conflict', `Payments with the last ${maxFormers} gateway keys may still be running. Change the keys later.`, {
      field: 'checkout',
    });
  return [{ ...replaced, replaced_ms: nowMs }, ...remaining];
};
