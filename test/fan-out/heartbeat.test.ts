import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { brokenConnection } from '../support/faults.ts';
import { allItems } from '../support/person.ts';
import { writeExpense } from '../support/records.ts';

const t = useDelivery();

/** Sweeps at a new time: a heartbeat of the same time changes nothing, so the stream does not show it. */
const sweepLater = () => {
  t.world.clock.advance(1);
  return t.pipeline.sweep();
};
const beats = async (): Promise<DynamoDBRecord[]> => {
  await sweepLater();
  return await t.pipeline.changes();
};
const heartbeats = async () => (await allItems(t.world)).filter(({ key }) => key.startsWith('hbt#'));

describe('a sweep', () => {
  test('a sweep replaces the last heartbeat, for one write unit', async () => {
    await t.pipeline.sweep();
    t.world.clock.advance(5 * minuteMs);
    t.world.wire.measure();
    await t.pipeline.sweep();
    const writes = t.world.wire.calls.filter(({ operation }) => operation !== 'Query');
    expect(writes.map(({ operation, capacityUnits }) => [operation, capacityUnits])).toEqual([['PutItem', 1]]);
    expect(await heartbeats()).toHaveLength(1);
  });

  test('a sweep that cannot read the overdue deliveries still writes the heartbeat, and fails', async () => {
    t.world.wire.intercept((call, send) => (call.operation === 'Query' ? Promise.reject(brokenConnection()) : send()));
    await expect(sweepLater()).rejects.toThrow('internals of a socket');
    t.world.wire.intercept(undefined);
    expect(await t.pipeline.changes()).toHaveLength(1);
  });

  test('a sweep that cannot write the heartbeat still requeues overdue deliveries, logs their number, and fails', async () => {
    await t.publish();
    await t.pipeline.clear();
    const { account, endpoint, id: event, run, attempts: attempt } = await t.record();
    await t.world.store.deliveries.makeDueAt({ account, endpoint, event, run, attempt }, t.world.clock.now());
    t.world.clock.advance(3 * minuteMs);
    t.world.log.length = 0;
    t.world.wire.intercept((call, send) => (call.operation === 'PutItem' ? Promise.reject(brokenConnection()) : send()));
    await expect(t.pipeline.sweep()).rejects.toThrow('internals of a socket');
    expect(t.pipeline.waiting.filter(({ groupId }) => groupId === t.account.id)).toHaveLength(1);
    expect(t.world.log).toContainEqual(expect.objectContaining({ op: 'sweep', requeued: expect.any(Number) }));
  });
});

describe('a heartbeat in fan-out', () => {
  test("fan-out logs a heartbeat's age in one short line, without an event or a call", async () => {
    const records = await beats();
    t.world.clock.advance(1_200);
    t.world.log.length = 0;
    t.world.wire.measure();
    expect(await t.pipeline.fanOut(records)).toEqual({ batchItemFailures: [] });
    expect(t.world.log).toEqual([{ op: 'fan-out', beat: 1_200 }]);
    expect([t.world.wire.calls, t.pipeline.waiting, t.pipeline.searches, [...t.pipeline.parked], t.hook.requests]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
  });

  test("fan-out logs age 0 of a heartbeat if its clock is behind the writer's", async () => {
    const records = await beats();
    t.world.clock.advance(-700);
    t.world.log.length = 0;
    await t.pipeline.fanOut(records);
    expect(t.world.log).toEqual([{ op: 'fan-out', beat: 0 }]);
    t.world.clock.advance(700);
  });

  test('fan-out counts a heartbeat separately from changes in the same batch', async () => {
    await writeExpense(t.world, t.account.id);
    await sweepLater();
    const records = await t.pipeline.changes();
    t.world.log.length = 0;
    await t.pipeline.fanOut(records);
    expect(t.world.log).toEqual([
      expect.objectContaining({ op: 'fan-out', records: 1, messages: 1 }),
      { op: 'fan-out', beat: expect.any(Number) },
    ]);
    expect(await t.records()).toHaveLength(1);
  });

  test('fan-out returns a failed change beside a heartbeat, and logs no heartbeat', async () => {
    await sweepLater();
    await writeExpense(t.world, t.account.id);
    const records = await t.pipeline.changes();
    t.pipeline.gate((step, run) => (step === 'queue' ? Promise.reject(new Error('refused')) : run()));
    t.world.log.length = 0;
    expect(await t.pipeline.fanOut(records)).toEqual({ batchItemFailures: [{ itemIdentifier: records.at(-1)?.dynamodb?.SequenceNumber }] });
    expect(t.world.log.filter((line) => 'beat' in line)).toEqual([]);
  });

  test('fan-out parks no heartbeat that expired or was deleted by hand', async () => {
    const [record] = await beats();
    if (!record?.dynamodb?.NewImage) throw new Error('No beat.');
    const { NewImage, ...rest } = record.dynamodb;
    const removed: DynamoDBRecord = { ...record, eventName: 'REMOVE', dynamodb: { ...rest, OldImage: NewImage } };
    expect(await t.pipeline.fanOut([removed])).toEqual({ batchItemFailures: [] });
    expect(t.pipeline.parked.size).toBe(0);
  });
});
