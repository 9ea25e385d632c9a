import type { Settings } from '../../shared/domain/account/settings.ts';
import { type FormerGateway, formerSandboxMessage, gatewayKeysOf, hasSandbox } from '../../shared/domain/checkout/former-gateway.ts';
import type { SessionPayment } from '../../shared/domain/checkout/record.ts';
import type { ApiServices } from '../../shared/http/exchange.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { nameOfKeys, readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import type { StripeApi } from '../../shared/providers/payment-gateways/stripe-client.ts';
import type { Services } from '../../shared/services.ts';
import type { PageStore } from '../../shared/table/store.ts';
import { PageRefusal } from './request.ts';

/** Services of the page. */
export interface CheckoutPageServices extends Omit<ApiServices, 'region' | 'store'>, Pick<Services, 'secrets'> {
  readonly store: PageStore;
  /** Address of Stripe's API. If absent, the public address. */
  readonly stripeApi?: StripeApi;
}

/** The gateways that an account uses now or used before. */
interface Gateways {
  readonly account: string;
  readonly checkout: Settings['checkout'];
  readonly formers: readonly FormerGateway[];
}

const closed = (cause?: unknown): PageRefusal => new PageRefusal(503, 'This shop cannot take payments at the moment.', cause);

/**
 * Opens the gateway of the account: the sandbox, or Stripe if the settings have `secret_key` and
 * `webhook_secret`. If a payment is given, opens the gateway at which that payment began, even if
 * the account has changed its gateway. The keys with which the payment began are tried first. If
 * the account no longer uses the sandbox, a sandbox payment is declined. Throws a page error: 503
 * if a key of the current gateway is missing or cannot be read, 404 if the account never used the
 * payment's gateway.
 */
export const openGateway = async (
  { clock, secrets, stripeApi }: Pick<CheckoutPageServices, 'clock' | 'secrets' | 'stripeApi'>,
  { account, checkout, formers }: Gateways,
  payment?: Pick<SessionPayment, 'gateway' | 'keys'>,
): Promise<PaymentGateway> => {
  /** If one key cannot be read, the others are still used. */
  const open = async ({ keys: [first, ...others], unresolved }: Awaited<ReturnType<typeof readStripeKeys>>): Promise<PaymentGateway> => {
    if (!first) throw closed(unresolved);
    // Loaded only here, because it is most of this function's code and many pages do not need it.
    const { stripeGateway } = await import('../../shared/providers/payment-gateways/stripe.ts');
    return stripeGateway({ keys: [first, ...others], now: () => clock.now(), ...(stripeApi ? { api: stripeApi } : {}) });
  };
  const current = gatewayKeysOf(checkout);
  if (payment === undefined) {
    if (hasSandbox(checkout)) return sandboxGateway();
    if (!current) throw closed();
    return open(await readStripeKeys(secrets, account, [current]));
  }
  if (payment.gateway === 'sandbox') return sandboxGateway(hasSandbox(checkout) ? undefined : formerSandboxMessage);
  const known = [...(current ? [current] : []), ...formers];
  if (known.length === 0) throw new PageRefusal(404, 'This shop does not use that gateway.');
  known.sort((a, b) => Number(nameOfKeys(b) === payment.keys) - Number(nameOfKeys(a) === payment.keys));
  return open(await readStripeKeys(secrets, account, known));
};
