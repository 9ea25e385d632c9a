import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { type LocalQueue, openQueue } from '../../../local/engine/queue.ts';
import { openState, type State } from '../../../local/engine/state.ts';
import { type QueueFunction, type QueuePoller, type QueuePollerOptions, startQueuePoller } from '../../../local/pollers/queue.ts';
import { systemClock } from '../../../shared/core/clock.ts';
import { until } from '../../support/eventually.ts';

let state: State;
let queue: LocalQueue;
let poller: QueuePoller | undefined;

beforeEach(async () => {
  state = await openState(undefined);
  queue = openQueue({ state, name: 'deliveries', clock: systemClock, visibilityTimeoutMs: 30, maxReceiveCount: 3 });
});
afterEach(async () => {
  await poller?.stop(0);
  poller = undefined;
  state.close();
});

const start = (invoke: QueueFunction, options: Partial<QueuePollerOptions> = {}) => {
  poller = startQueuePoller({ queue, invoke, clock: systemClock, log: () => {}, ...options });
};
const messages = (groupId: string, count: number) => Array.from({ length: count }, (_, i) => ({ body: `${groupId}${i}`, groupId }));
const deadLetters = () =>
  state
    .prepare('SELECT body FROM messages WHERE queue = ?')
    .all('deliveries-dead-letters')
    .map((row) => row['body']);
const isEmpty = () => {
  const { waiting, delayed, in_flight } = queue.depth();
  return waiting + delayed + in_flight === 0;
};
const bodiesOf = (event: SQSEvent) => event.Records.map((record) => record.body);
const never = () => new Promise<undefined>(() => {});

describe('a full disk', () => {
  const full = () => {
    throw new Error('database or disk is full');
  };

  test.each(['receive', 'remove', 'release', 'waitingGroups'] as const)(
    '%s fails twice, and no message is lost or stays in flight',
    async (step) => {
      let failures = 2;
      const lines: string[] = [];
      const working = queue[step] as (...args: unknown[]) => unknown;
      Object.assign(queue, { [step]: (...args: unknown[]) => (failures-- > 0 ? full() : working(...args)) });
      const seen: string[] = [];
      start(
        async (event) => {
          seen.push(...bodiesOf(event));
          return { batchItemFailures: seen.length === 1 ? event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) : [] };
        },
        { log: (line) => lines.push(JSON.stringify(line)) },
      );
      await queue.send(messages('acct_1', 1));
      await until(() => failures <= 0 && isEmpty());
      expect(new Set(seen)).toEqual(new Set(['acct_10']));
      expect(lines.filter((line) => line.includes('database or disk is full'))).toHaveLength(2);
    },
  );
});

