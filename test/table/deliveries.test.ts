import { deflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { type DeliveryRecord, pendingDelivery } from '../../shared/domain/webhook/record.ts';
import { type AttemptOutcome, type AttemptRef, deflateIfShort } from '../../shared/table/delivery-items.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
const recordOf = (fields: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...pendingDelivery(
    { id: randomId('evt', world.clock.now()), account: randomId('acct', 0), endpoint: 'whe_1', type: 'expense.created' },
    world.clock.now(),
  ),
  ...fields,
});
const refOf = ({ account, endpoint, id, run, attempts }: DeliveryRecord): AttemptRef => ({
  account,
  endpoint,
  event: id,
  run,
  attempt: attempts,
});
const outcomeOf = (fields: Partial<AttemptOutcome>): AttemptOutcome => ({
  status: 'delivered',
  attempts: 0,
  statusCode: 200,
  error: null,
  atMs: world.clock.now(),
  durationMs: 120,
  nextAtMs: null,
  ...fields,
});
const now = ({ account, endpoint, id }: DeliveryRecord) => world.store.deliveries.get(account, endpoint, id);

test('a body is stored once and byte for byte', async () => {
  const { store, clock } = world;
  const event = {
    id: randomId('evt', 0),
    account: 'acct_1',
    type: 'expense.created',
    body: '{"a":"🍰 \\u0001"}',
    createdMs: clock.now(),
  };
  await store.events.create(event);
  await store.events.create({ ...event, body: 'other' });
  expect(await store.events.get('acct_1', event.id)).toEqual({ type: event.type, body: event.body });
  expect(await store.events.get('acct_2', event.id)).toBeUndefined();
  clock.advance(retentionSeconds('deliveryRecord') * 1000);
  expect(await store.events.get('acct_1', event.id)).toBeUndefined();
});

test('one of many simultaneous outcomes of an attempt is stored, and a repeated write finds its own', async () => {
  const { store, clock } = world;
  const record = recordOf();
  await store.deliveries.create(record);
  const ref = refOf(record);
  const ends = await Promise.all(['a', 'b', 'c'].map((token) => store.deliveries.finish(ref, token, outcomeOf({}))));
  expect(ends.filter(Boolean)).toHaveLength(1);
  const winner = ['a', 'b', 'c'][ends.indexOf(true)] ?? '';
  expect(await store.deliveries.finish(ref, winner, outcomeOf({}))).toBe(true);
  expect(await store.deliveries.finish(ref, 'z', outcomeOf({}))).toBe(false);
  expect(await now(record)).toMatchObject({ status: 'delivered', delivered_at: new Date(clock.now()).toISOString(), attempts: 0 });
});

test("a record keeps the exact bytes of its event's body until it expires", async () => {
  const { store, clock } = world;
  const [record, without] = [recordOf(), recordOf()];
  const body = '{"a":"🍰 \\u0001"}';
  const bodyOf = async (of: DeliveryRecord) => (await store.attempts.read({ ref: refOf(of), withEndpoint: false })).body;
  await store.deliveries.create(record, deflateIfShort(body));
  await store.deliveries.create({ ...record, attempts: 1 }, deflateIfShort('other'));
  await store.deliveries.create(without);
  expect(await bodyOf(record)).toBe(body);
  await store.deliveries.restart(record, clock.now());
  expect(await bodyOf(record)).toBe(body);
  for (const one of [record, without]) await store.deliveries.rewriteBody(refOf(one), deflateRawSync(body), '{}');
  expect([await bodyOf(record), await bodyOf(without)]).toEqual(['{}', undefined]);
  clock.advance(retentionSeconds('deliveryRecord') * 1000);
  expect(await bodyOf(record)).toBeUndefined();
});

test('the count of pending deliveries says that there may be more if a read ends before all of the newest 200', async () => {
  const { store, clock } = world;
  // 1 MB, where a read ends, holds 26 of these records.
  const large = new Uint8Array(40_000);
  const [first = recordOf(), ...others] = Array.from({ length: 60 }, () => recordOf());
  for (const { id } of [first, ...others]) await store.deliveries.create({ ...first, id }, large);
  clock.advance(11 * 60_000);
  expect(await store.deliveries.countPending(first.account, first.endpoint, 100)).toMatchObject({ orMore: true });
});
