import { afterAll, beforeAll, expect } from '@jest/globals';
import type { CheckoutPageServices } from '../../functions/checkout-page/visit.ts';
import { type Service, startBakeries } from '../actions/bakery.ts';
import { openShop, type Shop, shopSettings } from '../checkout/shop.ts';
import { secretsOf } from '../support/secrets.ts';
import { startWorld, type World } from '../support/world.ts';
import { type Counter, openCounter } from './page.ts';
import { type StripeStandIn, secretKey, startStripe, webhookSecret } from './stripe-stand-in.ts';

export const atStripe = { gateway: 'stripe' as const, secret_key: secretKey, webhook_secret: webhookSecret };

/** A counter that can take payments at Stripe. */
export interface StripeCounter extends Counter {
  /** Returns the id of Stripe's page for the payment in progress. */
  hosted(): Promise<string>;
  /**
   * Sends a signed notice about a page at Stripe (default: that of the payment in progress).
   * Returns the response's status.
   */
  notify(type: string, hosted?: string, secret?: string): Promise<number>;
  /** Returns the URL to which /return redirects the shopper. */
  comeBack(): Promise<string | undefined>;
  /** Saves other checkout settings, as the merchant. */
  change(checkout: object | null): Promise<unknown>;
}

export interface CounterOptions {
  readonly shop?: Shop;
  /** The shop's checkout settings; null selects the sandbox. */
  readonly checkout?: object | null;
  /** The parameters of the account's secrets. */
  readonly parameters?: (account: string) => Record<string, string>;
  readonly fields?: Record<string, unknown>;
}

export interface CheckoutTest {
  world: World;
  stripe: StripeStandIn;
  service: Service;
  /** The page's gateways, with Stripe's API on loopback. */
  services(parameters?: Record<string, string>): Pick<CheckoutPageServices, 'secrets' | 'stripeApi'>;
  open(options?: CounterOptions): Promise<StripeCounter>;
}

/**
 * Starts a world, its dashboard and a Stripe stand-in before a file's tests, and stops them after.
 */
export const useStripe = (): CheckoutTest => {
  const { checkout: _, ...settings } = shopSettings;
  const t = {
    services: (parameters) => ({ secrets: secretsOf(parameters), stripeApi: t.stripe.api }),
    async open({ shop: existingShop, checkout = atStripe, parameters, fields = {} } = {}) {
      const shop =
        existingShop ??
        (await openShop(t.world, { settings: { ...settings, ...(checkout ? { checkout: checkout as typeof atStripe } : {}) } }));
      const account = shop.account.id;
      const counter = await openCounter(t.world, { shop, fields, services: t.services(parameters?.(account)) });
      const hosted = async () => (await counter.session()).payment?.transaction_id ?? '';
      return {
        ...counter,
        hosted,
        async notify(type, page, secret) {
          const { body, headers } = t.stripe.notice(`checkout.session.${type}`, page ?? (await hosted()), secret);
          return (await counter.visit('POST', `/checkout/${account}/notices/stripe`, { body, headers })).status;
        },
        comeBack: async () => (await counter.visit('GET', `${counter.path}/return`)).headers['Location'],
        change: (next) => t.service.act('settings.put', account, { ...settings, checkout: next }),
      };
    },
  } as CheckoutTest;
  beforeAll(async () => {
    t.world = await startWorld();
    t.stripe = await startStripe(t.world.clock.now);
    t.service = await startBakeries(t.world, t.services());
  });
  afterAll(async () => {
    await t.stripe.stop();
    await t.service.stop();
    await t.world.stop();
  });
  return t;
};

/** Expects exactly one order and one payment of the session, and returns them. */
export const expectOne = async (counter: Counter): Promise<{ readonly order: any; readonly payment: any }> => {
  const { orders, payments } = await counter.made();
  expect([orders.length, payments.length]).toEqual([1, 1]);
  expect(await counter.session()).toMatchObject({ status: 'paid', order_id: orders[0].id });
  return { order: orders[0], payment: payments[0] };
};
