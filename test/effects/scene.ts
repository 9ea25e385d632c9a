import { openShop, type Shop, shopSettings, thursday } from '../checkout/shop.ts';
import { atStripe, type CheckoutTest, type StripeCounter } from '../checkout-page/stripe-counter.ts';
import { subscribableTypes } from '../contract/specification.ts';
import type { TestResponse } from '../support/world.ts';
import { type Readable, type Snapshot, takeSnapshot, type View } from './snapshot.ts';

export interface Emitted {
  readonly type: string;
  readonly object: View;
}

/** An account with a shop at Stripe, a few records, and a receiver of all its events. */
export interface Scene extends Readable {
  readonly shop: Shop;
  act(action: string, input?: object): Promise<View>;
  /** Returns the body of a request that succeeds. */
  send(method: string, path: string, body?: object): Promise<View>;
  request(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  /** Creates a customer. */
  customer(fields?: object): Promise<View>;
  /** Creates an order of one cake for 40. */
  order(fields?: object): Promise<View>;
  /** Records a payment by hand. */
  pay(order: View, fields?: object): Promise<View>;
  /** Opens a cart of 13 at the shop. */
  cart(fields?: Record<string, unknown>): Promise<StripeCounter>;
  /** Opens a cart and pays it at Stripe. */
  sold(fields?: Record<string, unknown>): Promise<{ readonly counter: StripeCounter; readonly order: View; readonly payment: View }>;
  /** Sends a notice of Stripe. */
  notify(type: string, about: object): Promise<unknown>;
  /** Reports a dispute of an order's payment. */
  dispute(order: string, payment: View, status: string, id?: string): Promise<unknown>;
  /** Ends the preparation: what follows happens later, and its events are collected. */
  snapshot(before?: Snapshot): Promise<Snapshot>;
  emitted(): Promise<readonly Emitted[]>;
}

const settings = {
  ...shopSettings,
  custom_fields: ['order', 'product', 'customer'].map((scope) => ({ id: `cf_${scope}`, key: `of_${scope}`, scopes: [scope] })),
  checkout: atStripe,
};

const listen = async ({ t, shop }: Pick<Scene, 't' | 'shop'>) => {
  const hook = t.service.receiver.hook();
  const { status, text } = await t.world.request('POST', '/webhooks', {
    key: shop.secretKey,
    body: { url: hook.url, events: subscribableTypes, description: 'observer' },
  });
  if (status !== 201) throw new Error(text);
  return hook;
};

let emails = 0;

export const openScene = async (t: CheckoutTest): Promise<Scene> => {
  const shop = await openShop(t.world, { settings });
  const account = shop.account.id;
  const [reader, publishableKey] = [await t.world.createKey(account), await t.world.createKey(account, { type: 'publishable' })];
  const hook = await listen({ t, shop });
  const disputes = new Map<string, Map<string, string>>();
  let seen = 0;

  const request: Scene['request'] = (method, path, body, headers = {}) =>
    t.world.request(method, path, { key: shop.secretKey, headers, ...(body ? { body } : {}) });
  const send: Scene['send'] = async (method, path, body) => {
    const response = await request(method, path, body);
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
    return response.body;
  };
  const act: Scene['act'] = (action, input = {}) => t.service.act(action, account, input);
  const cart: Scene['cart'] = (fields = {}) => t.open({ shop, fields });

  const scene: Scene = {
    t,
    shop,
    account,
    secretKey: reader,
    publishableKey,
    disputes,
    request,
    send,
    act,
    cart,
    customer: (fields = {}) =>
      send('POST', '/customers', { first_name: 'Ada', last_name: 'Crumb', email: `ada${++emails}@example.com`, ...fields }),
    order: (fields = {}) =>
      send('POST', '/orders', { items: [{ name: 'Cake', quantity: 1, unit_price: 40 }], delivery_date: thursday, ...fields }),
    pay: ({ id }, fields = {}) => act('payment.create', { order_id: id, amount: 40, method: 'cash', status: 'completed', ...fields }),
    async sold(fields) {
      const counter = await cart(fields);
      await counter.pay('');
      t.stripe.pay(await counter.hosted());
      await counter.comeBack();
      const { orders, payments } = await counter.made();
      const payment = payments.find(({ gateway }) => gateway?.transaction_id !== null);
      const order = orders.find(({ id }) => id === payment.order_id);
      return { counter, order, payment };
    },
    async notify(type, about) {
      const { body, headers } = t.stripe.notice(type, about);
      const path = `/checkout/${account}/notices/stripe`;
      const { visitor } = await import('../checkout-page/page.ts');
      const { status, text } = await visitor(t.world, t.services())('POST', path, { body, headers });
      if (status !== 200) throw new Error(`${type}: ${status} ${text}`);
      return status;
    },
    dispute(order, payment, status, id = 'dp_1') {
      const fact = status.startsWith('warning') ? undefined : ({ lost: 'lost', won: 'won' }[status] ?? 'open');
      if (fact) disputes.set(order, (disputes.get(order) ?? new Map()).set(id, fact));
      const type = fact === 'won' || fact === 'lost' ? 'closed' : 'updated';
      return scene.notify(`charge.dispute.${type}`, t.stripe.dispute(payment.gateway.transaction_id, `${id}_${account}`, status));
    },
    async snapshot(before) {
      await t.service.pipeline.drain();
      if (before === undefined) {
        seen = hook.requests.length;
        // Endpoints may receive what happened up to a second before their registration.
        t.world.clock.advance(3_000);
      }
      return takeSnapshot(scene, before);
    },
    async emitted() {
      await t.service.pipeline.drain();
      return hook.requests.slice(seen).map(({ body }) => {
        const { type, data } = JSON.parse(String(body));
        return { type, object: data.object };
      });
    },
  };
  // Bystanders, which no case touches.
  t.world.clock.advance(3_000);
  const bystander = await scene.customer({ first_name: 'Bo', last_name: 'Stander' });
  await scene.pay(await scene.order({ customer: { id: bystander.id }, external_id: 'bystander', delivery_date: '2030-03-21' }));
  await act('expense.create', { amount: 7, date: '2026-03-01', category: 'rent', supplier: { id: 'sup_0', name: 'Landlord' } });
  t.world.clock.advance(3_000);
  return scene;
};
