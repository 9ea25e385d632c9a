import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Region, regions } from '../../shared/core/regions.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';

let journey: Journey;
const merchants = {} as Record<Region, Merchant>;
beforeAll(async () => {
  journey = await startJourney();
  for (const region of regions) merchants[region] = await journey.merchant(region);
});
afterAll(() => journey.stop());

const pairs = regions.flatMap((key) => regions.map((host) => [key, host] as const));
const foreign = pairs.filter(([key, host]) => key !== host);
const invalidKey = { error: { type: 'authentication_error', code: 'invalid_api_key', message: expect.any(String) } };
const expense = { amount: 5, date: '2026-03-01', category: 'rent' };

describe('regions', () => {
  /** On the port of all regions, chosen by Host. */
  const callByHost = (host: string, key: string) =>
    journey.request(`http://127.0.0.1:${journey.runtime.port}/api/v2/expenses`, 'GET', {
      key,
      headers: { host: `${host}:${journey.runtime.port}` },
    });

  test.each(pairs)('a key of %s at the host of %s', async (region, host) => {
    const { status, body } = await callByHost(`${host}.localhost`, merchants[region].key);
    expect([status, status === 200 || body]).toEqual(region === host ? [200, true] : [401, invalidKey]);
  });

  test.each(pairs)('a key of %s at the port of %s', async (region, host) => {
    const { key } = merchants[region];
    const { status, body } = await journey.request(`${journey.runtime.urls[host]}/api/v2/expenses`, 'GET', { key });
    expect([status, status === 200 || body]).toEqual(region === host ? [200, true] : [401, invalidKey]);
  });

  test.each(foreign)('a key of %s whose region segment is rewritten to %s is unknown', async (region, host) => {
    const key = merchants[region].key.replace(`_${region}_`, `_${host}_`);
    const { status, body } = await journey.request(`${journey.runtime.urls[host]}/api/v2/expenses`, 'GET', { key });
    expect([status, body]).toEqual([401, invalidKey]);
  });

  test.each(foreign)('at the port of %s the host of %s is refused, whichever key', async (port, host) => {
    for (const key of [merchants[port].key, merchants[host].key]) {
      const { status, body } = await journey.request(`${journey.runtime.urls[port]}/api/v2/expenses`, 'GET', {
        key,
        headers: { host: `${host}.localhost` },
      });
      expect([status, body]).toEqual([401, invalidKey]);
    }
  });

  test('bare localhost is the first region', async () => {
    const statuses = await Promise.all(regions.map(async (region) => (await callByHost('localhost', merchants[region].key)).status));
    expect(statuses).toEqual(regions.map((_, i) => (i === 0 ? 200 : 401)));
  });

  test('an account of one region is not there in another', async () => {
    for (const [region, other] of foreign) {
      const answer = await journey.runtime.invokeAction(other, { action: 'account.get', account: merchants[region].account });
      expect(answer).toMatchObject({ ok: false, status: 404 });
    }
  });

  test('what is written in one region is seen and heard of in that region alone', async () => {
    const hooks = Object.fromEntries(regions.map((region) => [region, journey.receiver.hook()]));
    for (const region of regions)
      await merchants[region].call('POST', '/webhooks', { url: hooks[region]?.url, events: ['expense.created'] });
    const ids: Partial<Record<Region, string>> = {};
    for (const region of regions) ids[region] = (await merchants[region].call('POST', '/expenses', expense)).body.id;
    for (const region of regions) {
      await eventually(
        () => hooks[region]?.requests.length ?? 0,
        (count) => count > 0,
      );
      const heard = hooks[region]?.requests.map(({ body }) => JSON.parse(body.toString()));
      expect(heard?.map(({ tenant_id, data }) => [tenant_id, data.object.id])).toEqual([[merchants[region].account, ids[region]]]);
      expect((await merchants[region].call('GET', '/expenses')).body.data.map(({ id }: { id: string }) => id)).toEqual([ids[region]]);
    }
  });

  test('each region opens accounts in its own currency', async () => {
    const currencies = await Promise.all(regions.map(async (region) => (await merchants[region].act('account.get')).currency));
    expect(currencies).toEqual(regions.map((region) => ({ us: 'USD', au: 'AUD', eu: 'EUR' })[region]));
  });
});

