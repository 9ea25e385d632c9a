import { beforeEach, expect, test } from '@jest/globals';
import type { RequestSearch } from '../../shared/providers/request-line.ts';
import { connectRequestLog } from '../../shared/providers/request-log.ts';
import { shared } from '../support/shared.ts';
import { credentials, startApiServer } from './api-server.ts';

const api = shared(startApiServer);

let nowMs = 0;
beforeEach(() => {
  nowMs = Date.parse('2026-03-10T09:00:00Z');
});
/** A clock that only waits advance. */
const clock = {
  now: () => nowMs,
  async sleep(ms: number) {
    nowMs += ms;
  },
};
const log = () => connectRequestLog({ logGroup: '/logs/api', clock, client: { endpoint: api.endpoint, region: 'us-east-1', credentials } });
const search: RequestSearch = { account: 'acct_1', sinceMs: 1_000, untilMs: 2_500, limit: 51 };
const started = { body: { queryId: 'query-1' } };
const running = { body: { status: 'Running', results: [] } };
const complete = (...rows: Record<string, string>[]) => ({
  body: { status: 'Complete', results: rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))) },
});
const lineOf = {
  rid: 'req-1',
  op: 'getOrder',
  status: 404,
  code: 'not_found',
  ms: 12,
  key: 'key_1',
  account: 'acct_1',
};
const row = (line: object, at = '1970-01-01 00:00:02.000') => ({ '@timestamp': at, '@message': `${JSON.stringify(line)}\n`, '@ptr': 'x' });
/** Operation and body of each call since the script started. */
const calls = () => api.calls.map(({ headers, body }) => [String(headers['x-amz-target']).split('.')[1], JSON.parse(body)] as const);

test("a search reads one account's entries through the index, newest first, and waits until the query ends", async () => {
  api.script(started, running, complete(row(lineOf)));
  expect(await log().search(search)).toEqual([
    { atMs: 2000, rid: 'req-1', op: 'getOrder', status: 404, code: 'not_found', field: null, ms: 12, key: 'key_1' },
  ]);
  const [[operation, query] = []] = calls();
  expect([operation, query]).toEqual([
    'StartQuery',
    { logGroupName: '/logs/api', startTime: 1, endTime: 3, queryString: expect.stringContaining('| filterIndex account = "acct_1" |') },
  ]);
  expect(query.queryString).toMatch(/ >= 1000 \| .* <= 2500 \| sort @timestamp desc \| limit 51$/);
});

test.each<[string, Record<string, string>]>([
  ['of another account', row({ ...lineOf, account: 'acct_2' })],
  ['of another time', row(lineOf, '1970-01-01 00:00:02.501')],
  ['with another status', row({ ...lineOf, status: 200 })],
  ['of another key', row({ ...lineOf, key: 'key_2' })],
  ['with another request id', row({ ...lineOf, rid: 'req-2' })],
  ['of no operation', row({ ...lineOf, op: undefined })],
  ['that Lambda wrote', { ...row(lineOf), '@message': 'REPORT RequestId: 1 Duration: 2 ms' }],
])('a line %s is not shown, also if the query returns it', async (_, other) => {
  api.script(started, complete(other, row(lineOf)));
  const found = await log().search({ ...search, statuses: [400, 499], key: 'key_1', requestId: 'req-1' });
  expect(found).toEqual([expect.objectContaining({ rid: 'req-1', status: 404, atMs: 2000 })]);
});

test('a filter is part of the query, and its value cannot end the quotation marks', async () => {
  api.script(started, complete());
  await log().search({ ...search, statuses: [400, 499], key: 'key_1', requestId: 'a" or "b' });
  const [[, query] = []] = calls();
  expect(query.queryString).toContain('filterIndex rid = "a or b"');
  expect(query.queryString).toContain('filter status >= 400 and status <= 499');
  expect(query.queryString).toContain('filter key = "key_1"');
});

const rejected = (__type: string, message = 'too many') => ({ status: 400, body: { __type, message } });

test.each(['LimitExceededException', 'ThrottlingException'])('%s at the start of a query is `busy`', async (type) => {
  api.script(rejected(type));
  expect(await log().search(search)).toBe('busy');
});

test('a throttled read of the results is repeated', async () => {
  const throttled = rejected('ThrottlingException');
  api.script(started, throttled, throttled, throttled, complete());
  expect(await log().search(search)).toEqual([]);
});

test("a range before the log group's creation or its retention has no requests", async () => {
  api.script(
    rejected(
      'MalformedQueryException',
      'The end date is either before the log groups creation time or exceeds the log groups log retention',
    ),
  );
  expect(await log().search(search)).toEqual([]);
});

test('a search that takes 25 s is stopped', async () => {
  api.script(started, running);
  expect(await log().search(search)).toBe('late');
  expect(calls().at(-1)).toEqual(['StopQuery', { queryId: 'query-1' }]);
});

test('a search that fails is an error', async () => {
  api.script(started, { body: { status: 'Failed' } });
  await expect(log().search(search)).rejects.toThrow('Failed');
});
