import { expect, test } from '@jest/globals';
import type { Delivery, Endpoint, Invoke, Read } from '../../pages/developers/src/contract.ts';
import { deliveryFeed } from '../../pages/developers/src/deliveries/feed.ts';

const everything = { endpoint: '', status: '', type: '', id: '', sinceMs: null, untilMs: null };
const endpoint = (id: string) => ({ id }) as Endpoint;
const delivery = (id: string, minute: number) =>
  ({ id, type: 'order.created', created_at: new Date(minute * 60_000).toISOString() }) as Delivery;

/** A host with pages of deliveries for each endpoint. It rejects the given calls. */
const hostOf = (pages: Readonly<Record<string, readonly (readonly Delivery[])[]>>, rejectedCalls: Set<string>): Read => {
  const invoke: Invoke = async (_action, { endpoint_id, cursor = '0' }) => {
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
  const next = deliveryFeed(hostOf(pages, rejectedCalls), [endpoint('a'), endpoint('b')], everything);
  await expect(next(4)).rejects.toThrow('Refused.');
  await expect(next(4)).rejects.toThrow('Refused.');
  const { rows } = await next(4);
  expect(rows.map(({ id }) => id)).toEqual(['a1', 'b1', 'a2', 'b2']);
  expect((await next(4)).rows.map(({ id }) => id)).toEqual(['a3']);
});

test('a period leaves the deliveries from its beginning to before its end', async () => {
  const pages = { a: [[delivery('a1', 9), delivery('a2', 7)], [delivery('a3', 3), delivery('a4', 1)], [delivery('a5', 0)]] };
  const period = { sinceMs: 3 * 60_000, untilMs: 9 * 60_000 };
  const { rows, more } = await deliveryFeed(hostOf(pages, new Set()), [endpoint('a')], { ...everything, ...period })(4);
  expect([rows.map(({ id }) => id), more]).toEqual([['a2', 'a3'], false]);
});
