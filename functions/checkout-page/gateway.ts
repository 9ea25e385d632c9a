import type { Clock } from '../../shared/core/clock.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import { type StripeOptions, stripeGateway } from '../../shared/providers/payment-gateways/stripe.ts';
import { type Secrets, UnresolvedSecret } from '../../shared/providers/secrets.ts';
import { PageRefusal } from './request.ts';
import type { CheckoutPageServices } from './services.ts';

export interface GatewayOptions {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly stripeApi?: StripeOptions['api'];
}

const closed = (cause?: unknown): PageRefusal => new PageRefusal(503, 'This shop cannot take payments at the moment.', cause);

/**
 * Opens the gateway of an account: the sandbox unless its settings name Stripe, with `secret_key` and `webhook_secret`. A page that
 * says so (503) where one is missing, or refers to a secret that cannot be read.
 */
export const gatewayOpener =
  ({ clock, secrets, stripeApi }: GatewayOptions): CheckoutPageServices['openGateway'] =>
  async (account, settings) => {
    if (settings === undefined || settings.gateway === 'sandbox') return sandboxGateway();
    const resolve = async (value: unknown): Promise<string> => {
      if (typeof value !== 'string') throw closed();
      try {
        return await secrets.resolve(account, value);
      } catch (error) {
        throw error instanceof UnresolvedSecret ? closed(error) : error;
      }
    };
    const [secretKey, webhookSecret] = await Promise.all([resolve(settings['secret_key']), resolve(settings['webhook_secret'])]);
    return stripeGateway({ secretKey, webhookSecret, now: () => clock.now(), ...(stripeApi ? { api: stripeApi } : {}) });
  };
