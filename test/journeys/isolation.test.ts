import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Region, regions } from '../../shared/core/config.ts';
import { eventually, type Merchant, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';

// Guarantee 12 (docs/guarantees.md)

const journey = shared(startJourney);
const merchants = {} as Record<Region, Merchant>;
beforeAll(async () => {
  for (const region of regions) merchants[region] = await journey.merchant(region);
});

const pairs = regions.flatMap((key) => regions.map((host) => [key, host] as const));
const foreign = pairs.filter(([key, host]) => key !== host);
const invalidKey = { error: { type: 'authentication_error', code: 'invalid_api_key', message: expect.any(String) } };
const expense = { amount: 5, date: '2026-03-01', category: 'rent' };

describe('regions', () => {
  /** Calls the port that serves all regions. The Host header selects the region. */
  const callByHost = (host: string, key: string) =>
    journey.request(`http://127.0.0.1:${journey.runtime.port}/api/v2/expenses`, 'GET', {
      key,
      headers: { host: `${host}:${journey.runtime.port}` },
    });

  test.each(pairs)('a key of %s at the host of %s gets the documented response', async (region, host) => {
    const { status, body } = await callByHost(`${host}.localhost`, merchants[region].key);
    expect([status, status === 200 || body]).toEqual(region === host ? [200, true] : [401, invalidKey]);
  });

  test.each(pairs)('a key of %s at the port of %s gets the documented response', async (region, host) => {
    const { key } = merchants[region];
    const { status, body } = await journey.request(`${journey.runtime.urls[host]}/api/v2/expenses`, 'GET', { key });
    expect([status, status === 200 || body]).toEqual(region === host ? [200, true] : [401, invalidKey]);
  });

  test.each(foreign)('a key of %s with its region segment rewritten to %s is unknown', async (region, host) => {
    const key = merchants[region].key.replace(`_${region}_`, `_${host}_`);
    const { status, body } = await journey.request(`${journey.runtime.urls[host]}/api/v2/expenses`, 'GET', { key });
    expect([status, body]).toEqual([401, invalidKey]);
  });

  test.each(foreign)('the port of %s rejects the host of %s for every key', async (port, host) => {
    for (const key of [merchants[port].key, merchants[host].key]) {
      const { status, body } = await journey.request(`${journey.runtime.urls[port]}/api/v2/expenses`, 'GET', {
        key,
        headers: { host: `${host}.localhost` },
      });
      expect([status, body]).toEqual([401, invalidKey]);
    }
  });

  test('the host localhost is the first region', async () => {
    const statuses = await Promise.all(regions.map(async (region) => (await callByHost('localhost', merchants[region].key)).status));
    expect(statuses).toEqual(regions.map((_, i) => (i === 0 ? 200 : 401)));
  });

  test('an account of one region does not exist in another', async () => {
    for (const [region, other] of foreign) {
      const response = await journey.runtime.invokeAction(other, { action: 'account.get', account: merchants[region].account });
      expect(response).toMatchObject({ ok: false, status: 404 });
    }
  });

  test('a record of one region is visible and sends events only in that region', async () => {
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
      const events = hooks[region]?.requests.map(({ body }) => JSON.parse(body.toString()));
      expect(events?.map(({ tenant_id, data }) => [tenant_id, data.object.id])).toEqual([[merchants[region].account, ids[region]]]);
      expect((await merchants[region].call('GET', '/expenses')).body.data.map(({ id }: { id: string }) => id)).toEqual([ids[region]]);
    }
  });
});
