import { expect } from '@jest/globals';
import { gatewayOpener } from '../../../functions/checkout-page/gateway.ts';
import type { FunctionName } from '../../../lib/functions.ts';
import { routeOf } from '../../../lib/groups.ts';
import { openShop, shopSettings } from '../../checkout/shop.ts';
import { approveCard, openCounter, successUrl } from '../../checkout-page/page.ts';
import { createTenant, sampleBody, searchSettings } from '../../support/requests.ts';
import { expense, type Flow, type Stage } from './stage.ts';

/** What each function behind a route does, down to its rarest call. */
export const apiFlows = ({ world, secrets, putSecret, createAccountWithKey, createEndpoint, createDelivery }: Stage) =>
  ({
    async checkout() {
      const { key } = await createTenant(world, { account: { order_limit: 9 } });
      return async () => {
        const headers = { 'Idempotency-Key': 'first' };
        const body = sampleBody(routeOf('createCheckout'));
        expect((await world.request('POST', '/checkout', { key, body, headers })).status).toBe(201);
        expect((await world.request('POST', '/checkout', { key, body: { ...body, notes: 'x' }, headers })).status).toBe(422);
        const other = { 'Idempotency-Key': 'other' };
        const unknown = { ...body, items: [{ product_id: 'prd_unknown', quantity: 1 }] };
        expect((await world.request('POST', '/checkout', { key, body: unknown, headers: other })).status).toBe(400);
      };
    },
    async 'checkout-page'() {
      const counter = await openCounter(world);
      const second = await openCounter(world, { shop: counter.shop });
      const openGateway = gatewayOpener({ clock: world.clock, secrets: secrets('checkout-page') });
      const checkout = { gateway: 'stripe' as const, secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook_secret' };
      const shop = await openShop(world, { settings: { ...shopSettings, checkout } });
      const referring = await openCounter(world, { shop, services: { openGateway } });
      const foreign = await openCounter(world);
      const at = new Date(world.clock.now()).toISOString();
      const line = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1, transaction_id: 't' };
      const fee = { line, day: at.slice(0, 10), currency: 'EUR', at };
      await world.store.commit(world.store.gatewayFees.bookWrites(foreign.shop.account.id, undefined, fee));
      for (const name of ['secret_key', 'webhook_secret']) putSecret(shop.account.id, `stripe/${name}`, 'secret');
      return async () => {
        await counter.visit('GET', counter.path);
        expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
        expect((await second.pay(approveCard)).headers['Location']).toBe(successUrl);
        // A fee that is kept aside.
        expect((await foreign.pay(approveCard)).headers['Location']).toBe(successUrl);
        expect((await referring.visit('GET', referring.path)).status).toBe(200);
      };
    },
    async customers() {
      const { key } = await createAccountWithKey();
      const closedKey = await world.createKey((await world.createAccount({ status: 'closed' })).id);
      return async () => {
        const headers = { 'Idempotency-Key': 'first' };
        const { body: created } = await world.request('POST', '/customers', { key, body: sampleBody(routeOf('createCustomer')), headers });
        await world.request('POST', '/customers', { key: closedKey, body: { last_name: 'Baker' }, headers });
        await world.request('GET', `/customers/${created.id}`, { key });
        for (const order of ['', '&updated_after=2026-01-01'])
          for (const filter of ['', `&email=${created.email}`]) await world.request('GET', `/customers?${order}${filter}`, { key });
      };
    },
    async expenses() {
      const { key } = await createAccountWithKey();
      const closedKey = await world.createKey((await world.createAccount({ status: 'closed' })).id);
      return async () => {
        const headers = { 'Idempotency-Key': 'first' };
        const { body: created } = await world.request('POST', '/expenses', { key, body: expense, headers });
        await world.request('POST', '/expenses', { key, body: expense, headers });
        // A refusal leaves its Idempotency-Key free.
        await world.request('POST', '/expenses', { key: closedKey, body: expense, headers });
        await world.request('GET', `/expenses/${created.id}`, { key });
        await world.request('GET', '/expenses/gateway_fees_2026-03-01', { key });
        for (const order of ['date', 'updated_at'])
          for (const filter of ['', '&category=packaging', '&status=submitted', '&supplier_id=sup_1'])
            await world.request('GET', `/expenses?order_by=${order}${filter}`, { key });
      };
    },
    async products() {
      const { key, account } = await createAccountWithKey();
      const shopper = await world.createKey((await createAccountWithKey()).account, { type: 'publishable' });
      const search = { ...searchSettings, search_key: 'ssm:typesense/search_key' };
      await world.store.commit([world.store.accounts.putSettingsWrite(account, { search })]);
      putSecret(account, 'typesense/search_key', searchSettings.search_key);
      return async () => {
        await world.request('GET', '/products/prd_unknown', { key });
        expect((await world.request('POST', '/products/search-token', { key })).status).toBe(201);
        for (const who of [key, shopper])
          for (const query of ['', 'category=cakes', 'updated_after=2026-01-01', 'updated_after=2026-01-01&category=cakes'])
            await world.request('GET', `/products?${query}`, { key: who });
      };
    },
    async orders() {
      const { key, account } = await createTenant(world);
      const settings = { custom_fields: [{ id: 'theme', scopes: ['order'] }] };
      await world.store.commit([world.store.accounts.putSettingsWrite(account.id, settings)]);
      return async () => {
        const items = [{ product_id: 'prd_sample', quantity: 2 }];
        const customer = { email: 'ada@example.com' };
        const body = { items, customer, payments: [{ amount: 5, method: 'cash' }], custom_fields: { theme: 'Lilac' } };
        const { body: made } = await world.request('POST', '/orders', { key, body, headers: { 'Idempotency-Key': 'first' } });
        expect((await world.request('POST', '/orders', { key, body })).status).toBe(201);
        const refused = { ...body, items: [] };
        await world.request('POST', '/orders', { key, body: refused, headers: { 'Idempotency-Key': 'first' } });
        const unknown = { ...body, customer: { id: 'cus_unknown' } };
        await world.request('POST', '/orders', { key, body: unknown, headers: { 'Idempotency-Key': 'other' } });
        expect((await world.request('GET', `/orders/${made.id}`, { key })).body.payments).toHaveLength(1);
        for (const sort of ['createdAt', 'updatedAt', 'deliveryDate'])
          for (const filter of ['', '&status=pending', '&payment_status=pending', `&customer_id=${made.customer_id}`])
            await world.request('GET', `/orders?sort=${sort}${filter}`, { key });
      };
    },
    async reference() {
      const { key } = await createAccountWithKey();
      return async () => {
        await world.request('GET', '/reference/time-slots', { key });
      };
    },
    async webhooks() {
      const { account, key } = await createAccountWithKey();
      const logged = await createEndpoint(key);
      for (const _ of [1, 2]) await createDelivery(account, logged);
      return async () => {
        const body = { url: 'https://hooks.example.com/b', events: ['expense.created'] };
        const { body: created } = await world.request('POST', '/webhooks', { key, body, headers: { 'Idempotency-Key': 'first' } });
        await world.request('POST', '/webhooks', { key, body, headers: { 'Idempotency-Key': 'refused' } });
        await world.request('GET', '/webhooks', { key });
        await world.request('GET', `/webhooks/${created.id}`, { key });
        await world.request('PATCH', `/webhooks/${created.id}`, { key, body: { url: 'http://127.0.0.1:1/' } });
        await world.request('POST', `/webhooks/${created.id}/rotate-secret`, { key });
        await world.request('POST', `/webhooks/${created.id}/test`, { key });
        await world.request('GET', `/webhooks/${logged}/events?status=failed`, { key });
        const { body: page } = await world.request('GET', `/webhooks/${logged}/events?limit=1`, { key });
        await world.request('GET', `/webhooks/${logged}/events?limit=1&cursor=${page.pagination.next_cursor}`, { key });
        await world.request('DELETE', `/webhooks/${created.id}`, { key });
      };
    },
    async fallback() {
      return async () => {
        await world.request('GET', '/nothing');
      };
    },
  }) satisfies Partial<Record<FunctionName, Flow>>;
