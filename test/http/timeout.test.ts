import { afterEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { actions } from '../../functions/actions/app.ts';
import { randomId } from '../../shared/core/ids.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { api } from '../../shared/http/chain.ts';
import { startDashboard } from '../actions/dashboard.ts';
import { approveCard, openCounter, origin, visitor } from '../checkout-page/page.ts';
import { isCommit, standstillAt } from '../support/faults.ts';
import { createTenant, sampleProduct } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const route = { operation: 'wait', method: 'GET', path: '/things', scope: 'reference:read', keys: 'any' } as const;

const world = shared(startWorld);
const dashboard = shared(startDashboard);
afterEach(() => world.wire.intercept(undefined));

/** An invocation that Middy ends after 5 ms. */
const hurried = { getRemainingTimeInMillis: () => 10 } as Context;

const eventOf = (key: string) =>
  ({
    routeKey: routeKey(route),
    rawQueryString: '',
    headers: { host: 'us.api.example.com', authorization: key },
    requestContext: { requestId: 'req-1', http: { method: 'GET', sourceIp: '192.0.2.1' } },
  }) as unknown as APIGatewayProxyEventV2;

test('an operation that takes too long returns a 500 in the envelope just before its function ends, logged once', async () => {
  const { key } = await createTenant(world);
  const log: Readonly<Record<string, unknown>>[] = [];
  const never = new Promise<never>(() => undefined);
  const handler = api(
    [route],
    { wait: { decide: () => never } },
    { ...world, region: 'us', newId: randomId, log: (line) => log.push(line) },
  );

  const response = await handler(eventOf(key), hurried);
  expect([response.statusCode, JSON.parse(response.body ?? '').error]).toEqual([
    500,
    { type: 'api_error', code: 'internal_error', message: 'The service failed. Repeat the request.' },
  ]);
  expect(response.headers).toMatchObject({ 'X-Request-Id': 'req-1', 'Access-Control-Allow-Origin': '*' });
  expect(log).toEqual([expect.objectContaining({ rid: 'req-1', status: 500, error: expect.objectContaining({ name: 'TimeoutError' }) })]);
});

describe('work that goes on after the early time-out, as in a process that Lambda thaws', () => {
  test('an operation of the API stores nothing', async () => {
    const { key, account } = await createTenant(world);
    const { products } = world.store;
    const product = sampleProduct(world.clock.now(), { id: 'prd_late' });
    const thaw = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const decide = async () => {
      await thaw.promise;
      stored.resolve(world.store.commit([products.createWrite(account.id, product)]));
      return { result: {} };
    };
    const response = await api(
      [route],
      { wait: { decide } },
      { ...world, region: 'us', newId: randomId, log: () => undefined },
    )(eventOf(key), hurried);
    thaw.resolve();
    await expect(stored.promise).rejects.toMatchObject({ name: 'AbortError' });
    expect([response.statusCode, await products.get(account.id, product.id)]).toEqual([500, undefined]);
  });

  test("a payment makes no order, so the next visit's order counts by the account's currency of then", async () => {
    const counter = await openCounter(world);
    const { id, updated_at } = counter.shop.account;
    const pay = { form: { token: counter.token, card_number: approveCard }, headers: { origin, 'sec-fetch-site': 'same-origin' } };
    const standstill = standstillAt(world.wire, 0, 'after');
    const response = await visitor(world, {}, hurried)('POST', `${counter.path}/pay`, pay);
    await standstill.reached;
    await world.store.commit([world.store.accounts.updateWrite(id, { currency: 'EUR', updated_at })]);
    standstill.goOn();
    await counter.pay(approveCard);
    const [order] = (await counter.made()).orders;
    const customer = await world.store.customers.get(id, order.customer_id);
    expect([response.status, customer?.record]).toEqual([500, expect.objectContaining({ total_orders: 1, total_spent: 0 })]);
  });

  test('a dashboard action stores nothing', async () => {
    const { wire, act, openAccount, services } = dashboard;
    const account = await openAccount();
    const standstill = standstillAt(wire, 0, 'after');
    const response = await actions(services)({ action: 'account.update', account, input: { currency: 'EUR' } }, hurried);
    await standstill.reached;
    standstill.goOn();
    for (let i = 0; i < 3; i++) await act('settings.get', account);
    expect([response, wire.calls.filter(isCommit)]).toEqual([expect.objectContaining({ status: 500 }), []]);
  });
});
