import Stripe from 'stripe';
import { decimalsOf, divideMoney, multiplyMoney, roundMoney, storedDecimalsOf } from '../../core/money.ts';

/** Keys for Stripe's API and for the signatures of its notices. */
export interface StripeKeys {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Name of these keys, which payments that begin with them store. */
  readonly name: string;
  /**
   * When the keys were replaced, in milliseconds since the Unix epoch. Sessions that were opened
   * later were never paid with them.
   */
  readonly untilMs?: number;
}

/** Address and HTTP client of the API. If absent, the defaults of Stripe's library. */
export type StripeApi = Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port' | 'httpClient'>;

export interface StripeOptions {
  /** New payments use the first keys. The others may know earlier payments. */
  readonly keys: readonly [StripeKeys, ...StripeKeys[]];
  readonly api?: StripeApi;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type ClientOf = (keys: StripeKeys) => Stripe;

export const openClients =
  (api: StripeApi = { protocol: 'https', host: 'api.stripe.com', port: 443 }): ClientOf =>
  ({ secretKey }) =>
    new Stripe(secretKey, { ...api, maxNetworkRetries: 1, timeout: 8_000, telemetry: false });

/**
 * Whether these keys cannot read the payment: it belongs to another Stripe account, or Stripe no
 * longer accepts the keys.
 */
export const isUnknown = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripePermissionError ||
  (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404);

/**
 * Makes the call with the first keys that know what it asks for, because the account may have
 * replaced its keys since. Throws if none do, and at once if Stripe does not answer.
 */
export const withKnowingKeys = async <Result>(
  clientOf: ClientOf,
  keys: readonly StripeKeys[],
  call: (stripe: Stripe) => Promise<Result>,
): Promise<Result> => {
  let failure: unknown;
  for (const known of new Set(keys)) {
    try {
      return await call(clientOf(known));
    } catch (error) {
      // These keys may be the right ones, and the result at Stripe is unknown.
      if (!isUnknown(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
};

/** Currencies that Stripe charges in whole units but writes in hundredths, for compatibility. */
const chargedInWholeUnits = new Set(['ISK', 'UGX']);
export const minorDecimals = (currency: string): number => (chargedInWholeUnits.has(currency) ? 2 : decimalsOf(currency));

/**
 * Returns an amount as Stripe writes it: in the currency's smallest unit, and not more exact than
 * the currency or this project's amounts.
 */
export const minorUnits = (amount: number, currency: string): number =>
  multiplyMoney(roundMoney(amount, storedDecimalsOf(currency)), 10 ** minorDecimals(currency), 0);

/** Returns an amount that Stripe writes in the currency's smallest unit. */
export const fromMinorUnits = (amount: number, currency: string): number =>
  divideMoney(amount, 10 ** minorDecimals(currency), storedDecimalsOf(currency));

export const resourceIn = <Resource extends object>(reference: string | Resource | null | undefined): Resource | undefined =>
  typeof reference === 'object' && reference !== null ? reference : undefined;

/** Returns the id of a resource, whether Stripe wrote the id alone or the resource. */
export const idOf = (reference: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;
