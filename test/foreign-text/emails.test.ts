import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startBakeries } from '../actions/bakery.ts';
import { openShop, type Shop, shopSettings } from '../checkout/shop.ts';
import { visitor } from '../checkout-page/page.ts';
import { type StripeStandIn, secretKey, startStripe, webhookSecret } from '../checkout-page/stripe-stand-in.ts';
import { allItems } from '../support/person.ts';
import { secretsOf } from '../support/secrets.ts';

let service: Service;
let stripe: StripeStandIn;
let shop: Shop;
beforeAll(async () => {
  service = await startBakeries();
  stripe = await startStripe(service.world.clock.now);
  const checkout = { gateway: 'stripe', secret_key: secretKey, webhook_secret: webhookSecret } as const;
  shop = await openShop(service.world, { settings: { ...shopSettings, checkout } });
});
afterAll(async () => {
  await stripe.stop();
  await service.stop();
});

const call = (method: string, path: string, body?: unknown) => {
  service.world.clock.advance(1_000);
  return service.world.request(method, path, { key: shop.secretKey, ...(body === undefined ? {} : { body }) });
};
const items = [{ name: 'Rye', quantity: 1, unit_price: 5 }];

describe('difficult email addresses', () => {
  test.each([
    'jos\u00e9@b\u00e4ckerei.example',
    'jose\u0301@cafe\u0301.example',
    '\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a',
    '\u{1f370}\u{1f1e9}\u{1f1ea}@example.com',
    '"a,b;c:d?e"@example.com',
    "o'brien+$&%00{{x}}*|`~^!#/@example.com",
    '__proto__@constructor.example',
    'a&b=c+d@example.com',
    `${'\u{1f370}'.repeat(64)}@${Array(3).fill('\u{1f370}'.repeat(62)).join('.')}`,
  ])('the email %s belongs to one customer, is delivered and paid with, and can be erased', async (email) => {
    const account = shop.account.id;
    const hook = service.receiver.hook();
    const { body: endpoint } = await call('POST', '/webhooks', { url: hook.url, events: ['customer.created', 'order.created'] });
    const { status, body: customer } = await call('POST', '/customers', { email: ` ${email}\n`, first_name: 'Ada' });
    expect([status, customer.email]).toEqual([201, email]);
    expect((await call('POST', '/customers', { email: email.normalize('NFD') })).body.error).toMatchObject({
      code: 'conflict',
      field: 'email',
    });
    expect((await call('GET', `/customers?email=${encodeURIComponent(email)}`)).body.data).toEqual([customer]);
    const { body: order } = await call('POST', '/orders', { customer: { email }, items });
    expect(order).toMatchObject({ customer_id: customer.id, customer_email: email });

    const { body: session } = await shop.open({ customer: { first_name: 'Ada', last_name: 'B', email } });
    const visit = visitor(service.world, { stripeApi: stripe.api, secrets: secretsOf() });
    const path = new URL(session.url).pathname;
    const token = /name="token" value="([^"]+)"/.exec((await visit('GET', path)).text)?.[1] ?? '';
    expect((await visit('POST', `${path}/pay`, { form: { token } })).status).toBe(303);
    expect(stripe.requests.at(-1)?.form.get('customer_email')).toBe(email);

    await service.pipeline.drain();
    const delivered = hook.requests.map(({ body }) => JSON.parse(body.toString()).data.object);
    expect(delivered.map((object) => object.customer_email ?? object.email)).toEqual([email, email]);
    // The page of the gateway has closed, so the erasure need not wait for the payment.
    service.world.clock.advance(25 * 3_600_000);
    expect(await service.act('customer.erase', account, { id: customer.id })).toMatchObject({ erased: true });
    const document = JSON.stringify(await service.act('account.export', account));
    expect(document).not.toContain(JSON.stringify(email).slice(1, -1));
    expect((await call('POST', '/customers', { email })).status).toBe(201);
    await call('DELETE', `/webhooks/${endpoint.id}`);
    await service.pipeline.drain();
  });
});

describe('international domains', () => {
  const [unicode, ascii] = ['Ada@bücher.example', 'ada@XN--BCHER-KVA.example'];
  /** The claim of an email as earlier versions stored it: under the Unicode form of the domain. */
  const storeAsFormerly = async (account: string, customer: string) => {
    const { engine, tables } = service.world;
    const claims = (await allItems(service.world, account)).filter(({ item }) => item['customer'] === customer);
    for (const { item } of claims)
      await engine.client.send(new DeleteCommand({ TableName: tables.tableName, Key: { pk: item['pk'], sk: item['sk'] } }));
    const former = { pk: `cue#${account}`, sk: unicode.toLowerCase(), customer };
    await engine.client.send(new PutCommand({ TableName: tables.tableName, Item: former }));
  };

  test.each([
    ['in Unicode, sent in ASCII', unicode, ascii, false],
    ['in ASCII, sent in Unicode', ascii, unicode, false],
    ['of an earlier version, sent in ASCII', unicode, ascii, true],
    ['of an earlier version, sent in Unicode', unicode, unicode.normalize('NFD'), true],
  ])('an email with an international domain %s, belongs to one customer, and can be erased', async (_, stored, sent, isFormer) => {
    const account = shop.account.id;
    const { body: customer } = await call('POST', '/customers', { email: stored, first_name: 'Ada' });
    if (isFormer) await storeAsFormerly(account, customer.id);
    expect((await call('POST', '/customers', { email: sent })).body.error).toMatchObject({ code: 'conflict', field: 'email' });
    expect((await call('GET', `/customers?email=${encodeURIComponent(sent)}`)).body.data).toEqual([customer]);
    const { body: order } = await call('POST', '/orders', { customer: { email: sent }, items });
    expect(order).toMatchObject({ customer_id: customer.id, customer_email: sent });
    await shop.open({ customer: { email: sent } });
    await shop.open({ notes: `Write to ${sent}!` });
    service.world.clock.advance(1_000);
    expect(await service.act('customer.erase', account, { id: customer.id })).toMatchObject({ erased: true, checkout_sessions: 2 });
    expect(await service.keysContaining(account, ['bücher', 'xn--bcher'])).toEqual([]);
    expect((await call('POST', '/customers', { email: stored })).status).toBe(201);
    const { body: again } = await call('GET', `/customers?email=${encodeURIComponent(sent)}`);
    await service.act('customer.erase', account, { id: again.data[0].id });
  });
});

test.each([
  ['a\ud83c@example.com', 'customer.email'],
  ['a\0@example.com', 'customer.email'],
  ['a\u2028b@example.com', 'customer.email'],
  ['\u202ea@example.com', 'customer.email'],
  ['\u{1f468}\u200d\u{1f469}@example.com', 'customer.email'],
  ['v<i>x@example.com', 'customer.email'],
  [`${'\u{1f370}'.repeat(65)}@example.com`, 'customer.email'],
])('the email address %j is rejected, and named', async (email, field) => {
  const expected = { type: 'validation_error', code: 'invalid_value', field };
  expect((await call('POST', '/orders', { customer: { email }, items })).body.error).toMatchObject(expected);
  expect((await shop.open({ customer: { email } })).body.error).toMatchObject(expected);
  expect((await call('POST', '/customers', { email })).body.error).toMatchObject({ ...expected, field: 'email' });
});