describe('accounts of one region', () => {
  let owner: Merchant;
  let stranger: Merchant;
  let endpoint: string;
  let expenseId: string;
  beforeAll(async () => {
    [owner, stranger] = [await journey.merchant(), await journey.merchant()];
    endpoint = (await owner.call('POST', '/webhooks', { url: 'http://127.0.0.1:1/', events: ['order.created'] })).body.id;
    expenseId = (await owner.call('POST', '/expenses', expense)).body.id;
  });

  const notFound = { error: { type: 'not_found', code: 'not_found', message: expect.any(String) } };

  test.each([
    ['GET', () => `/expenses/${expenseId}`],
    ['GET', () => `/webhooks/${endpoint}`],
    ['PATCH', () => `/webhooks/${endpoint}`],
    ['DELETE', () => `/webhooks/${endpoint}`],
    ['POST', () => `/webhooks/${endpoint}/rotate-secret`],
    ['POST', () => `/webhooks/${endpoint}/test`],
    ['GET', () => `/webhooks/${endpoint}/events`],
  ] as const)("%s of another account's record is the 404 of one that never was (%#)", async (method, path) => {
    const body = method === 'PATCH' ? { enabled: false } : undefined;
    const theirs = await stranger.call(method, path(), body);
    const nobodys = await stranger.call(method, path().replace(/_[0-9a-z]{26}/, `_${'0'.repeat(26)}`), body);
    expect([theirs.status, theirs.body, theirs.text]).toEqual([404, notFound, nobodys.text]);
  });

  test('the owner finds everything as it was', async () => {
    const { status, body } = await owner.call('GET', `/webhooks/${endpoint}`);
    expect([status, body.enabled, body.created_at]).toEqual([200, true, body.updated_at]);
    expect((await owner.call('GET', `/expenses/${expenseId}`)).status).toBe(200);
  });

  test.each(['/expenses', '/webhooks'])('GET %s shows nothing of the other, nor takes its cursor', async (path) => {
    await owner.call('POST', path, path === '/expenses' ? expense : { url: 'http://127.0.0.1:2/', events: ['order.created'] });
    const { next_cursor } = (await owner.call('GET', `${path}?limit=1`)).body.pagination;
    const list = await stranger.call('GET', path);
    const page = await stranger.call('GET', `${path}?cursor=${next_cursor}`);
    expect([list.body.data, page.status, page.body.error.code]).toEqual([[], 400, 'invalid_cursor']);
  });

  test('one Idempotency-Key serves both, each with its own response', async () => {
    const send = (merchant: Merchant) =>
      journey.request(`${journey.runtime.urls.us}/api/v2/expenses`, 'POST', {
        key: merchant.key,
        body: expense,
        headers: { 'idempotency-key': 'shared' },
      });
    const [one, two] = [await send(owner), await send(stranger)];
    expect([one.status, two.status, two.headers['idempotent-replayed'], one.body.id === two.body.id]).toEqual([201, 201, undefined, false]);
  });

  test("an endpoint hears nothing of the other account's expenses", async () => {
    const [mine, theirs] = [journey.receiver.hook(), journey.receiver.hook()];
    await owner.call('POST', '/webhooks', { url: mine.url, events: ['expense.created'] });
    await stranger.call('POST', '/webhooks', { url: theirs.url, events: ['expense.created'] });
    const { body } = await stranger.call('POST', '/expenses', expense);
    await owner.call('POST', '/expenses', expense);
    await eventually(
      () => mine.requests.length,
      (count) => count > 0,
    );
    await eventually(
      () => theirs.requests.length,
      (count) => count > 0,
    );
    const heard = [mine, theirs].map(({ requests }) => requests.map((one) => JSON.parse(one.body.toString()).data.object.id));
    expect([heard[0]?.includes(body.id), heard[1]]).toEqual([false, [body.id]]);
  });

  test('rate buckets are apart: one that is used up leaves the other alone', async () => {
    // More than two windows take, as a minute may end among them.
    const answers = await Promise.all(Array.from({ length: 201 }, () => owner.call('DELETE', '/webhooks/whe_none')));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
    expect((await stranger.call('DELETE', '/webhooks/whe_none')).status).toBe(404);
  });
});
