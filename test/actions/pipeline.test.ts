import { beforeEach, describe, expect, test } from '@jest/globals';
import { actions } from '../../functions/actions/app.ts';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { context } from '../support/context.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { addDelivery, addEndpoint as addEndpointOf } from './deliveries.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
  dashboard.messages.length = 0;
});

const addEndpoint = (fields: Partial<Endpoint> = {}) => addEndpointOf(dashboard, account, fields);
const addFailedDelivery = (endpoint: string, eventAgeMs = 0) => addDelivery(dashboard, { account, endpoint }, { eventAgeMs });

describe('webhook.redeliver', () => {
  test("webhook.redeliver starts a new run from attempt 0 and queues it in the account's group", async () => {
    const endpoint = await addEndpoint();
    const event = await addFailedDelivery(endpoint);
    const result = await dashboard.act('webhook.redeliver', account, { endpoint_id: endpoint, event_id: event });
    expect(result).toEqual({ endpoint_id: endpoint, event_id: event, status: 'pending', attempts: 0, run: 2 });
    expect(dashboard.messages).toEqual([{ groupId: account, body: expect.any(String) }]);
    expect(decodeMessage(dashboard.messages[0]?.body ?? '')).toEqual({ account, endpoint, event, run: 2, attempt: 0 });
    expect(await dashboard.services.store.deliveries.get(account, endpoint, event)).toMatchObject({
      status: 'pending',
      attempts: 0,
      run: 2,
      failed_at: null,
      last_error: null,
    });
  });

  test('webhook.redeliver with a delay queues the message with its time, from which the sweep finds the run', async () => {
    const endpoint = await addEndpoint();
    const event = await addFailedDelivery(endpoint);
    const notBeforeMs = dashboard.clock.now() + 600_000;
    const result = await dashboard.act('webhook.redeliver', account, { endpoint_id: endpoint, event_id: event, delay_seconds: 600 });
    expect(result).toMatchObject({ run: 2, not_before: new Date(notBeforeMs).toISOString() });
    expect(decodeMessage(dashboard.messages[0]?.body ?? '')).toEqual({ account, endpoint, event, run: 2, attempt: 0, notBeforeMs });
    const dueBy = async (byMs: number) => {
      const shards = Array.from({ length: dueShards }, (_, shard) => dashboard.services.store.deliveries.overdue(shard, byMs, 100));
      return (await Promise.all(shards)).flatMap(({ refs }) => refs).filter((ref) => ref.event === event).length;
    };
    expect([await dueBy(notBeforeMs), await dueBy(notBeforeMs + 1)]).toEqual([0, 1]);
  });

  test('webhook.redeliver makes the run due, so that the sweep sends it if the queue rejects it', async () => {
    const endpoint = await addEndpoint();
    const event = await addFailedDelivery(endpoint);
    const failingActions = actions({ ...dashboard.services, queue: { send: () => Promise.reject(new Error('no')) } });
    const response = await failingActions(
      { action: 'webhook.redeliver', account, input: { endpoint_id: endpoint, event_id: event } },
      context,
    );
    expect(response).toMatchObject({ ok: false, status: 500 });
    const due = await Promise.all(
      Array.from({ length: dueShards }, (_, shard) => dashboard.services.store.deliveries.overdue(shard, dashboard.clock.now() + 1, 100)),
    );
    expect(due.flatMap(({ refs }) => refs)).toContainEqual({ account, endpoint, event, run: 2, attempt: 0 });
  });

  test('webhook.redeliver starts a run or returns a conflict in each of two simultaneous calls', async () => {
    const endpoint = await addEndpoint();
    const event = await addFailedDelivery(endpoint);
    const input = { endpoint_id: endpoint, event_id: event };
    const responses = await Promise.all([1, 2, 3, 4].map(() => dashboard.call({ action: 'webhook.redeliver', account, input })));
    const started = responses.filter((response) => response.ok);
    expect(started.length).toBeGreaterThan(0);
    for (const response of responses)
      if (!response.ok) expect(response).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(dashboard.messages).toHaveLength(started.length);
    const record = await dashboard.services.store.deliveries.get(account, endpoint, event);
    expect(record?.run).toBe(1 + started.length);
  });

  test('webhook.redeliver fails while the endpoint is disabled', async () => {
    const endpoint = await addEndpoint({ enabled: false });
    const event = await addFailedDelivery(endpoint);
    const input = { endpoint_id: endpoint, event_id: event };
    expect(await dashboard.errorOf('webhook.redeliver', account, input)).toMatchObject({ status: 409, code: 'conflict' });
    expect(dashboard.messages).toEqual([]);
  });

  test.each([
    ['webhook.redeliver', (endpoint_id: string, event_id: string) => ({ endpoint_id, event_id })],
    ['webhook.redeliver_failed', (endpoint_id: string) => ({ endpoint_id, since: '2020-01-01T00:00:00Z' })],
  ] as const)('webhook.redeliver rejects %s with 409 conflict in a closed account, and starts nothing', async (action, inputOf) => {
    const endpoint = await addEndpoint();
    const event = await addFailedDelivery(endpoint);
    await dashboard.act('account.update', account, { status: 'closed' });
    expect(await dashboard.errorOf(action, account, inputOf(endpoint, event))).toMatchObject({ status: 409, code: 'conflict' });
    expect(dashboard.messages).toEqual([]);
    expect(await dashboard.services.store.deliveries.get(account, endpoint, event)).toMatchObject({ status: 'failed', run: 1 });
    await dashboard.act('account.update', account, { status: 'active' });
    expect(await dashboard.act(action, account, inputOf(endpoint, event))).toMatchObject({ endpoint_id: endpoint });
  });

  test('webhook.redeliver returns 404 if the body expired before the record', async () => {
    const endpoint = await addEndpoint();
    const event = await addFailedDelivery(endpoint, 30 * 86_400_000);
    const input = { endpoint_id: endpoint, event_id: event };
    expect(await dashboard.errorOf('webhook.redeliver', account, input)).toMatchObject({ status: 404 });
    expect(dashboard.messages).toEqual([]);
  });

  test.each([
    ['endpoint_id', { event_id: 'evt_1' }],
    ['event_id', { endpoint_id: 'whe_1' }],
  ])('webhook.redeliver requires %s', async (field, input) => {
    expect(await dashboard.errorOf('webhook.redeliver', account, input)).toMatchObject({ status: 400, field });
  });
});

