import { beforeEach, describe, expect, test } from '@jest/globals';
import { follow } from '../../ops/invoke.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { rejectWith } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import type { WireCall } from '../support/wire.ts';
import { startDashboard } from './dashboard.ts';
import { addDelivery, addEndpoint, expenseBody } from './deliveries.ts';

const dashboard = shared(startDashboard);
let account: string;
let endpoint: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
  endpoint = await addEndpoint(dashboard, account);
  dashboard.messages.length = 0;
});

const minuteMs = 60_000;
const add = (fields: Parameters<typeof addDelivery>[2] = {}) => addDelivery(dashboard, { account, endpoint }, fields);
const pending = { status: 'pending', attempts: 0, failed_at: null, last_status_code: null, last_error: null } as const;
const eventsSent = () => dashboard.messages.map(({ body }) => decodeMessage(body)?.event);

/** Records one failed attempt of a pending delivery. */
const fail = async (event: string): Promise<void> => {
  const { store, clock } = dashboard.services;
  const ref = { account, endpoint, event, run: 1, attempt: 0 };
  await store.deliveries.finish(ref, 'token', {
    status: 'pending',
    attempts: 1,
    statusCode: 503,
    error: 'http_error',
    atMs: clock.now(),
    durationMs: 31,
    nextAtMs: clock.now() + 5 * minuteMs,
  });
};

describe('delivery.find', () => {
  test("delivery.find finds every endpoint's record of an event with its attempts, and the body on request", async () => {
    const other = await addEndpoint(dashboard, account, { enabled: false });
    const event = await add(pending);
    await addDelivery(dashboard, { account, endpoint: other }, { id: event });
    await fail(event);
    const at = new Date(dashboard.clock.now()).toISOString();
    const found = await dashboard.act('delivery.find', account, { event_id: event });
    expect(found).toMatchObject({ event_id: event, type: 'expense.created' });
    expect(found).not.toHaveProperty('body');
    expect(found['deliveries']).toHaveLength(2);
    expect(found['deliveries']).toContainEqual(
      expect.objectContaining({
        id: event,
        endpoint_id: endpoint,
        endpoint_enabled: true,
        status: 'pending',
        attempts: 1,
        run: 1,
        last_error: 'http_error',
        next_retry_at: new Date(dashboard.clock.now() + 5 * minuteMs).toISOString(),
        attempt_log: [{ run: 1, attempt: 1, at, status_code: 503, error: 'http_error', duration_ms: 31 }],
      }),
    );
    expect(found['deliveries']).toContainEqual(
      expect.objectContaining({ endpoint_id: other, endpoint_enabled: false, status: 'failed', attempts: 5 }),
    );
    expect(await dashboard.act('delivery.find', account, { event_id: event, body: true })).toMatchObject({ body: expenseBody });
  });
});

describe('delivery.get', () => {
  test('delivery.get returns a delivery with body and attempts, also after its endpoint was deleted', async () => {
    const event = await add(pending);
    await fail(event);
    const { store } = dashboard.services;
    const registered = await store.endpoints.get(account, endpoint);
    if (registered) await store.commit(store.endpoints.deleteWrites(registered));
    const input = { endpoint_id: endpoint, event_id: event };
    expect(await dashboard.act('delivery.get', account, input)).toMatchObject({
      id: event,
      body: expenseBody,
      attempt_log: [{ run: 1, attempt: 1, status_code: 503 }],
    });
    expect(await dashboard.errorOf('delivery.get', account, { ...input, event_id: 'evt_none' })).toMatchObject({ status: 404 });
  });
});

