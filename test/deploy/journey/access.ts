import assert from 'node:assert/strict';
import type { Region } from '../../../shared/core/config.ts';
import type { HttpResponse } from '../../support/http.ts';
import type { Emulator } from '../emulator.ts';
import { requestAt } from '../http.ts';
import type { Shop } from './shop.ts';

const statusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body?.error?.code];

/** Requests without a key, and headers of every response. */
export const checkEdges = async ({ check, visit, call, publishableKey }: Shop): Promise<void> => {
  await check('404, 410 and 401 are answered as specified, with a request id each', async () => {
    const responses = [await visit('GET', '/nowhere'), await visit('GET', '/api/v1/orders'), await visit('GET', '/api/v2/expenses')];
    assert.deepEqual(responses.map(statusAndCode), [
      [404, 'not_found'],
      [410, 'api_version_deprecated'],
      [401, 'invalid_api_key'],
    ]);
    const ids = responses.map(({ headers }) => headers['x-request-id']);
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.match(String(id), /^\S{8,}$/);
  });
  await check('a browser key reads reference data and availability with CORS headers, and no expenses', async () => {
    const categories = await call('GET', '/reference/expense-categories', undefined, { key: publishableKey });
    assert.deepEqual([categories.status, categories.body.expense_categories.length], [200, 19]);
    assert.equal(categories.headers['access-control-allow-origin'], '*');
    const days = await call('GET', '/availability?from=2030-03-01&to=2030-03-03', undefined, { key: publishableKey });
    assert.deepEqual(
      days.body.availability.map(({ date, bookable }: { date: string; bookable: boolean }) => [date, bookable]),
      [
        ['2030-03-01', true],
        ['2030-03-02', true],
        ['2030-03-03', true],
      ],
    );
    const rejected = await call('GET', '/expenses', undefined, { key: publishableKey });
    assert.deepEqual(statusAndCode(rejected), [403, 'publishable_key_not_allowed']);
  });
};

/** A key works only in its own region; a request for another region's host fails. */
export const checkRegions = async (shops: readonly Shop[], urls: Readonly<Record<Region, string>>, emulator: Emulator): Promise<void> => {
  const request = requestAt(emulator);
  for (const { region, secretKey: key, check, call } of shops) {
    const others = (Object.keys(urls) as Region[]).filter((other) => other !== region);
    await check(`its key is refused by ${others.join(' and ')}`, async () => {
      assert.equal((await call('GET', '/webhooks')).status, 200);
      for (const other of others)
        assert.deepEqual(statusAndCode(await request('GET', `${urls[other]}/api/v2/webhooks`, { key })), [401, 'invalid_api_key']);
    });
    await check("its key is refused under another region's host name", async () => {
      // The API's id is in the path, so the Host header can be any name.
      const [id] = new URL(urls[region]).host.split('.');
      const url = `${emulator.url}/_aws/execute-api/${id}/$default/api/v2/webhooks`;
      const under = (host: string) => request('GET', url, { key, headers: { host } });
      assert.equal((await under(`${region}.api.example.com`)).status, 200);
      assert.deepEqual(statusAndCode(await under(`${others[0]}.api.example.com`)), [401, 'invalid_api_key']);
    });
  }
};
