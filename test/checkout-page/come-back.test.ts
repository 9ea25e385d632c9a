import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { askAgainMs } from '../../shared/domain/checkout/rules.ts';
import { openShop, shopSettings } from '../checkout/shop.ts';
import { startWorld, type World } from '../support/world.ts';
import { type Answer, type Counter, openCounter, origin, successUrl, type Visitor, visitor } from './page.ts';
import { type StripeStandIn, secretKey, startStripe, webhookSecret } from './stripe-stand-in.ts';

let world: World;
let stripe: StripeStandIn;
let counter: Counter;
/** Two instances of the function, which share the table and nothing else. */
let instances: readonly [Visitor, Visitor];
let questionsBefore: number;
beforeAll(async () => {
  world = await startWorld();
  stripe = await startStripe(world.clock.now);
});
beforeEach(async () => {
  const checkout = { gateway: 'stripe' as const, secret_key: secretKey, webhook_secret: webhookSecret };
  const shop = await openShop(world, { settings: { ...shopSettings, checkout } });
  const services = () => ({ stripeApi: stripe.api });
  counter = await openCounter(world, { shop, services: services() });
  instances = [visitor(world, services()), visitor(world, services())];
  await counter.pay('');
  questionsBefore = questions();
});
afterAll(async () => {
  stripe.close();
  await world.stop();
});

const questions = (): number => stripe.requests.filter(({ method }) => method === 'GET').length;
const asked = (): number => questions() - questionsBefore;
const comeBack = (instance: 0 | 1 = 0): Promise<Answer> => instances[instance]('GET', `${counter.path}/return`);
const pay = async (): Promise<void> => stripe.pay((await counter.session()).payment?.transaction_id ?? '');

test('200 visits of /return in a moment ask Stripe once, whichever instance of the function they reach', async () => {
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, (_, i) => comeBack(i % 2 === 0 ? 0 : 1)));
  expect(asked()).toBe(1);
});

test('after the pause Stripe is asked again, once', async () => {
  await comeBack();
  world.clock.advance(askAgainMs - 1);
  await comeBack(1);
  expect(asked()).toBe(1);
  world.clock.advance(1);
  await Promise.all([comeBack(0), comeBack(1)]);
  expect(asked()).toBe(2);
});

test('a shopper who is back at once is told of the payment at once', async () => {
  await pay();
  expect((await comeBack()).headers['Location']).toBe(successUrl);
});

test('a shopper who pays within the pause gets a page that comes back by itself, and then the order', async () => {
  expect((await comeBack()).headers['Location']).toBe(`${origin}${counter.path}`);
  await pay();
  const waiting = await comeBack(1);
  expect([waiting.status, waiting.headers['Location'], waiting.headers['Refresh']]).toEqual([200, undefined, '3']);
  world.clock.advance(askAgainMs);
  expect((await comeBack(1)).headers['Location']).toBe(successUrl);
  expect((await counter.made()).orders).toHaveLength(1);
});

test('a question that Stripe fails to answer is asked again after the pause', async () => {
  await pay();
  for (let i = 0; i < 2; i++) stripe.failNext(500, { type: 'api_error', message: 'internals of Stripe' });
  expect((await comeBack()).status).toBe(500);
  world.clock.advance(askAgainMs);
  expect((await comeBack()).headers['Location']).toBe(successUrl);
});
