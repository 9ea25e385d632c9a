import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { declines } from '../../shared/domain/checkout/declines.ts';
import { effectiveSession, gatewayKeysOf, hasSandbox } from '../../shared/domain/checkout/former-gateway.ts';
import type { CheckoutSession, SessionPayment } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import type { ApiServices } from '../../shared/http/exchange.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { nameOfKeys, readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import type { StripeApi } from '../../shared/providers/payment-gateways/stripe-client.ts';
import type { Services } from '../../shared/services.ts';
import { RevisionConflict, type Stored } from '../../shared/table/records.ts';
import type { PageStore } from '../../shared/table/store.ts';
import { type Locale, readLocale } from './locale.ts';
import { PageRejection, pathId } from './request.ts';

/** Services of the page. */
export interface CheckoutPageServices extends Omit<ApiServices, 'region' | 'store'>, Pick<Services, 'secrets'> {
  readonly store: PageStore;
  /** Address of Stripe's API. If absent, the public address. */
  readonly stripeApi?: StripeApi;
}

const shopClosed = (cause?: unknown): PageRejection => new PageRejection(503, 'shopClosed', cause);

export interface Visit {
  readonly account: Account;
  readonly locale: Locale;
  readonly settings: Settings;
  /**
   * The session. If its payment began at a sandbox that the account no longer uses and is
   * undecided, it counts as declined.
   */
  readonly stored: Stored<CheckoutSession>;
  /**
   * Opens the gateway at which the payment began. Without a payment, opens the current gateway of
   * the account.
   */
  openGateway(): Promise<PaymentGateway>;
  /** Opens the gateway of the next payment. */
  openNextGateway(): Promise<PaymentGateway>;
}

const noCheckout = (): PageRejection => new PageRejection(404, 'noCheckout');

/**
 * Returns the merchant's account, its settings, and a function that opens one of its gateways. Throws
 * 404 if the account does not exist.
 */
export const openShop = async ({ store: { accounts }, clock, secrets, stripeApi }: CheckoutPageServices, id: string) => {
  const [account, { document: settings, formers }] = await Promise.all([accounts.get(id), accounts.getStoredSettings(id)]);
  if (!account) throw noCheckout();
  const { checkout } = settings;
  /** If one key cannot be read, the others are still used. */
  const openStripe = async (known: Parameters<typeof readStripeKeys>[2]): Promise<PaymentGateway> => {
    const { keys, unresolved } = await readStripeKeys(secrets, id, known);
    const [first, ...others] = keys;
    if (!first) throw shopClosed(unresolved);
    // Loaded only here, because it is most of this function's code and many pages do not need it.
    const { stripeGateway } = await import('../../shared/providers/payment-gateways/stripe.ts');
    return stripeGateway({ keys: [first, ...others], now: () => clock.now(), ...(stripeApi ? { api: stripeApi } : {}) });
  };
  /**
   * Opens the gateway of the account: the sandbox, or Stripe if the settings have `secret_key` and
   * `webhook_secret`. If a payment is given, opens the gateway at which that payment began, even if
   * the account has changed its gateway. The keys with which the payment began are tried first. If
   * the account no longer uses the sandbox, a sandbox payment is declined. Throws a page error: 503
   * if a key of the current gateway is missing or cannot be read, 404 if the account never used the
   * payment's gateway.
   */
  const openGateway = async (payment?: Pick<SessionPayment, 'gateway' | 'keys'>): Promise<PaymentGateway> => {
    const current = gatewayKeysOf(checkout);
    if (payment === undefined) {
      if (hasSandbox(checkout)) return sandboxGateway();
      if (!current) throw shopClosed();
      return openStripe([current]);
    }
    if (payment.gateway === 'sandbox') return sandboxGateway(hasSandbox(checkout) ? undefined : declines.otherGateway);
    const known = [...(current ? [current] : []), ...formers];
    if (known.length === 0) throw new PageRejection(404, 'noGateway');
    known.sort((a, b) => Number(nameOfKeys(b) === payment.keys) - Number(nameOfKeys(a) === payment.keys));
    return openStripe(known);
  };
  return { account, settings, openGateway };
};

/** Reads the account and the session of the path in one round trip. */
export const readVisit = async (services: CheckoutPageServices, event: APIGatewayProxyEventV2): Promise<Visit> => {
  const account = pathId(event, 'account');
  const session = pathId(event, 'session');
  const [shop, stored] = await Promise.all([openShop(services, account), services.store.checkoutSessions.get(account, session)]);
  if (!stored) throw noCheckout();
  const record = effectiveSession(stored.record, shop.settings.checkout, services.clock.now());
  return {
    ...shop,
    locale: await readLocale(event.headers, shop.account.region),
    stored: { ...stored, record },
    openGateway: () => shop.openGateway(record.payment ?? undefined),
    openNextGateway: () => shop.openGateway(),
  };
};

/**
 * Stores the session with its new lease. Returns undefined if another request changed the session
 * first.
 */
export const claimSession = async <Leased extends CheckoutSession>(
  { store }: CheckoutPageServices,
  { account, stored }: Visit,
  next: Leased,
): Promise<Leased | undefined> => {
  try {
    await store.commit([store.checkoutSessions.replaceWrite(account.id, next, stored)]);
    return next;
  } catch (error) {
    if (error instanceof RevisionConflict) return undefined;
    throw error;
  }
};

/** States in which a payment has begun and may end, or has ended. */
const begunStates: readonly SessionState[] = ['processing', 'pending', 'paid'];

/**
 * Throws if the account is closed and no payment of the session runs, because a closed account cannot
 * sell. A payment that runs still becomes an order, and the shopper sees it.
 */
export const assertMaySell = ({ account }: Visit, state: SessionState): void => {
  if (account.status === 'closed' && !begunStates.includes(state)) throw noCheckout();
};
