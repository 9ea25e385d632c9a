import { beforeEach, describe, expect, test } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { addDelivery, addEndpoint } from './deliveries.ts';

const dashboard = shared(startDashboard);
const receiver = shared(startReceiver);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
});

describe('webhook.enable and webhook.disable', () => {
  test('webhook.disable disables an endpoint; webhook.enable clears the reason and the count of failures', async () => {
    const id = await addEndpoint(dashboard, account, { enabled: false, disabled_reason: 'consecutive_failures', consecutive_failures: 10 });
    const enabled = await dashboard.act('webhook.enable', account, { id });
    expect(enabled).toMatchObject({ id, enabled: true, disabled_reason: null, delivery_stats: { consecutive_failures: 0 } });
    expect(await dashboard.act('webhook.disable', account, { id })).toMatchObject({
      enabled: false,
      status: 'disabled',
      disabled_reason: null,
    });
    expect(await dashboard.services.store.endpoints.get(account, id)).toMatchObject({ enabled: false, disabled_ms: dashboard.clock.now() });
  });
});

describe('webhook.test', () => {
  test('webhook.test sends a signed test event and returns its result', async () => {
    const hook = receiver.hook();
    const id = await addEndpoint(dashboard, account, { url: hook.url });
    expect(await dashboard.act('webhook.test', account, { id })).toEqual({
      success: true,
      status_code: 200,
      response_time_ms: expect.any(Number),
      error: null,
    });
    expect(hook.requests[0]?.headers['x-webhook-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  });

  test('webhook.test accepts ten per account per minute, then rejects', async () => {
    const id = await addEndpoint(dashboard, account, { url: 'http://127.0.0.1:1/' });
    for (let i = 0; i < 10; i++) await dashboard.act('webhook.test', account, { id });
    expect(await dashboard.errorOf('webhook.test', account, { id })).toMatchObject({ status: 403, code: 'limit_reached', max: 10 });
    dashboard.clock.advance(60_000);
    expect(await dashboard.act('webhook.test', account, { id })).toMatchObject({ success: false, error: 'no_response' });
  });
});

describe('account.usage', () => {
  test('account.usage counts orders of the month, endpoints, keys and pending deliveries', async () => {
    await dashboard.act('account.update', account, { order_limit: 50 });
    const { store, clock } = dashboard.services;
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    for (let i = 0; i < 3; i++) await store.commit([store.counters.orderCountWrite(account, month, 50)]);
    const endpoint = await addEndpoint(dashboard, account);
    await addEndpoint(dashboard, account, { enabled: false });
    await addDelivery(dashboard, { account, endpoint }, { status: 'pending', attempts: 0 });
    const { id: key } = await dashboard.act('key.create', account, { type: 'secret', group: 'readOnly', name: 'Till' });
    await dashboard.act('key.create', account, { type: 'secret', group: 'readOnly', name: 'Counter' });
    await dashboard.act('key.revoke', account, { id: key });
    expect(await dashboard.act('account.usage', account)).toMatchObject({
      id: account,
      orders: { month, count: 3, or_more: false, limit: 50 },
      webhook_endpoints: { count: 2, enabled: 1, limit: 10 },
      api_keys: { count: 2, usable: 1 },
    });
    const { deliveries } = await dashboard.act('account.usage', account);
    expect(deliveries).toContainEqual({ endpoint_id: endpoint, enabled: true, pending: 1, or_more: false });
  });

  test('account.usage reads at most 100 pending deliveries per endpoint', async () => {
    const endpoint = await addEndpoint(dashboard, account);
    for (let i = 0; i < 101; i++) await addDelivery(dashboard, { account, endpoint }, { status: 'pending', attempts: 0 });
    const { deliveries } = await dashboard.act('account.usage', account);
    expect(deliveries).toEqual([{ endpoint_id: endpoint, enabled: true, pending: 100, or_more: true }]);
  });
});
