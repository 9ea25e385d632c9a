import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeId, randomId } from '../../shared/core/ids.ts';
import { type DeliveryRecord, deliveryStatuses, pendingDelivery } from '../../shared/domain/webhook/record.ts';
import {
  attemptOf,
  decodeAttemptResponse,
  decodeBody,
  decodeDelivery,
  decodeHistory,
  deliveryKey,
  dueEntry,
  duePartition,
  historyAttribute,
  keepBody,
  lowestStoredId,
  statusEntry,
  storedRuns,
  viewOf,
} from '../../shared/table/delivery-items.ts';
import { expiryOf, isExpired, nowSeconds } from '../../shared/table/keys.ts';
import { dueIndex, dueShards, indexKeys } from '../../shared/table/schema.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.500Z');
const dayMs = 86_400_000;
const recordOf = (fields: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...pendingDelivery({ id: randomId('evt', nowMs), account: 'acct_1', endpoint: 'whe_1', type: 'order.created' }, nowMs),
  ...fields,
});
const itemOf = (record: DeliveryRecord) => ({ ...deliveryKey(attemptOf(record)), view: viewOf(record) });

describe('the record of a delivery', () => {
  const time = fc.constantFrom(null, '2026-03-10T09:00:00.500Z');
  const anyRecord = fc
    .record({
      id: fc.constantFrom('evt_1', 'evt_2'),
      account: fc.constantFrom('acct_1', 'acct_2'),
      endpoint: fc.constantFrom('whe_1', 'whe_2'),
      status: fc.constantFrom(...deliveryStatuses),
      attempts: fc.nat(5),
      run: fc.nat(20),
      last_status_code: fc.constantFrom(null, 500),
      last_error: fc.constantFrom(null, 'timeout'),
      next_retry_at: time,
      last_attempt_at: time,
      delivered_at: time,
      failed_at: time,
    })
    .map(recordOf);

  test('a stored delivery is read as it was written', () => {
    fc.assert(fc.property(anyRecord, (record) => expect(decodeDelivery(itemOf(record))).toEqual(record)));
  });

  test('a stored delivery has neither the fields of its key nor those without a value', () => {
    expect(viewOf(recordOf())).toEqual({
      type: 'order.created',
      status: 'pending',
      attempts: 0,
      run: 1,
      created_at: '2026-03-10T09:00:00.500Z',
    });
  });

  test('a delivery waits for the attempt after its failures, in its run', () => {
    const record = recordOf({ id: 'evt_1', run: 3, attempts: 2 });
    expect(attemptOf(record)).toEqual({ account: 'acct_1', endpoint: 'whe_1', event: 'evt_1', run: 3, attempt: 2 });
  });

  test('two deliveries share a key only if account, endpoint and event are equal', () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, (one, other) => {
        const isSame = one.account === other.account && one.endpoint === other.endpoint && one.id === other.id;
        const keys = [one, other].map((record) => JSON.stringify(deliveryKey(attemptOf(record))));
        expect(keys[0] === keys[1]).toBe(isSame);
      }),
    );
  });
});

describe('lowestStoredId', () => {
  test('the least kept id comes after the ids of all expired records and before those of all kept ones', () => {
    const around = fc.integer({ min: -3_000, max: 3_000 });
    const entropy = fc.constantFrom(new Uint8Array(16), new Uint8Array(16).fill(31));
    fc.assert(
      fc.property(around, fc.integer({ min: 0, max: 999 }), entropy, (offsetMs, ms, tail) => {
        const now = nowSeconds(nowMs) * 1000 + ms;
        const createdMs = now - 30 * dayMs + offsetMs;
        const isGone = isExpired({ expires_at: expiryOf('deliveryRecord', createdMs) }, now);
        expect(makeId('evt', createdMs, tail) < lowestStoredId(now)).toBe(isGone);
      }),
      { numRuns: 1_000 },
    );
  });
});

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
        expect(decodeBody({ body: keepBody(body) })).toBe(body);
      }),
    );
    expect(decodeBody({})).toBeUndefined();
  });

  test('a delivery record holds a body of at most 560 deflated bytes', () => {
    const text = Array.from({ length: 300 }, (_, i) => ((i * 7_919) ** 2).toString(36)).join('');
    const bodies = Array.from({ length: 200 }, (_, more) => text.slice(0, 800 + more));
    const sizes = bodies.map((body) => deflateRawSync(body).length);
    expect([sizes.includes(560), sizes.includes(561)]).toEqual([true, true]);
    expect(bodies.map((body) => keepBody(body) !== undefined)).toEqual(sizes.map((size) => size <= 560));
  });
});

describe('decodeHistory', () => {
  const atMs = Date.parse('2026-03-10T09:00:00.000Z');
  const entry = (attempt: number, error: string | null = null) => [attempt, atMs + attempt, error ? 500 : 200, error, 40];
  const item = Object.fromEntries([
    [historyAttribute(9), [entry(1, 'http_error'), entry(2)]],
    ...[2, 3, 5, 7, 8].map((run) => [historyAttribute(run), [entry(1)]]),
  ]);
  const runsOf = (presentRun: number) => decodeHistory(item, presentRun).map(({ run, attempt }) => [run, attempt]);

  test('a history has the attempts of the present run and the four before, oldest first', () => {
    expect(storedRuns).toBe(5);
    expect(runsOf(9)).toEqual([
      [5, 1],
      [7, 1],
      [8, 1],
      [9, 1],
      [9, 2],
    ]);
    expect(runsOf(7)).toEqual([
      [3, 1],
      [5, 1],
      [7, 1],
    ]);
    expect(runsOf(1)).toEqual([]);
  });

  test('an attempt has its time, status code, error and duration', () => {
    const at = (ms: number) => `2026-03-10T09:00:00.00${ms}Z`;
    expect(decodeHistory(item, 9).slice(3)).toEqual([
      { run: 9, attempt: 1, at: at(1), status_code: 500, error: 'http_error', duration_ms: 40 },
      { run: 9, attempt: 2, at: at(2), status_code: 200, error: null, duration_ms: 40 },
    ]);
  });
});

describe('decodeAttemptResponse', () => {
  const decodeBody = (body: Uint8Array, type: string | null = 'text/plain') =>
    decodeAttemptResponse({ answer: [2, 3, type, deflateRawSync(body)] });
  const cake = Buffer.from('a 🍰');

  test('a stored response has its run, attempt, content type and text', () => {
    expect(decodeBody(cake)).toEqual({ run: 2, attempt: 3, content_type: 'text/plain', body: 'a 🍰' });
    expect(decodeBody(cake, null)).toMatchObject({ content_type: null });
  });

  test.each([1, 2, 3])('a character of which %i bytes were cut is left out of a stored response', (cut) => {
    expect(decodeBody(cake.subarray(0, cake.length - cut))?.body).toBe('a ');
  });

  test('an invalid byte in a stored response is replaced', () => {
    expect(decodeBody(Uint8Array.of(0x61, 0xff, 0x62))?.body).toBe('a\ufffdb');
  });

  test('a record without a response has none', () => {
    expect(decodeAttemptResponse({})).toBeNull();
  });
});