describe('delivery.list', () => {
  test('delivery.list pages through the deliveries of an endpoint, newest first', async () => {
    const events: string[] = [];
    for (const fields of [{}, pending, {}]) {
      dashboard.clock.advance(1_000);
      events.unshift(await add(fields));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Record<string, any> = await dashboard.act('delivery.list', account, {
        endpoint_id: endpoint,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page['data'].map(({ id }: { id: string }) => id));
      cursor = page['pagination'].next_cursor;
    } while (cursor);
    expect(seen).toEqual(events);
    const { data } = await dashboard.act('delivery.list', account, { endpoint_id: endpoint, status: 'pending' });
    expect(data).toMatchObject([{ status: 'pending', run: 1, endpoint_id: endpoint }]);
  });

  test('delivery.list rejects a cursor of another endpoint', async () => {
    for (let i = 0; i < 2; i++) await add();
    const { pagination } = await dashboard.act('delivery.list', account, { endpoint_id: endpoint, limit: 1 });
    const other = await addEndpoint(dashboard, account);
    const input = { endpoint_id: other, limit: 1, cursor: pagination.next_cursor };
    expect(await dashboard.errorOf('delivery.list', account, input)).toMatchObject({ status: 400, code: 'invalid_cursor' });
    expect(await dashboard.errorOf('delivery.list', account, { endpoint_id: 'whe_none' })).toMatchObject({ status: 404 });
  });
});

describe('delivery.requeue_overdue', () => {
  test('delivery.requeue_overdue requeues at once what the next sweep would, and with an account only its deliveries', async () => {
    const event = await add(pending);
    const other = await dashboard.openAccount();
    const elsewhere = await addEndpoint(dashboard, other);
    const theirs = await addDelivery(dashboard, { account: other, endpoint: elsewhere }, pending);
    expect(await dashboard.act('delivery.requeue_overdue', undefined, { account_id: account })).toEqual({ requeued: 0, more: false });
    dashboard.clock.advance(3 * minuteMs);
    expect(await dashboard.act('delivery.requeue_overdue', undefined, { account_id: account })).toEqual({ requeued: 1, more: false });
    expect(eventsSent()).toEqual([event]);
    // A requeued delivery is skipped for half an hour.
    expect(await dashboard.act('delivery.requeue_overdue', undefined, { account_id: account })).toMatchObject({ requeued: 0 });
    await dashboard.act('delivery.requeue_overdue', undefined);
    expect(eventsSent()).toContain(theirs);
  });

  test('delivery.requeue_overdue stops at its limit, and says that more deliveries are overdue', async () => {
    for (let i = 0; i < 6; i++) await add(pending);
    dashboard.clock.advance(3 * minuteMs);
    expect(await dashboard.act('delivery.requeue_overdue', undefined, { account_id: account, limit: 4 })).toEqual({
      requeued: 4,
      more: true,
    });
    expect(await dashboard.act('delivery.requeue_overdue', undefined, { account_id: account })).toEqual({ requeued: 2, more: false });
    expect(new Set(eventsSent()).size).toBe(6);
  });
});

describe('webhook.redeliver_failed', () => {
  const redeliver = (fields: object = {}) =>
    dashboard.act('webhook.redeliver_failed', account, { endpoint_id: endpoint, since: '2020-01-01T00:00:00Z', ...fields });

  test('webhook.redeliver_failed starts a new run for every delivery that failed since the time, and for no other', async () => {
    const before = await add();
    dashboard.clock.advance(minuteMs);
    const since = new Date(dashboard.clock.now()).toISOString();
    const failed = [await add(), await add()];
    await add(pending);
    await add({ status: 'delivered', attempts: 0, failed_at: null });
    expect(await redeliver({ since })).toEqual({
      endpoint_id: endpoint,
      redelivered: 2,
      left: 0,
      left_or_more: false,
      has_more: false,
      next_cursor: null,
    });
    expect(eventsSent().sort()).toEqual([...failed].sort());
    for (const id of failed)
      expect(await dashboard.services.store.deliveries.get(account, endpoint, id)).toMatchObject({
        status: 'pending',
        attempts: 0,
        run: 2,
      });
    expect(await dashboard.services.store.deliveries.get(account, endpoint, before)).toMatchObject({ status: 'failed', run: 1 });
  });

  test('webhook.redeliver_failed redelivers only failures up to `until`', async () => {
    const early = await add();
    const until = new Date(dashboard.clock.now()).toISOString();
    dashboard.clock.advance(minuteMs);
    await add();
    expect(await redeliver({ until })).toMatchObject({ redelivered: 1, has_more: false });
    expect(eventsSent()).toEqual([early]);
  });

  test('webhook.redeliver_failed includes the whole day if `until` is a date', async () => {
    await add();
    const until = new Date(dashboard.clock.now()).toISOString().slice(0, 10);
    expect(await redeliver({ until })).toMatchObject({ redelivered: 1 });
  });

  test('webhook.redeliver_failed redelivers only failures of `type`', async () => {
    const expense = await add();
    const order = await add({ type: 'order.created' });
    expect(await redeliver({ type: 'order.created' })).toMatchObject({ redelivered: 1 });
    expect(eventsSent()).toEqual([order]);
    expect(await redeliver({ type: 'inventory.low' })).toMatchObject({ redelivered: 0, has_more: false });
    expect(await dashboard.services.store.deliveries.get(account, endpoint, expense)).toMatchObject({ status: 'failed' });
  });

  test.each([
    [{ until: '2019-12-31T00:00:00Z' }, 'until'],
    [{ until: '2031-12-31T00:00:00 02:00' }, 'until'],
    [{ until: 'soon' }, 'until'],
    [{ type: 'order.eaten' }, 'type'],
  ])('webhook.redeliver_failed rejects %j with 400 and the field %s', async (fields, field) => {
    const input = { endpoint_id: endpoint, since: '2020-01-01T00:00:00Z', ...fields };
    expect(await dashboard.errorOf('webhook.redeliver_failed', account, input)).toMatchObject({ status: 400, field });
  });

  test('webhook.redeliver_failed counts in `left` the matching failures after the page', async () => {
    for (const type of [
      'expense.created',
      'order.created',
      'expense.created',
      'order.created',
      'expense.created',
      'order.created',
    ] as const) {
      await add({ type });
      dashboard.clock.advance(minuteMs);
    }
    expect(await redeliver({ limit: 2 })).toMatchObject({ redelivered: 2, left: 4, left_or_more: false, has_more: true });
    expect(await redeliver({ limit: 1, type: 'order.created' })).toMatchObject({ redelivered: 1, left: 1 });
  });

  test('webhook.redeliver_failed starts nothing if it cannot count what is left', async () => {
    for (let i = 0; i < 3; i++) await add();
    const counts = (call: WireCall): boolean => call.input['Select'] === 'COUNT';
    dashboard.wire.intercept((call, next) => (counts(call) ? rejectWith('InternalServerError') : next()));
    await expect(redeliver({ limit: 1 })).rejects.toThrow();
    dashboard.wire.intercept(undefined);
    expect(await dashboard.act('delivery.list', account, { endpoint_id: endpoint, status: 'pending' })).toMatchObject({ data: [] });
  });

  test('webhook.redeliver_failed is repeated by `ops` for all pages, which prints how many are left', async () => {
    for (let i = 0; i < 101; i++) await add();
    const lines: string[] = [];
    const input = { endpoint_id: endpoint, since: '2020-01-01T00:00:00Z' };
    const call = (input: unknown) => dashboard.act('webhook.redeliver_failed', account, input as object);
    const result = await follow('webhook.redeliver_failed', call, input, (line) => lines.push(line));
    expect(result).toMatchObject({ redelivered: 101, left: 0, has_more: false });
    expect(lines).toEqual(['Redelivered 100; 1 left.']);
  });

  test('webhook.redeliver_failed fails for a disabled or unknown endpoint, and without a time', async () => {
    await dashboard.act('webhook.disable', account, { id: endpoint });
    await add();
    const input = { endpoint_id: endpoint, since: '2020-01-01T00:00:00Z' };
    expect(await dashboard.errorOf('webhook.redeliver_failed', account, input)).toMatchObject({ status: 409, code: 'conflict' });
    expect(await dashboard.errorOf('webhook.redeliver_failed', account, { ...input, endpoint_id: 'whe_none' })).toMatchObject({
      status: 404,
    });
    expect(await dashboard.errorOf('webhook.redeliver_failed', account, { ...input, since: 'soon' })).toMatchObject({
      status: 400,
      field: 'since',
    });
    expect(dashboard.messages).toEqual([]);
  });
});
