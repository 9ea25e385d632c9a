import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { searchSync } from '../../functions/search-sync/app.ts';
import { decodeMessage, encodeMessage, messageVersions } from '../../shared/webhooks/message.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { type Hook, type Receiver, startReceiver } from '../support/receiver.ts';
import { type SearchEngine, startSearchEngine } from '../support/typesense.ts';
import { startWorld, type World } from '../support/world.ts';
import { formatVersions, putRecords, readFormat, scheduledBody, storedRecords } from './formats.ts';

const minuteMs = 60_000;
const [account, endpoint] = ['acct_v1', 'whe_v1'];
let world: World;
let pipeline: Pipeline;
let receiver: Receiver;
let engine: SearchEngine;
let hook: Hook;
beforeAll(async () => {
  [world, receiver, engine] = await Promise.all([startWorld(), startReceiver(), startSearchEngine('admin', ['products'])]);
  pipeline = createPipeline(world);
});
afterAll(async () => {
  pipeline.close();
  await Promise.all([receiver.stop(), engine.stop(), world.stop()]);
});

const eventOf = (body: string): string => decodeMessage(body)?.event ?? '';
const send = (body: string) => pipeline.queue.send([{ body, groupId: account }]);
const inspect = (event: string) => world.store.deliveries.inspect(account, endpoint, event);
const received = () => hook.requests.map(({ headers }) => String(headers['x-webhook-id']));

describe.each(formatVersions)('records and messages of %s', (version) => {
  // Stored records tell times of their own: every test begins at theirs.
  const startMs = Date.parse('2026-03-10T09:00:00.000Z');
  beforeEach(async () => {
    world.clock.advance(startMs - world.clock.now());
    hook = receiver.hook();
    await putRecords(world.engine, world.tables.tableName, storedRecords(version, { receiver: hook.url, search: engine.host }));
    await pipeline.clear();
  });

  test.each(['delivery-message', 'bounced-message'])('a %s is delivered', async (name) => {
    const body = readFormat(version, name);
    await send(body);
    await pipeline.drain();
    expect(received()).toEqual([eventOf(body)]);
    expect(await inspect(eventOf(body))).toMatchObject({ record: { status: 'delivered' }, attempts: [{ attempt: 1, status_code: 200 }] });
  });

  test('a message of a retry is delivered, and the record without a history begins one', async () => {
    const body = readFormat(version, 'retry-message');
    world.clock.advance(5 * minuteMs);
    await send(body);
    await pipeline.drain();
    expect(received()).toEqual([eventOf(body)]);
    expect(await inspect(eventOf(body))).toMatchObject({ record: { status: 'delivered', attempts: 1 }, attempts: [{ attempt: 2 }] });
  });

  test('a schedule becomes a message that is delivered, once, however often it fires', async () => {
    const body = scheduledBody(version);
    world.clock.advance(35 * minuteMs);
    for (let i = 0; i < 2; i++) await send(body);
    await pipeline.drain();
    expect(received()).toEqual([eventOf(body)]);
    expect(await inspect(eventOf(body))).toMatchObject({ record: { status: 'delivered', attempts: 2 } });
  });

  test('the sweep finds and delivers records with lost messages and schedules', async () => {
    world.clock.advance(60 * minuteMs);
    await pipeline.sweep();
    await pipeline.drain();
    const events = [readFormat(version, 'delivery-message'), readFormat(version, 'retry-message'), scheduledBody(version)].map(eventOf);
    expect(received().sort()).toEqual(events.sort());
  });

  test('a message about a product brings it to the search engine', async () => {
    const handler = searchSync(world.services);
    const record = { messageId: '1', body: readFormat(version, 'search-message') } as SQSRecord;
    expect(await handler({ Records: [record] })).toEqual({ batchItemFailures: [] });
    expect(engine.documents('products')).toContainEqual(expect.objectContaining({ id: 'prd_v1', account }));
  });

  test('a message of a newer version waits for a version that can read it', async () => {
    const known = readFormat(version, 'delivery-message');
    const newer = JSON.stringify({ ...JSON.parse(known), v: messageVersions.written + 1 });
    await send(newer);
    expect(await pipeline.deliver(pipeline.receive())).toMatchObject({ batchItemFailures: [{}] });
    expect(received()).toEqual([]);
    expect(pipeline.waiting.map(({ body }) => body)).toEqual([newer]);
    expect(world.log.at(-1)).toMatchObject({ op: 'deliver', unreadable: expect.stringContaining('newer than') });
  });
});

test('the service writes the newest committed format, byte for byte', () => {
  const newest = formatVersions.at(-1) ?? '';
  expect(newest).toBe(`v${messageVersions.written}`);
  for (const name of ['delivery-message', 'bounced-message', 'retry-message']) {
    const body = readFormat(newest, name);
    const message = decodeMessage(body);
    expect(message && encodeMessage(message)).toBe(body);
  }
});
