import { beforeEach, expect, test } from '@jest/globals';
import { checkIntervalMs } from '../../shared/domain/checkout/rules.ts';
import { origin, type PageResponse, refreshOf, successUrl, type Visitor, visitor } from './page.ts';
import { type StripeCounter, useStripe } from './stripe-counter.ts';

// Guarantee 22 (docs/guarantees.md)

const t = useStripe();
let counter: StripeCounter;
/** Two instances of the function that share only the table. */
let instances: readonly [Visitor, Visitor];
let questionsBefore: number;
beforeEach(async () => {
  counter = await t.open();
  instances = [visitor(t.world, t.services()), visitor(t.world, t.services())];
  await counter.pay('');
  questionsBefore = questions();
});

const questions = (): number => t.stripe.requests.filter(({ method }) => method === 'GET').length;
const newQuestions = (): number => questions() - questionsBefore;
const comeBack = (instance: 0 | 1 = 0): Promise<PageResponse> => instances[instance]('GET', `${counter.path}/return`);
const pay = async (): Promise<void> => t.stripe.pay(await counter.hosted());

test('200 simultaneous visits of /return ask Stripe once, even across instances of the function', async () => {
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, (_, i) => comeBack(i % 2 === 0 ? 0 : 1)));
  expect(newQuestions()).toBe(1);
});

test('a visit of /return after the pause asks Stripe again', async () => {
  await comeBack();
  t.world.clock.advance(checkIntervalMs - 1);
  await comeBack(1);
  expect(newQuestions()).toBe(1);
  t.world.clock.advance(1);
  await Promise.all([comeBack(0), comeBack(1)]);
  expect(newQuestions()).toBe(2);
});

test('a shopper who returns at once sees the payment at once', async () => {
  await pay();
  expect((await comeBack()).headers['Location']).toBe(successUrl);
});

test('a shopper who pays during the pause gets a page that reloads, and then the order', async () => {
  expect((await comeBack()).headers['Location']).toBe(`${origin}${counter.path}`);
  await pay();
  const waiting = await comeBack(1);
  expect([waiting.status, waiting.headers['Location'], refreshOf(waiting)]).toEqual([200, undefined, `3; url=${counter.path}/return`]);
  t.world.clock.advance(checkIntervalMs);
  expect((await comeBack(1)).headers['Location']).toBe(successUrl);
  expect((await counter.made()).orders).toHaveLength(1);
});

test.each([
  [500, { type: 'api_error', message: 'internals of Stripe' }],
  [401, { type: 'invalid_request_error', message: 'internals of Stripe' }],
  [403, { type: 'invalid_request_error', message: 'internals of Stripe' }],
  [404, { type: 'invalid_request_error', message: 'internals of Stripe' }],
  [429, { type: 'rate_limit_error', message: 'internals of Stripe' }],
] as const)('a %i of Stripe is a 503 and no internal error of the page, because the team cannot end it', async (status, error) => {
  await pay();
  // Stripe's library repeats what an outage ended, once.
  for (let i = 0; i < (status === 500 ? 2 : 1); i++) t.stripe.failNext(status, error);
  t.world.log.length = 0;
  const { text, ...response } = await comeBack();
  expect([response.status, text.includes('internals')]).toEqual([503, false]);
  expect(t.world.log).toEqual([expect.objectContaining({ status: 503, error: expect.objectContaining({ name: expect.any(String) }) })]);
  expect(t.world.log[0]).not.toHaveProperty('code');
});

test('a failed request to Stripe is repeated after the pause', async () => {
  await pay();
  for (let i = 0; i < 2; i++) t.stripe.failNext(500, { type: 'api_error', message: 'internals of Stripe' });
  expect((await comeBack()).status).toBe(503);
  t.world.clock.advance(checkIntervalMs);
  expect((await comeBack()).headers['Location']).toBe(successUrl);
});