describe('the queue as an event source', () => {
  test('records of the queue have the shape that Lambda gives them', async () => {
    const events: SQSEvent[] = [];
    start(async (event) => void events.push(event) as undefined);
    await queue.send([{ body: 'hello', groupId: 'acct_1' }]);
    await until(isEmpty);
    expect(events).toEqual([
      {
        Records: [
          {
            messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            receiptHandle: expect.any(String),
            body: 'hello',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: expect.stringMatching(/^\d{13}$/),
              SenderId: expect.any(String),
              ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
              MessageGroupId: 'acct_1',
            },
            messageAttributes: {},
            md5OfBody: '5d41402abc4b2a76b9719d911017c592',
            eventSource: 'aws:sqs',
            eventSourceARN: expect.stringMatching(/^arn:aws:sqs:.*:deliveries$/),
            awsRegion: expect.any(String),
          },
        ],
      },
    ]);
  });

  test('the queue returns only the reported failures of a batch', async () => {
    const seen: string[] = [];
    start(async (event) => {
      seen.push(...bodiesOf(event));
      const failed = event.Records.filter((record) => record.body === 'a1' && seen.filter((body) => body === 'a1').length === 1);
      return { batchItemFailures: failed.map((record) => ({ itemIdentifier: record.messageId })) };
    });
    await queue.send(messages('a', 3));
    await until(isEmpty);
    expect(seen.sort()).toEqual(['a0', 'a1', 'a1', 'a2']);
  });

  test('a batch returns whole if the function throws', async () => {
    let calls = 0;
    start(async () => {
      calls++;
      if (calls === 1) throw new Error('out of order');
      return undefined;
    });
    await queue.send(messages('a', 2));
    await until(isEmpty);
    expect(calls).toBe(2);
    expect(deadLetters()).toEqual([]);
  });

  test('an unknown identifier in the report fails the whole batch', async () => {
    let calls = 0;
    start(async () => ({ batchItemFailures: ++calls === 1 ? [{ itemIdentifier: 'nobody' }] : [] }));
    await queue.send(messages('a', 2));
    await until(isEmpty);
    expect(calls).toBe(2);
  });

  test('a message that fails at every receive ends in the dead-letter queue', async () => {
    let receives = 0;
    start(async (event) => {
      receives += event.Records.filter((record) => record.body === 'poison').length;
      return { batchItemFailures: event.Records.map((record) => ({ itemIdentifier: record.messageId })) };
    });
    await queue.send([{ body: 'poison', groupId: 'a' }]);
    await until(isEmpty);
    expect(deadLetters()).toEqual(['poison']);
    expect(receives).toBe(3);
  });

  test('a function that does not end in its time has failed', async () => {
    let calls = 0;
    start(() => (++calls === 1 ? never() : Promise.resolve(undefined)), { functionTimeoutMs: 20 });
    await queue.send(messages('a', 1));
    await until(isEmpty);
    expect(calls).toBe(2);
  });

  test('a delayed message is handed over when it is due', async () => {
    let nowMs = 0;
    const clock = { ...systemClock, now: () => nowMs };
    queue = openQueue({ state, name: 'delayed', clock, visibilityTimeoutMs: 30, maxReceiveCount: 3 });
    const takenMs = new Map<string, number>();
    start(
      async ({ Records }) => {
        for (const { body } of Records) takenMs.set(body, nowMs);
        return undefined;
      },
      { clock },
    );
    const later = { body: 'later', groupId: 'a', delaySeconds: 0.15 };
    await queue.send([later]);
    nowMs = 149;
    // The poller takes a due message, so it has seen the present time.
    await queue.send(messages('b', 1));
    await until(() => takenMs.has('b0'));
    expect([...takenMs.keys()]).toEqual(['b0']);
    nowMs = 150;
    await until(isEmpty);
    expect(takenMs.get('later')).toBe(150);
  });

  test('messages in flight when the poller stops stay in flight, and the next start recovers them', async () => {
    start(never);
    await queue.send(messages('a', 1));
    await poller?.stop(10);
    expect(queue.depth()).toMatchObject({ in_flight: 1, waiting: 0 });
  });
});

describe('fairness between message groups', () => {
  test('many groups that hang also leave capacity for one that does not', async () => {
    const delivered: string[] = [];
    start(async (event) => {
      delivered.push(...bodiesOf(event).filter((body) => body.startsWith('quick')));
      return bodiesOf(event).some((body) => body.startsWith('hanging')) ? never() : undefined;
    });
    for (let i = 0; i < 6; i++) await queue.send(messages(`hanging${i}-`, 200));
    await queue.send(messages('quick', 50));
    await until(() => delivered.length === 50);
  });

  test('messages of other groups fill a batch up to ten, as SQS fills it', async () => {
    const batches: string[][] = [];
    await queue.send([...messages('a', 3), ...messages('b', 3), ...messages('c', 6)]);
    start(async (event) => void batches.push(bodiesOf(event)) as undefined);
    await until(isEmpty);
    expect(batches.map((batch) => batch.length)).toEqual([10, 2]);
    expect(batches[0]).toEqual([...messages('a', 3), ...messages('b', 3), ...messages('c', 4)].map(({ body }) => body));
  });
});
