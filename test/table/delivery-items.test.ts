import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deliveryStatuses } from '../../shared/domain/webhook/record.ts';
import { decodeBody, deflateIfShort, dueEntry, duePartition, statusEntry } from '../../shared/table/delivery-items.ts';
import { dueIndex, dueShards, indexKeys } from '../../shared/table/schema.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.500Z');
const dayMs = 86_400_000;

describe('the due index', () => {
  const keys = indexKeys(dueIndex);
  const shards = Array.from({ length: dueShards }, (_, shard) => duePartition(shard));
  const dueEntryOf = (endpoint: string, event: string, atMs = nowMs) => dueEntry({ account: 'acct_1', endpoint, event }, atMs);
  const shardOf = (endpoint: string, event: string) => dueEntryOf(endpoint, event)[keys.pk];

  test('a due delivery is in one of the partitions that the sweep reads, by the time at which it is due', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (endpoint, event) => {
        expect(shards).toContain(shardOf(endpoint, event));
      }),
    );
    expect(dueEntryOf('whe_1', 'evt_1')[keys.sk]).toBe('2026-03-10T09:00:00.500Z');
    expect(dueEntryOf('whe_1', 'evt_1', nowMs + dayMs)[keys.pk]).toBe(shardOf('whe_1', 'evt_1'));
  });

  test('the events of an endpoint, and the deliveries of an event, are spread over all partitions', () => {
    const many = Array.from({ length: 200 }, (_, i) => i);
    expect(new Set(shards).size).toBe(dueShards);
    expect(new Set(many.map((i) => shardOf('whe_1', `evt_${i}`))).size).toBe(dueShards);
    expect(new Set(many.map((i) => shardOf(`whe_${i}`, 'evt_1'))).size).toBe(dueShards);
  });
});

test('the status index tells accounts, endpoints and statuses apart, and sorts by event', () => {
  const entry = (account: string, endpoint: string, status: (typeof deliveryStatuses)[number], event = 'evt_1') =>
    Object.values(statusEntry({ account, endpoint, event }, status));
  const partitions = ['acct_1', 'acct_2'].flatMap((account) =>
    ['whe_1', 'whe_2'].flatMap((endpoint) => deliveryStatuses.map((status) => entry(account, endpoint, status)[0])),
  );
  expect(new Set(partitions).size).toBe(12);
  const positions = ['evt_3', 'evt_1', 'evt_2'].map((event) => String(entry('acct_1', 'whe_1', 'failed', event)[1]));
  expect(positions.toSorted().map((position) => position.slice(-5))).toEqual(['evt_1', 'evt_2', 'evt_3']);
});

describe('the body that a record keeps', () => {
  test('a stored body is read byte for byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        expect(decodeBody({ body: deflateIfShort(body) })).toBe(body);
      }),
    );
    expect(decodeBody({})).toBeUndefined();
  });

  test('a delivery record holds a body of at most 560 deflated bytes', () => {
    const text = Array.from({ length: 300 }, (_, i) => ((i * 7_919) ** 2).toString(36)).join('');
    const bodies = Array.from({ length: 200 }, (_, more) => text.slice(0, 800 + more));
    const sizes = bodies.map((body) => deflateRawSync(body).length);
    expect([sizes.includes(560), sizes.includes(561)]).toEqual([true, true]);
    expect(bodies.map((body) => deflateIfShort(body) !== undefined)).toEqual(sizes.map((size) => size <= 560));
  });
});
