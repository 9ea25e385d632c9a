import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchSync } from '../../functions/search-sync/app.ts';
import { type Service, startBakeries } from '../actions/bakery.ts';
import { thursday } from '../checkout/shop.ts';
import { approveCard, declineCard, visitor } from '../checkout-page/page.ts';
import { type StripeStandIn, secretKey, startStripe, webhookSecret } from '../checkout-page/stripe-stand-in.ts';
import { samples } from '../contract/inputs.ts';
import { searchSettings } from '../support/requests.ts';
import { secretsOf } from '../support/secrets.ts';
import { type SearchEngine, startSearchEngine } from '../support/typesense.ts';
import { type Expected, expectShown, fieldName, fill, type Round, rounds } from './life.ts';

/** `any`: responses of every shape. */
type Json = any;

const collection = 'products';
const adminKey = 'admin-key';
let service: Service;
let stripe: StripeStandIn;
let engine: SearchEngine;
beforeAll(async () => {
  service = await startBakeries();
  stripe = await startStripe(service.world.clock.now);
  engine = await startSearchEngine(adminKey, [collection]);
});
afterAll(async () => {
  await Promise.all([stripe.stop(), engine.stop()]);
  await service.stop();
});

const gateways = {
  sandbox: { gateway: 'sandbox' },
  stripe: { gateway: 'stripe', secret_key: secretKey, webhook_secret: webhookSecret },
} as const;

/** The account of one round. */
interface Shop {
  readonly account: string;
  readonly key: string;
  readonly product: Json;
  /** Texts that the hosted page shows. */
  readonly shown: readonly string[];
}

const open = async (round: Round, gateway: keyof typeof gateways): Promise<Shop> => {
  const { id: account } = await service.act('account.create', undefined, { name: 'Crumb', plan: 'business' });
  const { key } = await service.act('key.create', account, { type: 'secret' });
  const { body, expected } = fill('settings.put', round);
  await service.act('settings.put', account, {
    custom_fields: ['flavours', fieldName].map((id) => ({ id, scopes: ['order', 'product'] })),
    checkout: { ...gateways[gateway], branding: body.checkout.branding },
    search: { ...searchSettings, host: engine.host, collection, admin_key: adminKey },
  });
  const sold = fill('product.create', round, { ...samples['product.create'], images: [] });
  const product = await service.act('product.create', account, sold.body);
  const brand = expected.find(({ path }) => path.join('.') === 'checkout.branding.name')?.text ?? '';
  return { account, key, product, shown: [brand, product['name'], product['variants'][0].name] };
};

const request = async ({ key }: Shop, method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await service.world.request(method, path, { key, ...(body === undefined ? {} : { body }) });
  expect([path, response.status, response.body.error]).toEqual([path, method === 'POST' ? 201 : 200, undefined]);
  return response.body;
};

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/**
 * A page's tags without the values of attributes, its text as a browser shows it, and the token of
 * its form.
 */
interface Page {
  readonly tags: readonly string[];
  readonly text: string;
  readonly token: string;
}

const visit = async (session: Json, path = '', form?: Readonly<Record<string, string>>) => {
  const send = visitor(service.world, { stripeApi: stripe.api, secrets: secretsOf() });
  return send(form ? 'POST' : 'GET', new URL(session.url).pathname + path, form ? { form } : {});
};

