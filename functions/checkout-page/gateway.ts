import type { Clock } from '../../shared/core/clock.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import { type StripeOptions, stripeGateway } from '../../shared/providers/payment-gateways/stripe.ts';
import { PageRefusal } from './request.ts';

export interface GatewayOptions {
  readonly clock: Clock;
  readonly stripeApi?: StripeOptions['api'];
}

/** Opens the gateway of an account: the sandbox unless its settings name Stripe, with `secret_key` and `webhook_secret`. */
export const gatewayOpener =
  ({ clock, stripeApi }: GatewayOptions) =>
  (settings: Settings['checkout']): PaymentGateway => {
    if (settings === undefined || settings.gateway === 'sandbox') return sandboxGateway();
    const { secret_key, webhook_secret } = settings;
    if (typeof secret_key !== 'string' || typeof webhook_secret !== 'string')
      throw new PageRefusal(503, 'This shop cannot take payments at the moment.');
    return stripeGateway({
      secretKey: secret_key,
      webhookSecret: webhook_secret,
      now: () => clock.now(),
      ...(stripeApi ? { api: stripeApi } : {}),
    });
  };
