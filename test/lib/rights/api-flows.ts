import { expect } from '@jest/globals';
import { type GroupName, groupNames, groups, routeOf } from '../../../functions/groups.ts';
import type { FunctionName } from '../../../lib/functions.ts';
import type { Route } from '../../../shared/core/routes.ts';
import { approveCard, openCounter, successUrl } from '../../checkout-page/page.ts';
import { listRoutes, listSample } from '../../support/lists.ts';
import { createTarget, createTenant, sampleBody, searchSettings, send } from '../../support/requests.ts';
import type { Flow, Stage } from './stage.ts';

/** Queries for a list in each of its orders and with each of its filters. */
const queriesOf = (route: Route): readonly string[] => {
  if (!listRoutes.includes(route)) return [''];
  const { sorts, filters } = listSample(route);
  return sorts.flatMap(({ query }) => ['', ...Object.keys(filters)].map((filter) => `?${query}&${filter}`));
};

/**
 * The work of each function behind a route: all its routes, and calls that only some requests
 * cause.
 */
export const apiFlows = ({ world, putSecret, stripe, openStripeCounter, createAccountWithKey, createEndpoint, createDelivery }: Stage) => {
  /** Also repeated with an Idempotency-Key, and rejected. */
  const askAll = async (route: Route, id: string | undefined, key: string, closedKey: string) => {
    const body = sampleBody(route);
    const sent = { ...(id === undefined ? {} : { id }), ...(body ? { body } : {}) };
    if (!route.idempotent) {
      for (const query of queriesOf(route)) await send(world, route, { ...sent, key, query });
      return;
    }
    const headers = { 'Idempotency-Key': route.operation };
    // A rejected request does not use its Idempotency-Key.
    for (const by of [key, key, closedKey]) await send(world, route, { ...sent, headers, key: by });
  };
  const everyRoute = async (group: GroupName) => {
    const routes: readonly Route[] = groups[group];
    const { key: first, account } = await createTenant(world);
    // A key's last use is written once a day, so this key is new: the judged requests below write
    // it. Its use after a rest stores a notice.
    const key = await world.createKey(account.id, { created_at: '2020-01-01T00:00:00.000Z' });
    const closedKey = await world.createKey((await world.createAccount({ status: 'closed' })).id);
    const targets: (string | undefined)[] = [];
    for (const route of routes) targets.push(await createTarget(world, route, first));
    return async () => {
      for (const [i, route] of routes.entries()) await askAll(route, targets[i], key, closedKey);
    };
  };

  const rarer: Partial<Record<GroupName, Flow>> = {
    async checkout() {
      const { key } = await createTenant(world, { account: { order_limit: 9 } });
      return async () => {
        const body = sampleBody(routeOf('createCheckout'));
        expect((await world.request('POST', '/checkout', { key, body })).status).toBe(201);
        const unknown = { ...body, items: [{ product_id: 'prd_unknown', quantity: 1 }] };
        expect((await world.request('POST', '/checkout', { key, body: unknown })).status).toBe(400);
      };
    },
    async customers() {
      const { key } = await createAccountWithKey();
      // The settings are read only if the body has custom fields.
      const body = { email: 'ada@example.com', custom_fields: { unknown: 1 } };
      return async () => expect((await world.request('POST', '/customers', { key, body })).status).toBe(400);
    },
    async expenses() {
      const { key } = await createAccountWithKey();
      return async () => void (await world.request('GET', '/expenses/gateway_fees_2026-03-01', { key }));
    },
    async products() {
      const { key, account } = await createAccountWithKey();
      const shopper = await world.createKey((await createAccountWithKey()).account, { type: 'publishable' });
      const search = { ...searchSettings, search_key: 'ssm:search/search_key' };
      await world.store.commit([world.store.accounts.putSettingsWrite(account, { search })]);
      putSecret(account, 'search/search_key', searchSettings.search_key);
      return async () => {
        expect((await world.request('POST', '/products/search-token', { key })).status).toBe(201);
        for (const caller of [key, shopper])
          for (const query of ['', 'category=cakes', 'updated_after=2026-01-01', 'updated_after=2026-01-01&category=cakes'])
            await world.request('GET', `/products?${query}`, { key: caller });
      };
    },
    async orders() {
      const { key, account } = await createTenant(world);
      const settings = { custom_fields: [{ id: 'theme', scopes: ['order'] }] };
      await world.store.commit([world.store.accounts.putSettingsWrite(account.id, settings)]);
      return async () => {
        const body = { ...sampleBody(routeOf('createOrder')), customer: { email: 'ada@example.com' }, custom_fields: { theme: 'Lilac' } };
        for (const _ of ['new', 'known']) expect((await world.request('POST', '/orders', { key, body })).status).toBe(201);
        const unknown = { ...body, customer: { id: 'cus_unknown' } };
        expect((await world.request('POST', '/orders', { key, body: unknown })).status).toBe(400);
      };
    },
    async webhooks() {
      const { account, key } = await createAccountWithKey();
      const logged = await createEndpoint(key);
      for (const _ of [1, 2]) await createDelivery(account, logged);
      return async () => {
        await world.request('PATCH', `/webhooks/${logged}`, { key, body: { url: 'http://127.0.0.1:1/' } });
        const { body: page } = await world.request('GET', `/webhooks/${logged}/events?limit=1`, { key });
        await world.request('GET', `/webhooks/${logged}/events?limit=1&cursor=${page.pagination.next_cursor}`, { key });
      };
    },
  };

  const flowOf =
    (group: GroupName): Flow =>
    async () => {
      const works = [await everyRoute(group), (await rarer[group]?.()) ?? (async () => {})];
      return async () => {
        for (const work of works) await work();
      };
    };

  return {
    ...(Object.fromEntries(groupNames.map((group) => [group, flowOf(group)])) as Record<GroupName, Flow>),
    async 'checkout-page'() {
      const counter = await openCounter(world);
      const second = await openCounter(world, { shop: counter.shop });
      const referring = await openStripeCounter();
      const notices = `/checkout/${referring.shop.account.id}/notices/stripe`;
      const foreign = await openCounter(world);
      const at = new Date(world.clock.now()).toISOString();
      const line = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1, transaction_id: 't' };
      const fee = { line, day: at.slice(0, 10), currency: 'EUR', at };
      await world.store.commit(world.store.gatewayFees.bookWrites(foreign.shop.account.id, undefined, fee));
      return async () => {
        await counter.visit('GET', counter.path);
        expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
        expect((await second.pay(approveCard)).headers['Location']).toBe(successUrl);
        // A fee that cannot be booked.
        expect((await foreign.pay(approveCard)).headers['Location']).toBe(successUrl);
        expect((await referring.visit('GET', referring.path)).status).toBe(200);
        // A payment at Stripe, of which a part is given back and the rest is disputed.
        await referring.pay('');
        const hosted = (await referring.session()).payment?.transaction_id ?? '';
        stripe.pay(hosted);
        await referring.visit('GET', `${referring.path}/return`);
        const payment = `pi_${hosted}`;
        for (const notice of [
          stripe.notice('refund.created', stripe.refundAt(payment, 100)),
          stripe.notice('charge.dispute.created', stripe.dispute(payment, 'dp_1', 'needs_response')),
        ])
          expect((await referring.visit('POST', notices, notice)).status).toBe(200);
      };
    },
    async fallback() {
      return async () => {
        await world.request('GET', '/nothing');
      };
    },
  } satisfies Partial<Record<FunctionName, Flow>>;
};
