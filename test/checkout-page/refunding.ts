import { beforeEach } from '@jest/globals';
import { openShop, type Shop, shopSettings } from '../checkout/shop.ts';
import { sampleProduct } from '../support/requests.ts';
import { type CheckoutTest, expectOne, type StripeCounter, atStripe as stripeSettings, useStripe } from './stripe-counter.ts';

/** A payment that was taken at Stripe before each test, and what gives it back. */
export interface Refunding {
  readonly t: CheckoutTest;
  counter: StripeCounter;
  account: string;
  paid: any;
  /** Pays a cart of 13 at Stripe, or of 130 in a currency. */
  buy(currency?: string): Promise<void>;
  /** Returns the result of payment.refund. */
  ask(input: object, token?: string): Promise<Record<string, any>>;
  /** Returns the error of payment.refund. */
  errorOfRefund(input: object): Promise<Record<string, unknown>>;
  /** Sends a notice of Stripe. Returns the response's status. */
  notify(type: string, about: object): Promise<number>;
  order(): Promise<any>;
  refundRecords(): Promise<any[]>;
  /** Returns Stripe's refunds of the payment. */
  atStripe(): any[];
  /** Returns the payment's record as it is stored. */
  original(): Promise<any>;
  /** Returns the number of table calls that the work makes. */
  callsOf(work: () => Promise<unknown>): Promise<number>;
}

export const useRefunds = (): Refunding => {
  const t = useStripe();
  const shopIn = async (currency: string): Promise<Shop> => {
    const shop = await openShop(t.world, { account: { currency }, settings: { ...shopSettings, checkout: stripeSettings } });
    const product = sampleProduct(t.world.clock.now(), { id: 'prd_local', price: 130, currency });
    await t.world.store.commit([t.world.store.products.createWrite(shop.account.id, product)]);
    return shop;
  };
  const own = {
    t,
    async buy(currency) {
      const fields = { items: [{ product_id: 'prd_local', quantity: 1 }] };
      own.counter = await t.open(currency === undefined ? {} : { shop: await shopIn(currency), fields });
      own.account = own.counter.shop.account.id;
      await own.counter.pay('');
      t.stripe.pay(await own.counter.hosted());
      await own.counter.comeBack();
      own.paid = (await expectOne(own.counter)).payment;
    },
    ask: (input, token) => t.service.act('payment.refund', own.account, { id: own.paid.id, ...input }, token),
    errorOfRefund: (input) => t.service.errorOf('payment.refund', own.account, { id: own.paid.id, ...input }),
    async notify(type, about) {
      const { body, headers } = t.stripe.notice(type, about);
      return (await own.counter.visit('POST', `/checkout/${own.account}/notices/stripe`, { body, headers })).status;
    },
    order: async () => (await t.world.request('GET', `/orders/${own.paid.order_id}`, { key: own.counter.shop.secretKey })).body,
    refundRecords: async () => (await own.order()).payments.filter(({ type }: { type: string }) => type === 'refund'),
    atStripe: () => t.stripe.refunds.filter(({ payment_intent }) => payment_intent === own.paid.gateway.transaction_id),
    original: async () => (await t.world.store.payments.get(own.account, own.paid.id))?.record,
    async callsOf(work) {
      t.world.wire.intercept(undefined);
      t.world.wire.reset();
      await work();
      return t.world.wire.calls.length;
    },
  } as Refunding;
  beforeEach(async () => {
    t.world.wire.intercept(undefined);
    t.stripe.refundsBecome('succeeded');
    await own.buy();
  });
  return own;
};
