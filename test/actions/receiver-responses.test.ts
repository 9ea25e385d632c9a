import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Hook, ReceiverResponse } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

/** Receivers' responses to failed attempts, from the API to the dashboard that shows them. */

const service = shared(startBakeries);
let account: string;
let hook: Hook;
let endpoint: string;
let event: string;

const minutes = (count: number): void => service.world.clock.advance(count * 60_000);
const attempt = async (receiverResponse: ReceiverResponse, afterMinutes = 0): Promise<void> => {
  hook.respondWith(receiverResponse);
  minutes(afterMinutes);
  await service.pipeline.drain();
};
const shown = () => service.act('delivery.get', account, { endpoint_id: endpoint, event_id: event });
const lastResponse = async () => (await shown())['last_response'];
const text = (status: number, body: string | Uint8Array, type = 'text/plain') => ({ status, body, headers: { 'content-type': type } });

beforeEach(async () => {
  await service.pipeline.clear();
  ({ id: account } = await service.world.createAccount());
  const key = await service.world.createKey(account);
  hook = service.receiver.hook();
  const registered = await service.world.request('POST', '/webhooks', { key, body: { url: hook.url, events: ['expense.created'] } });
  endpoint = registered.body.id;
  const expense = { amount: 5, date: '2026-03-01', category: 'rent' };
  await service.world.request('POST', '/expenses', { key, body: expense });
  await service.pipeline.fanOut(await service.pipeline.changes());
  const [record] = (await service.world.request('GET', `/webhooks/${endpoint}/events`, { key })).body.data;
  event = record.id;
});

describe('the response to the last failed attempt', () => {
  test('delivery.get and delivery.find show the last failed response with its content type and attempt', async () => {
    await attempt(text(422, '{"error":"unknown type"}', 'application/json'));
    const storedResponse = { run: 1, attempt: 1, content_type: 'application/json', body: '{"error":"unknown type"}' };
    expect(await lastResponse()).toEqual(storedResponse);
    const { deliveries } = await service.act('delivery.find', account, { event_id: event });
    expect(deliveries).toMatchObject([{ last_response: storedResponse }]);
  });

  test('the response to the last failed attempt replaces the previous one, and is null if no response came', async () => {
    await attempt(text(500, 'first'));
    await attempt(text(503, 'second'), 5);
    expect(await lastResponse()).toMatchObject({ attempt: 2, body: 'second' });
    await attempt('cut', 30);
    expect(await shown()).toMatchObject({ attempts: 3, last_error: 'no_response', last_response: null });
  });

  test("the response to the last failed attempt is null after a success, and a success's response is never stored", async () => {
    await attempt(text(500, 'failed'));
    await attempt(text(200, 'thank you'), 5);
    expect(await shown()).toMatchObject({ status: 'delivered', last_response: null });
    expect(JSON.stringify(await service.world.store.accountData.page(account, { kind: 'deliveryRecord', owner: endpoint }))).not.toContain(
      '"answer"',
    );
  });

  test('the response to the last failed attempt stays visible after a redelivery until an attempt of the new run ends', async () => {
    await attempt(text(500, 'of the first run'));
    await service.act('webhook.redeliver', account, { endpoint_id: endpoint, event_id: event });
    expect(await shown()).toMatchObject({ run: 2, attempts: 0, last_response: { run: 1, attempt: 1, body: 'of the first run' } });
    await attempt(text(500, 'of the second'));
    expect(await lastResponse()).toMatchObject({ run: 2, attempt: 1, body: 'of the second' });
  });

  test.each<[string, ReceiverResponse, string | null, string]>([
    ['1,000 bytes, up to a whole character', text(500, `x${'é'.repeat(700)}`), 'text/plain', `x${'é'.repeat(499)}`],
    ['markup as the text it is', text(500, '<script>alert(1)</script>', 'text/html'), 'text/html', '<script>alert(1)</script>'],
    ['a replacement for what is no UTF-8', text(500, Buffer.from([0x61, 0xff, 0x62])), 'text/plain', 'a\uFFFDb'],
    ['an empty body of no type', { status: 500, body: '' }, null, ''],
    ['a hundred characters of its type', text(500, 'x', `text/plain; x=${'y'.repeat(500)}`), `text/plain; x=${'y'.repeat(86)}`, 'x'],
  ])('the response to the last failed attempt is stored as %s', async (_name, receiverResponse, content_type, body) => {
    await attempt(receiverResponse);
    expect(await lastResponse()).toMatchObject({ content_type, body });
  });

  test('the response to the last failed attempt is in no log line, no response of the REST API and no index', async () => {
    await attempt(text(500, 'murmeltier'));
    expect(await lastResponse()).toMatchObject({ body: 'murmeltier' });
    expect(JSON.stringify(service.world.log)).not.toContain('murmeltier');
    const { data } = await service.act('delivery.list', account, { endpoint_id: endpoint, status: 'failed' });
    expect(JSON.stringify(data)).not.toContain('response');
  });
});

test('delivery.list names the record of each event, that of several endpoints and a failed one included', async () => {
  const named = async (status?: 'failed') => {
    const { data } = await service.act('delivery.list', account, { endpoint_id: endpoint, ...(status && { status }) });
    return data.map(({ record_id }: Record<string, unknown>) => record_id);
  };
  const key = await service.world.createKey(account);
  const create = async (): Promise<string> => {
    minutes(1);
    const body = { amount: 6, date: '2026-03-01', category: 'rent' };
    const { id } = (await service.world.request('POST', '/expenses', { key, body })).body;
    await service.pipeline.fanOut(await service.pipeline.changes());
    return id;
  };
  const [first] = await named();
  const second = await create();
  await service.world.request('POST', '/webhooks', { key, body: { url: service.receiver.hook().url, events: ['expense.created'] } });
  const third = await create();
  expect([await named(), first]).toEqual([[third, second, first], expect.stringMatching(/^exp_/)]);
  for (const waitMinutes of [0, 5, 30, 120, 720, 1440]) await attempt(503, waitMinutes);
  expect(await named('failed')).toEqual([third, second, first]);
});

test('delivery.list shows the last response of a receiver whose endpoint was then disabled', async () => {
  await attempt(503);
  await service.act('webhook.disable', account, { id: endpoint });
  await attempt(200, 5);
  for (const status of [{}, { status: 'failed' }]) {
    const { data } = await service.act('delivery.list', account, { endpoint_id: endpoint, ...status });
    expect(data).toMatchObject([{ attempts: 1, last_error: 'endpoint_disabled', last_status_code: null, last_response_code: 503 }]);
  }
});
