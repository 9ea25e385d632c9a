import { describe, expect, test } from '@jest/globals';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { checkRecord } from '../../shared/core/parking-keys.ts';
import { useDelivery } from '../support/delivery.ts';
import { rejectWith } from '../support/faults.ts';
import { writeExpense } from '../support/records.ts';

const t = useDelivery();

type Image = Record<string, AttributeValue>;

/** Three changes. The image of the second one is corrupted. */
const batchWith = async (tamper: (image: Image) => Image | undefined): Promise<[DynamoDBRecord, DynamoDBRecord, DynamoDBRecord]> => {
  for (let i = 0; i < 3; i++) await writeExpense(t.world, t.account.id);
  const [first, middle, last] = await t.pipeline.changes();
  if (!first || !middle?.dynamodb?.NewImage || !last) throw new Error('Not three changes.');
  const { NewImage, ...rest } = middle.dynamodb;
  const image = tamper(structuredClone(NewImage));
  return [first, { ...middle, dynamodb: { ...rest, ...(image ? { NewImage: image } : {}) } }, last];
};
const without = (name: string) => (image: Image) => Object.fromEntries(Object.entries(image).filter(([attribute]) => attribute !== name));
const inView = (name: string, value: AttributeValue) => (image: Image) => ({
  ...image,
  view: { M: { ...image['view']?.M, [name]: value } },
});
const untouched = (image: Image): Image => image;

const unreadable: [string, (image: Image) => Image | undefined][] = [
  ['no images', () => undefined],
  ['no view', without('view')],
  ['no rest', without('rest')],
  ['no owner', (image) => ({ ...image, pk: { S: 'exp#' } })],
  ['an invalid date', inView('date', { S: 'yesterday' })],
  ['an invalid time of change', inView('updated_at', { S: 'soon' })],
  ['a number beyond every double', inView('amount', { N: '123456789012345678901234567890' })],
  ['a partition of another kind', (image) => ({ ...image, pk: { S: 'zzz#acct' } })],
];

describe('an unreadable record of the stream', () => {
  test.each(unreadable)(
    'an unreadable record (%s) is parked unchanged, and the other records of its batch are handled',
    async (_name, tamper) => {
      const [first, bad, last] = await batchWith(tamper);
      expect(await t.pipeline.fanOut([first, bad, last])).toEqual({ batchItemFailures: [] });
      expect([...t.pipeline.parked].map(([key, json]) => [key, JSON.parse(json)])).toEqual([[`stream/${bad.eventID}.json`, bad]]);
      expect(await t.records()).toHaveLength(2);
      expect(t.pipeline.waiting).toHaveLength(2);
    },
  );

  test('an unreadable record of a check is parked under its own prefix, and counts as no parked change', async () => {
    t.world.log.length = 0;
    expect(await t.pipeline.fanOut([checkRecord('mark-1')])).toEqual({ batchItemFailures: [] });
    expect([...t.pipeline.parked]).toEqual([['check/mark-1.json', JSON.stringify(checkRecord('mark-1'))]]);
    expect(t.world.log.filter(({ parked, retry }) => parked ?? retry)).toEqual([]);
  });

  test('an unreadable record of the stream is logged without its images', async () => {
    const batch = await batchWith(inView('description', { S: 'the secret recipe' }));
    t.world.log.length = 0;
    await t.pipeline.fanOut(batch.map((record, i) => (i === 1 ? { ...record, eventID: '' } : record)));
    expect(t.world.log).toContainEqual(expect.objectContaining({ op: 'fan-out', parked: expect.any(String) }));
    expect(JSON.stringify(t.world.log)).not.toContain('secret recipe');
  });

  test('an unreadable record of the stream is not skipped before it is parked: if the store fails, it is read again', async () => {
    const batch = await batchWith(without('view'));
    t.pipeline.gate((step, run) => (step === 'parking' ? Promise.reject(new Error('S3 is away')) : run()));
    const failure = { batchItemFailures: [{ itemIdentifier: batch[1].dynamodb?.SequenceNumber }] };
    expect(await t.pipeline.fanOut(batch)).toEqual(failure);
    expect(t.pipeline.waiting).toHaveLength(1);
    t.pipeline.gate(undefined);
    expect(await t.pipeline.fanOut(batch.slice(1))).toEqual({ batchItemFailures: [] });
    expect([t.pipeline.parked.size, t.pipeline.waiting.length]).toEqual([1, 2]);
  });

  test('an unreadable record of the stream is parked once, under one name, if it is read again', async () => {
    const batch = await batchWith(without('rest'));
    await t.pipeline.fanOut(batch);
    await t.pipeline.fanOut(batch);
    expect(t.pipeline.parked.size).toBe(1);
  });

  test('an unreadable record of the stream creates its event if it is corrected and reinjected', async () => {
    const [first, middle, last] = await batchWith(untouched);
    const bad = { ...middle, dynamodb: { ...middle.dynamodb, NewImage: without('view')(middle.dynamodb?.NewImage ?? {}) } };
    await t.pipeline.fanOut([first, bad, last]);
    expect(await t.pipeline.fanOut([middle])).toEqual({ batchItemFailures: [] });
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(3);
  });
});

test('a change that the table always rejects is also parked', async () => {
  const batch = await batchWith(untouched);
  t.world.wire.intercept(async (call, send) =>
    call.operation === 'PutItem' && JSON.stringify(call.input).includes('dlv#') && t.pipeline.parked.size === 0
      ? rejectWith('ValidationException')
      : send(),
  );
  expect(await t.pipeline.fanOut(batch)).toEqual({ batchItemFailures: [] });
  expect(t.pipeline.parked.size).toBeGreaterThan(0);
});

test('a removed record emits nothing', async () => {
  const [first] = await batchWith(untouched);
  const { NewImage, ...rest } = first.dynamodb ?? {};
  const removed = { ...first, eventName: 'REMOVE' as const, dynamodb: { ...rest, ...(NewImage ? { OldImage: NewImage } : {}) } };
  expect(await t.pipeline.fanOut([removed])).toEqual({ batchItemFailures: [] });
  expect([await t.records(), t.pipeline.parked.size]).toEqual([[], 0]);
});
