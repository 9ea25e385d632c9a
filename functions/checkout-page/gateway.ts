import { createHash } from 'node:crypto';
import type { Settings } from '../../shared/domain/account/settings.ts';
import {
  type FormerGateway,
  formerSandboxMessage,
  type GatewayKeys,
  gatewayKeysOf,
  hasSandbox,
} from '../../shared/domain/checkout/former-gateway.ts';
import type { SessionPayment } from '../../shared/domain/checkout/record.ts';
import type { ApiServices } from '../../shared/http/exchange.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import type { StripeKeys, StripeOptions } from '../../shared/providers/payment-gateways/stripe.ts';
import { UnresolvedSecret } from '../../shared/providers/secrets.ts';
import type { Services } from '../../shared/services.ts';
import type { PageStore } from '../../shared/table/store.ts';
import { PageRefusal } from './request.ts';

/** Services of the page. */
export interface CheckoutPageServices extends Omit<ApiServices, 'region' | 'store'>, Pick<Services, 'secrets'> {
  readonly store: PageStore;
  /** Address of Stripe's API. If absent, the public address. */
  readonly stripeApi?: StripeOptions['api'];
}

/** The gateways that an account uses now or used before. */
interface Gateways {
  readonly account: string;
  readonly checkout: Settings['checkout'];
  readonly formers: readonly FormerGateway[];
}

const closed = (cause?: unknown): PageRefusal => new PageRefusal(503, 'This shop cannot take payments at the moment.', cause);

/** Returns a short digest that identifies the keys without revealing them. */
const nameOf = ({ secret_key }: GatewayKeys): string => createHash('sha256').update(secret_key).digest('base64url').slice(0, 16);

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
  const resolve = async (keys: GatewayKeys | FormerGateway): Promise<StripeKeys> => {
    const [secretKey, webhookSecret] = await Promise.all([
      secrets.resolve(account, keys.secret_key, 'stripe'),
      secrets.resolve(account, keys.webhook_secret, 'stripe'),
    ]);
    return { secretKey, webhookSecret, name: nameOf(keys), ...('replaced_ms' in keys ? { untilMs: keys.replaced_ms } : {}) };
  };
  const open = async ([first, ...others]: readonly StripeKeys[], cause?: unknown): Promise<PaymentGateway> => {
    if (!first) throw closed(cause);
    // Loaded only here, because it is most of this function's code and many pages do not need it.
    const { stripeGateway } = await import('../../shared/providers/payment-gateways/stripe.ts');
    return stripeGateway({ keys: [first, ...others], now: () => clock.now(), ...(stripeApi ? { api: stripeApi } : {}) });
  };
  const unresolved = (error: unknown): UnresolvedSecret => {
    if (error instanceof UnresolvedSecret) return error;
    throw error;
  };

  const current = gatewayKeysOf(checkout);
  if (payment === undefined) {
    if (hasSandbox(checkout)) return sandboxGateway();
    if (!current) throw closed();
    const keys = await resolve(current).catch(unresolved);
    return keys instanceof UnresolvedSecret ? open([], keys) : open([keys]);
  }
  if (payment.gateway === 'sandbox') return sandboxGateway(hasSandbox(checkout) ? undefined : formerSandboxMessage);
  const known = [...(current ? [current] : []), ...formers];
  if (known.length === 0) throw new PageRefusal(404, 'This shop does not use that gateway.');
  known.sort((a, b) => Number(nameOf(b) === payment.keys) - Number(nameOf(a) === payment.keys));
  // If one key cannot be read, the others are still used.
  const read = await Promise.all(known.map((keys) => resolve(keys).catch(unresolved)));
  const readable = read.flatMap((keys) => (keys instanceof UnresolvedSecret ? [] : [keys]));
  return open(
    readable,
    read.find((keys) => keys instanceof UnresolvedSecret),
  );
};