const readPage = async (session: Json, shown: readonly string[]): Promise<Page> => {
  const { status, text: page } = await visit(session);
  expect(status).toBe(200);
  const text = page.replaceAll(/&(?:\w+|#\d+);/g, (entity) => entities[entity] ?? entity);
  for (const one of shown) expect(text).toContain(one);
  return {
    tags: (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/="[^"]*"/g, '')),
    text,
    token: /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '',
  };
};

const thanks = 'https://shop.example.com/thanks';

/** Pays as the shopper, who types the answers. Returns the pages in between. */
const pay = {
  async sandbox(session: Json, { token }: Page, typed: Readonly<Record<string, string>>, shown: readonly string[]) {
    const send = (card_number: string) => visit(session, '/pay', { ...typed, token, card_number });
    expect((await send(declineCard)).status).toBe(303);
    const declined = await readPage(session, shown);
    expect((await send(approveCard)).headers['Location']).toBe(thanks);
    return [declined];
  },
  async stripe(session: Json, { token }: Page, typed: Readonly<Record<string, string>>, shown: readonly string[]) {
    const before = stripe.sessions.size;
    expect((await visit(session, '/pay', { ...typed, token })).status).toBe(303);
    const [id = ''] = [...stripe.sessions.keys()].slice(before);
    const description = stripe.requests.at(-1)?.form.get('line_items[0][price_data][product_data][description]') ?? '';
    expect(description.isWellFormed()).toBe(true);
    expect(`10 × ${shown[1]} – ${shown[2]}`.startsWith(description.replace(/…$/, ''))).toBe(true);
    const pending = await readPage(session, []);
    stripe.pay(id);
    expect((await visit(session, '/return')).headers['Location']).toBe(thanks);
    return [pending];
  },
};

interface Checkout {
  readonly gateway: keyof typeof gateways;
  /** Whether the shopper types the answers on the page. */
  readonly typing: boolean;
  readonly round: Round;
}

/**
 * Orders as the shopper, and follows an order that Stripe paid to its erasure. Returns the tags of
 * each page.
 */
const checkOut = async ({ gateway, typing, round }: Checkout): Promise<readonly (readonly string[])[]> => {
  service.world.clock.advance(60_000);
  const shop = await open(round, gateway);
  const { product } = shop;
  const valid = {
    ...samples['createCheckout'],
    items: [{ product_id: product.id, variant_id: product.variants[0].id, quantity: 10 }],
    customer: { last_name: 'Baker', email: 'ada@example.com' },
    delivery_type: 'dispatch',
    delivery_date: thursday,
  };
  const { body, expected } = fill('createCheckout', round, valid);
  const { customer, delivery_address, ...cart } = body;
  const address = typeof delivery_address === 'string' ? delivery_address : 'Irrgartenweg 7';
  const typed = typing ? { ...customer, delivery_address: address } : {};
  const session = await request(shop, 'POST', '/checkout', typing ? cart : body);
  const enteredTexts = expected.filter(({ path }) => path[0] === 'customer' && path[1] !== 'company').map(({ text }) => text);

  const first = await readPage(session, shop.shown);
  const between = await pay[gateway](session, first, typed, [...shop.shown, ...(typing ? enteredTexts : [])]);
  const last = await readPage(session, shop.shown);
  // The paid order does not depend on the gateway, so it is followed from one of them.
  if (gateway === 'stripe')
    await follow(
      shop,
      expected.filter(({ path }) => !typing || (path[1] !== 'company' && !(path[0] === 'delivery_address' && path.length > 1))),
    );
  return [first, ...between, last].map(({ tags }) => tags);
};

/** Expects the paid order and the product wherever they are shown, then erases them. */
const follow = async (shop: Shop, expected: readonly Expected[]): Promise<void> => {
  const { account, product } = shop;
  const [{ id }] = (await request(shop, 'GET', '/orders')).data;
  const order = await request(shop, 'GET', `/orders/${id}`);
  const customer = await request(shop, 'GET', `/customers/${order.customer_id}`);
  const document = await service.act('account.export', account);
  expectShown('createCheckout', expected, [
    order,
    { customer },
    document['orders'][0],
    { customer: document['customers'][0] },
    ...document['checkout_sessions'],
  ]);
  expect(order.items[0].name).toBe(`${product.name} – ${product.variants[0].name}`);

  await service.pipeline.drain();
  const messages = service.pipeline.searches.filter(({ groupId }) => groupId === account);
  const sync = searchSync({ ...service.world.services, secrets: secretsOf() });
  expect(await sync({ Records: messages.map(({ body }, i) => ({ messageId: String(i), body })) } as never)).toEqual({
    batchItemFailures: [],
  });
  const { name, description, category, tags, currency } = product;
  const texts = {
    name,
    description,
    category,
    tags,
    currency,
    variants: [product.variants[0].name],
    allergens: [product.allergens[0].name],
  };
  expect(engine.documents(collection).find((one) => one.id === product.id)).toMatchObject(texts);

  expect(await service.act('customer.erase', account, { id: customer.id })).toMatchObject({ erased: true });
  expect(await request(shop, 'GET', `/orders/${id}`)).toMatchObject({
    customer_name: null,
    customer_phone: null,
    notes: null,
    external_id: null,
  });
  expect(await service.act('account.erase', account)).toMatchObject({ erased: true });
};

test.each([
  ['stripe', 'is paid, shown, searched, exported and erased'],
  ['sandbox', 'is shown and paid'],
] as const)('a checkout at %s with difficult texts %s', async (gateway, _result) => {
  const plain = [await checkOut({ gateway, typing: false, round: 'plain' }), await checkOut({ gateway, typing: true, round: 'plain' })];
  for (const round of rounds) {
    const typing = round % 2 === 1;
    expect(await checkOut({ gateway, typing, round })).toEqual(plain[Number(typing)]);
  }
});
