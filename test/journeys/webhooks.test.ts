import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../clients/typescript/src/index.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import type { Hook } from '../support/receiver.ts';
import { isSignedWith } from '../webhook-endpoints/signature.ts';

/** Shortens the retry schedule of 26.5 hours to about a second. */
const timeScale = 100_000;

let journey: Journey;
let merchant: Merchant;
let hook: Hook;
let endpoint: string;
let secret: string;
beforeAll(async () => {
  journey = await startJourney({ regions: ['us'], timeScale });
});
beforeEach(async () => {
  merchant = await journey.merchant();
  hook = journey.receiver.hook();
  ({ id: endpoint, secret } = await merchant.api.webhooks.create({ url: hook.url, events: ['expense.created'] }));
});
afterAll(() => journey.stop());

const write = async (): Promise<string> => (await merchant.api.expenses.create({ amount: 5, date: '2026-03-01', category: 'rent' })).id;
const read = () => merchant.api.webhooks.retrieve(endpoint);
const log = async (status?: Delivery['status']): Promise<readonly Delivery[]> =>
  (await merchant.api.webhooks.listEvents(endpoint, status === undefined ? {} : { status })).data;
const eventOf = (hook: Hook, i = 0) => JSON.parse(hook.requests[i]?.body.toString() ?? 'null');
const settled = async (status: Delivery['status'], count = 1): Promise<readonly [Delivery, ...Delivery[]]> => {
  const [first, ...others] = await eventually(
    () => log(status),
    (records) => records.length >= count,
  );
  if (!first) throw new Error('No record was asked for.');
  return [first, ...others];
};

describe('a receiver that fails', () => {
  test('gets five attempts on the retry schedule, with the same bytes and new signatures; then the delivery has failed', async () => {
    hook.answer(500);
    await write();
    const [record] = await settled('failed');
    expect(record).toMatchObject({
      id: eventOf(hook).id,
      attempts: 5,
      last_status_code: 500,
      last_error: 'http_error',
      next_retry_at: null,
      failed_at: record.last_attempt_at,
      delivered_at: null,
    });
    expect(hook.requests).toHaveLength(5);
    expect(new Set(hook.requests.map(({ body }) => body.toString())).size).toBe(1);
    const signed = hook.requests.map(({ headers, body }) => isSignedWith(secret, String(headers['x-webhook-signature']), body));
    expect(signed).toEqual(Array(5).fill(true));
    expect((await read()).delivery_stats).toMatchObject({
      success_count: 0,
      failure_count: 5,
      consecutive_failures: 5,
      last_success_at: null,
    });
  });

  test('and then succeeds gets the delivery, and its run of failures ends', async () => {
    hook.answer((count) => (count < 3 ? 503 : 204));
    await write();
    const [record] = await settled('delivered');
    expect(record).toMatchObject({ attempts: 2, last_status_code: 204, last_error: null, next_retry_at: null, failed_at: null });
    const { delivery_stats } = await eventually(read, ({ delivery_stats: { success_count } }) => success_count === 1);
    expect(delivery_stats).toMatchObject({ failure_count: 2, consecutive_failures: 0 });
  });
});

describe('ten failures in a row', () => {
  const failTen = async () => {
    hook.answer(500);
    await Promise.all([write(), write(), write()]);
    return eventually(read, ({ enabled }) => !enabled);
  };

  test('disable the endpoint: it gets no eleventh request, and pending deliveries fail with endpoint_disabled', async () => {
    expect(await failTen()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'consecutive_failures',
      delivery_stats: { failure_count: 10, consecutive_failures: 10, success_count: 0 },
    });
    const records = await settled('failed', 3);
    expect(records.filter(({ last_error }) => last_error === 'endpoint_disabled').length).toBeGreaterThan(0);
    expect(records.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(10);
    expect(hook.requests).toHaveLength(10);
  });
});

test('a retry after a rotation is signed with the new and the old secret', async () => {
  let rotated = '';
  hook.answer(async (count) => {
    if (count === 1) rotated = (await merchant.api.webhooks.rotateSecret(endpoint)).secret;
    return count === 1 ? 500 : 200;
  });
  await write();
  await settled('delivered');
  const [first, second] = hook.requests;
  if (!first || !second) throw new Error('Two attempts were expected.');
  const verifies = (one: typeof first, header: string, key: string) => isSignedWith(key, String(one.headers[header]), one.body);
  expect([
    verifies(first, 'x-webhook-signature', secret),
    first.headers['x-webhook-signature-previous'],
    verifies(second, 'x-webhook-signature', rotated),
    verifies(second, 'x-webhook-signature-previous', secret),
  ]).toEqual([true, undefined, true, true]);
});

describe('webhook.redeliver', () => {
  const redeliver = (event_id: string) => merchant.act('webhook.redeliver', { endpoint_id: endpoint, event_id });

  test('sends a failed event again with the same bytes, in a new run of the retry schedule', async () => {
    hook.answer((count) => (count < 7 ? 500 : 200));
    await write();
    const [failed] = await settled('failed');
    await redeliver(failed.id);
    const [record] = await settled('delivered');
    expect(record).toMatchObject({ id: failed.id, attempts: 1, failed_at: null, created_at: failed.created_at });
    expect(new Set(hook.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(hook.requests).toHaveLength(7);
  });
});