describe('stream.check_parking', () => {
  test('stream.check_parking sends fan-out an unreadable record, and reads the parked one', async () => {
    dashboard.replayed.length = 0;
    const { parked } = await dashboard.act('stream.check_parking', undefined);
    expect(parked).toMatch(/^check\/[\w-]+\.json$/);
    expect(dashboard.replayed).toEqual([dashboard.parked.get(parked)]);
  });

  test('stream.check_parking returns 404 if the record cannot be read', async () => {
    const reading = actions({ ...dashboard.services, parking: { fetch: async () => undefined } });
    expect(await reading({ action: 'stream.check_parking' }, context)).toMatchObject({ ok: false, status: 404 });
  });
});

describe('stream.replay', () => {
  beforeEach(() => {
    dashboard.replayed.length = 0;
  });

  test('stream.replay sends the parked record to fan-out unchanged', async () => {
    dashboard.parked.set('stream/1.json', '{"eventID":"1"}');
    expect(await dashboard.act('stream.replay', undefined, { key: 'stream/1.json' })).toEqual({ replayed: 1, key: 'stream/1.json' });
    expect(dashboard.replayed).toEqual(['{"eventID":"1"}']);
  });

  test('stream.replay sends each record of an invocation that Lambda parked', async () => {
    const payload = JSON.stringify({ Records: [{ eventID: '2' }, { eventID: '3' }] });
    dashboard.parked.set('aws/lambda/1', JSON.stringify({ requestContext: { condition: 'RetryAttemptsExhausted' }, payload }));
    expect(await dashboard.act('stream.replay', undefined, { key: 'aws/lambda/1' })).toEqual({ replayed: 2, key: 'aws/lambda/1' });
    expect(dashboard.replayed).toEqual(['{"eventID":"2"}', '{"eventID":"3"}']);
  });

  test('stream.replay returns 404 for a key that is not parked', async () => {
    expect(await dashboard.errorOf('stream.replay', undefined, { key: 'stream/2.json' })).toMatchObject({ status: 404, code: 'not_found' });
    expect(await dashboard.errorOf('stream.replay', undefined)).toMatchObject({ status: 400, field: 'key' });
  });

  test('stream.replay fails if fan-out still cannot read the record', async () => {
    dashboard.parked.set('stream/3.json', '{}');
    const failing = actions({ ...dashboard.services, replay: () => Promise.reject(new Error('still unreadable')) });
    expect(await failing({ action: 'stream.replay', input: { key: 'stream/3.json' } }, context)).toMatchObject({ ok: false, status: 500 });
  });
});
