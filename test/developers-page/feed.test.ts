import { expect, test } from '@jest/globals';
import type { Delivery, Endpoint, Invoke, Read } from '../../pages/developers/src/contract.ts';
import { deliveryFeed } from '../../pages/developers/src/deliveries/feed.ts';
import { lastDayOf, readDayLogs, refreshDayLogs } from '../../pages/developers/src/webhooks/last-day.ts';

const everything = { endpoint: '', status: '', type: '', id: '', sinceMs: null, untilMs: null };
const endpoint = (id: string) => ({ id }) as Endpoint;
const delivery = (id: string, minute: number) =>
  ({ id, type: 'order.created', created_at: new Date(minute * 60_000).toISOString() }) as Delivery;

/** A host with pages of deliveries for each endpoint. It rejects the given calls and notes all others. */
const hostOf = (
  pages: Readonly<Record<string, readonly (readonly Delivery[])[]>>,
  rejectedCalls = new Set<string>(),
  calls: string[] = [],
): Read => {
  const invoke: Invoke = async (_action, { endpoint_id, cursor = '0' }) => {
    calls.push(`${endpoint_id} ${cursor}`);
    if (rejectedCalls.delete(`${endpoint_id} ${cursor}`)) throw new Error('Refused.');
    const at = Number(cursor);
    const next = at + 1 < (pages[String(endpoint_id)]?.length ?? 0) ? String(at + 1) : null;
    return { data: pages[String(endpoint_id)]?.[at] ?? [], pagination: { has_more: next !== null, next_cursor: next } };
  };
  return invoke as Read;
};

test('if a read fails half way, the next read continues there, and loses and repeats nothing', async () => {
  const pages = { a: [[delivery('a1', 9), delivery('a2', 7)], [delivery('a3', 3)]], b: [[delivery('b1', 8)], [delivery('b2', 5)]] };
  const rejectedCalls = new Set(['a 1', 'b 1']);
  const { next } = deliveryFeed(hostOf(pages, rejectedCalls), [endpoint('a'), endpoint('b')], everything);
  await expect(next(4)).rejects.toThrow('Refused.');
  await expect(next(4)).rejects.toThrow('Refused.');
  const { rows } = await next(4);
  expect(rows.map(({ id }) => id)).toEqual(['a1', 'b1', 'a2', 'b2']);
  expect((await next(4)).rows.map(({ id }) => id)).toEqual(['a3']);
});

test('a period leaves the deliveries from its beginning to before its end', async () => {
  const pages = { a: [[delivery('a1', 9), delivery('a2', 7)], [delivery('a3', 3), delivery('a4', 1)], [delivery('a5', 0)]] };
  const period = { sinceMs: 3 * 60_000, untilMs: 9 * 60_000 };
  const { rows, more } = await deliveryFeed(hostOf(pages), [endpoint('a')], { ...everything, ...period }).next(4);
  expect([rows.map(({ id }) => id), more]).toEqual([['a2', 'a3'], false]);
});

/** An endpoint's log of deliveries, newest first, that others are put before, in pages of two with cursors that stay where they were. */
const growingLog = (count: number) => {
  const log = Array.from({ length: count }, (_, at) => delivery(`evt${count - at}`, count - at));
  const calls: string[] = [];
  const read = (async (_action: string, { endpoint_id, cursor }: Readonly<Record<string, unknown>>) => {
    calls.push(String(endpoint_id));
    const at = cursor === undefined ? 0 : log.findIndex(({ id }) => id === cursor) + 1;
    const data = log.slice(at, at + 2);
    const has_more = at + 2 < log.length;
    return { data, pagination: { has_more, next_cursor: has_more ? data.at(-1)?.id : null } };
  }) as unknown as Read;
  /** Changes the delivery of a minute. */
  const change = (minute: number, fields: Partial<Delivery>) => {
    const at = log.length - minute;
    log[at] = { ...(log[at] as Delivery), ...fields };
  };
  return { log, calls, read, change };
};

test('a search that is refreshed takes at most two calls an endpoint, and still shows each new delivery and status', async () => {
  const { log, calls, read, change } = growingLog(18);
  for (const minute of [17, 9, 2]) change(minute, { record_id: 'ord_1', status: 'pending' });
  const feed = deliveryFeed(read, [endpoint('a'), endpoint('b')], { ...everything, id: 'ord_1' });
  let page = await feed.next(50);
  const shown = () =>
    page.rows.filter((row) => row.endpoint.id === 'a').map(({ created_at, status }) => `${Date.parse(created_at) / 60_000} ${status}`);
  expect([shown(), page.more]).toEqual([['17 pending', '9 pending', '2 pending'], false]);
  expect(calls.length).toBe(18);

  const refresh = async () => {
    calls.length = 0;
    const update = await feed.refresh(page);
    if (update) page = update(page);
    expect(calls.length).toBeLessThanOrEqual(4);
    return update !== undefined;
  };
  log.unshift(delivery('evt19', 19));
  change(19, { record_id: 'ord_1', status: 'pending' });
  change(9, { status: 'failed' });
  await refresh();
  expect(shown()).toEqual(['19 pending', '17 pending', '9 pending', '2 pending']);
  for (const minute of [19, 17, 2]) change(minute, { status: 'delivered' });
  for (let turns = 0; turns < 3; turns++) await refresh();
  expect(shown()).toEqual(['19 delivered', '17 delivered', '9 failed', '2 delivered']);

  // More new deliveries than a page has: some may be missing.
  for (const minute of [20, 21, 22]) log.unshift(delivery(`evt${minute}`, minute));
  expect(await refresh()).toBe(false);
});

test('a search shows what it found before the oldest delivery that it has read at each endpoint', async () => {
  const [found, other] = [growingLog(4), growingLog(40)];
  found.change(4, { record_id: 'ord_1', created_at: new Date(39 * 60_000).toISOString() });
  const read = ((...call: Parameters<Read>) => (call[1]['endpoint_id'] === 'a' ? found : other).read(...call)) as Read;
  const { rows, more } = await deliveryFeed(read, [endpoint('a'), endpoint('b')], { ...everything, id: 'ord_1' }).next(50);
  expect([rows.map(({ id }) => id), more]).toEqual([['evt4'], true]);
});

test('the chart of the last day is refreshed with at most two calls, and counts each new delivery and outcome', async () => {
  const { log, calls, read, change } = growingLog(8);
  for (let minute = 1; minute <= 8; minute++) change(minute, { status: 'delivered', attempts: 1 });
  change(3, { status: 'pending', attempts: 1 });
  const nowMs = 10 * 60_000;
  let logs = await readDayLogs(read, [endpoint('a')], nowMs);
  const counts = () => {
    const { startMs, ...outcomes } = lastDayOf(logs, nowMs).hours[23] ?? { startMs: 0 };
    return { ...outcomes, rate: lastDayOf(logs, nowMs).rates.get('a') };
  };
  expect(counts()).toEqual({ delivered: 0, retried: 8, failed: 0, rate: 1 });
  log.unshift({ ...delivery('evt9', 9), status: 'delivered', attempts: 0 });
  change(3, { status: 'failed' });
  for (let turns = 0; turns < 4; turns++) {
    calls.length = 0;
    logs = (await refreshDayLogs(logs)) ?? [];
    expect(calls.length).toBeLessThanOrEqual(2);
  }
  expect(counts()).toEqual({ delivered: 1, retried: 7, failed: 1, rate: 8 / 9 });
});
