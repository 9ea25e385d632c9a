import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../clients/typescript/src/index.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import type { Hook } from '../support/receiver.ts';
import { isSignedWith } from '../webhook-endpoints/signature.ts';

/** The retry schedule of 26.5 hours in about a second. */
const timeScale = 100_000;

let journey: Journey;
let merchant: Merchant;
let hook: Hook;
let endpoint: string;
let secret: string;
/** Lets a receiver that hangs answer. */
let release = () => {};
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
  test('gets five attempts down the retry schedule, the same bytes each time, each signed anew; then the delivery has failed', async () => {
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

  test('and then answers has the delivery, and its run of failures is over', async () => {
    hook.answer((count) => (count < 3 ? 503 : 204));
    await write();
    const [record] = await settled('delivered');
    expect(record).toMatchObject({ attempts: 2, last_status_code: 204, last_error: null, next_retry_at: null, failed_at: null });
    const { delivery_stats } = await eventually(read, ({ delivery_stats: { success_count } }) => success_count === 1);
    expect(delivery_stats).toMatchObject({ failure_count: 2, consecutive_failures: 0 });
  });

  test.each([
    [302, 'redirect_not_followed', 302],
    [404, 'http_error', 404],
    ['cut', 'no_response', null],
  ] as const)('with %s is noted as %s', async (answer, last_error, last_status_code) => {
    const rest = new Promise<200>((resolve) => {
      release = () => resolve(200);
    });
    hook.answer((count) => (count === 1 ? answer : rest));
    await write();
    const [record] = await eventually(
      () => log(),
      ([one]) => one?.attempts === 1,
    );
    expect(record).toMatchObject({ status: 'pending', last_error, last_status_code, next_retry_at: expect.any(String), failed_at: null });
    release();
  });

  test('holds up no other endpoint of the account', async () => {
    const answer = new Promise<200>((resolve) => {
      release = () => resolve(200);
    });
    hook.answer(() => answer);
    const other = journey.receiver.hook();
    await merchant.api.webhooks.create({ url: other.url, events: ['expense.created'] });
    await write();
    await eventually(
      () => other.requests.length + hook.requests.length,
      (count) => count === 2,
    );
    expect(eventOf(other)).toEqual(eventOf(hook));
    release();
    await settled('delivered');
  });
});

describe('ten failures in a row', () => {
  const failTen = async () => {
    hook.answer(500);
    await Promise.all([write(), write(), write()]);
    return eventually(read, ({ enabled }) => !enabled);
  };

  test('disable the endpoint: it is sent no eleventh request, and what was pending fails as endpoint_disabled', async () => {
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

  test('PATCH enabled brings it back: what happens then is delivered, what happened before is not', async () => {
    await failTen();
    await settled('failed', 3);
    const missed = await write();
    expect(await merchant.api.webhooks.update(endpoint, { enabled: true })).toMatchObject({
      status: 'active',
      disabled_reason: null,
      delivery_stats: { consecutive_failures: 0, failure_count: 10 },
    });
    hook.answer(200);
    const next = await write();
    await settled('delivered');
    const heard = hook.requests.slice(10).map(({ body }) => JSON.parse(body.toString()).data.object.id);
    expect([heard, heard.includes(missed), (await log()).length]).toEqual([[next], false, 4]);
  });
});

describe('a disabled endpoint', () => {
  test('leaves no record of what happens meanwhile', async () => {
    await merchant.api.webhooks.update(endpoint, { enabled: false });
    const witness = journey.receiver.hook();
    await merchant.api.webhooks.create({ url: witness.url, events: ['expense.created'] });
    await write();
    await eventually(
      () => witness.requests.length,
      (count) => count === 1,
    );
    expect([await log(), hook.requests]).toEqual([[], []]);
  });

  test('has its pending delivery marked failed when the retry falls due, without a request', async () => {
    let disable = async () => {};
    hook.answer(async () => {
      await disable();
      return 500;
    });
    disable = async () => void (await merchant.api.webhooks.update(endpoint, { enabled: false }));
    await write();
    const [record] = await settled('failed');
    expect(record).toMatchObject({ attempts: 1, last_error: 'endpoint_disabled', last_status_code: null, next_retry_at: null });
    expect(hook.requests).toHaveLength(1);
  });
});

test('a deleted endpoint gets nothing more, its pending retry included', async () => {
  hook.answer(async () => {
    await merchant.api.webhooks.delete(endpoint);
    return 500;
  });
  const witness = journey.receiver.hook();
  await merchant.api.webhooks.create({ url: witness.url, events: ['expense.created'] });
  await write();
  await eventually(
    () => witness.requests.length,
    (count) => count === 1,
  );
  witness.answer((count) => (count < 6 ? 500 : 200)); // its whole retry schedule passes after the other's would have begun
  await write();
  await eventually(
    () => witness.requests.length,
    (count) => count >= 5,
  );
  expect(hook.requests).toHaveLength(1);
  await expect(log()).rejects.toMatchObject({ status: 404 });
});

test('an endpoint hears of the types it subscribes to and of no others, from the change on', async () => {
  const updates = journey.receiver.hook();
  const { id: other } = await merchant.api.webhooks.create({ url: updates.url, events: ['order.created'] });
  const id = await write();
  await settled('delivered');
  await merchant.api.webhooks.update(other, { events: ['expense.updated'] });
  await merchant.act('expense.update', { id, amount: 9 });
  await eventually(
    () => updates.requests.length,
    (count) => count === 1,
  );
  expect([eventOf(updates).type, hook.requests.length]).toEqual(['expense.updated', 1]);
});

test('a PATCH of the URL moves the next delivery', async () => {
  const next = journey.receiver.hook();
  await merchant.api.webhooks.update(endpoint, { url: next.url });
  await write();
  await settled('delivered');
  expect([hook.requests.length, next.requests.length]).toEqual([0, 1]);
});

test('a retry after a rotation is signed with the new secret, and with the old one beside it', async () => {
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

  test('delivers a failed event again, the same bytes, on a new run of the retry schedule', async () => {
    hook.answer((count) => (count < 7 ? 500 : 200));
    await write();
    const [failed] = await settled('failed');
    await redeliver(failed.id);
    const [record] = await settled('delivered');
    expect(record).toMatchObject({ id: failed.id, attempts: 1, failed_at: null, created_at: failed.created_at });
    expect(new Set(hook.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(hook.requests).toHaveLength(7);
  });

  test('is refused with 409 while the endpoint is disabled', async () => {
    await write();
    const [delivered] = await settled('delivered');
    await merchant.api.webhooks.update(endpoint, { enabled: false });
    await expect(redeliver(delivered.id)).rejects.toThrow('"conflict"');
  });
});

test('a webhook test over HTTP reaches the receiver and answers with its outcome', async () => {
  hook.answer(418);
  const outcome = await merchant.api.webhooks.test(endpoint);
  expect(outcome).toEqual({ success: false, status_code: 418, response_time_ms: expect.any(Number), error: 'http_error' });
  expect([eventOf(hook).type, await log(), (await read()).delivery_stats.failure_count]).toEqual(['webhook.test', [], 0]);
});
