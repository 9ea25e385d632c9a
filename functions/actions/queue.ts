import { invalidValue, notFound } from '../../shared/core/errors.ts';
import { oneOf, record, recordId } from '../../shared/core/fields.ts';
import { checkRecord, parkingKey } from '../../shared/core/parking-keys.ts';
import { randomText } from '../../shared/core/random.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { decodeSearchMessage } from '../../shared/domain/product/search.ts';
import type { OperatedQueue, ReceivedMessage } from '../../shared/providers/operated-queue.ts';
import { decodeMessage } from '../../shared/webhooks/message.ts';
import { type ActionServices, limitField, onRegion, operatorQueueNames, type QueueName, queueNames, startBudget } from './action.ts';

const endQueue = oneOf(operatorQueueNames);

/**
 * For each dead-letter queue: the queue from which its messages came, and a function that returns a
 * message's account. The account is the message group if the dead-letter queue has lost the group.
 */
const redrives = {
  'delivery-dead-letters': { to: 'delivery', account: (body: string) => decodeMessage(body)?.account },
  'search-dead-letters': { to: 'search', account: (body: string) => decodeSearchMessage(body)?.account },
} as const satisfies Partial<Record<QueueName, { to: QueueName; account: (body: string) => string | undefined }>>;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns the view of a held message. If its body is JSON, the view contains the parsed value. */
const messageView = ({ id, body, groupId, sentMs, receiveCount }: ReceivedMessage) => ({
  id,
  account: groupId ?? null,
  sent_at: isoFromMs(sentMs),
  receives: receiveCount,
  body: parseJson(body),
});

/** Returns the object keys of a notice of S3. Throws for other messages. */
const noticedKeys = (body: string): readonly string[] => {
  const { Records = [], Event } = (parseJson(body) ?? {}) as { Records?: { s3?: { object?: { key?: string } } }[]; Event?: string };
  if (Event === 's3:TestEvent') return []; // S3 sends this once, when the notification is set up
  const keys = Records.flatMap(({ s3 }) => s3?.object?.key ?? []);
  if (keys.length === 0) throw invalidValue('queue', 'The notice names no parked record. Read it with queue.peek.');
  return keys.map((key) => decodeURIComponent(key.replaceAll('+', ' ')));
};

const status = onRegion({
  summary: 'Counts the messages in every queue of the region, dead letters included. The counts are approximate.',
  input: record({}),
  async read({ queues }) {
    const depths = await Promise.all(queueNames.map(async (queue) => ({ queue, ...(await queues[queue].depth()) })));
    return { data: depths };
  },
});

const peek = onRegion({
  summary: 'Shows messages of a queue without removing them.',
  input: record({ queue: endQueue, limit: limitField(10, 100) }),
  async read({ queues }, { queue, limit }) {
    const received: ReceivedMessage[] = [];
    try {
      while (received.length < limit) {
        const batch = await queues[queue].receive();
        if (batch.length === 0) break;
        received.push(...batch);
      }
    } finally {
      await queues[queue].release(received);
    }
    return { queue, data: received.slice(0, limit).map(messageView) };
  },
});

/** A message that stays in its queue, and the reason. */
interface UnhandledMessage {
  readonly message: ReceivedMessage;
  readonly reason: string;
}

/**
 * Replays the parked records that the notices name, one notice after another, so that one failure does
 * not stop the others. Returns the failures: a parked record may be missing, or fan-out may still
 * reject it.
 */
const replayNotices = async (services: ActionServices, messages: readonly ReceivedMessage[], isInTime: () => boolean) => {
  const unhandled: UnhandledMessage[] = [];
  for (const message of messages)
    try {
      if (!isInTime()) throw new Error('no time was left; repeat the command');
      for (const key of noticedKeys(message.body)) await replay(services, key);
    } catch (error) {
      unhandled.push({ message, reason: error instanceof Error ? error.message : String(error) });
    }
  return unhandled;
};

/** Sends dead letters to the queue from which they came. */
const sendBack = async (services: ActionServices, queue: keyof typeof redrives, messages: readonly ReceivedMessage[]): Promise<void> => {
  const { to, account } = redrives[queue];
  // A message without an account gets its own group. It will become a dead letter again.
  await services.queues[to].send(messages.map(({ id, body, groupId }) => ({ body, groupId: groupId ?? account(body) ?? id })));
};

/**
 * Receives, sends, then removes messages. If it fails between these steps, a message is in both
 * queues, but never lost. A duplicate is harmless: an attempt runs once per number, and a product
 * is always written in its current state.
 */
const redrive = onRegion({
  summary: 'Moves dead letters back to their queue. In parking-notices, replays the parked records that the notices name.',
  input: record({
    queue: oneOf(['delivery-dead-letters', 'search-dead-letters', 'parking-notices']),
    limit: limitField(100, 1_000),
  }),
  async run(services, { queue, limit }) {
    const { queues, clock } = services;
    const isInTime = startBudget(clock);
    let redriven = 0;
    const failed: UnhandledMessage[] = [];
    while (redriven + failed.length < limit && isInTime()) {
      const received = await queues[queue].receive();
      if (received.length === 0) break;
      const batch = received.slice(0, limit - redriven - failed.length);
      let unhandled: readonly UnhandledMessage[] = [];
      try {
        if (queue === 'parking-notices') unhandled = await replayNotices(services, batch, isInTime);
        else await sendBack(services, queue, batch);
      } catch (error) {
        await queues[queue].release(received);
        throw error;
      }
      const done = batch.filter((message) => !unhandled.some((one) => one.message === message));
      await queues[queue].remove(done);
      if (batch.length < received.length) await queues[queue].release(received.slice(batch.length));
      redriven += done.length;
      failed.push(...unhandled);
    }
    // Failed messages are released only now, so that this loop does not receive them again.
    await queues[queue].release(failed.map(({ message }) => message));
    const { waiting, in_flight } = await queues[queue].depth();
    const view = failed.map(({ message: { id }, reason }) => ({ id, reason }));
    return { queue, redriven, left: waiting + in_flight, ...(view.length > 0 ? { failed: view } : {}) };
  },
});

/** Maximum number of messages to read when searching for a message. */
const maxSearchedMessages = 1_000;

const findAndRemove = async (queue: OperatedQueue, id: string): Promise<ReceivedMessage> => {
  const others: ReceivedMessage[] = [];
  try {
    while (others.length < maxSearchedMessages) {
      const batch = await queue.receive();
      if (batch.length === 0) break;
      const found = batch.find((message) => message.id === id);
      others.push(...batch.filter((message) => message !== found));
      if (!found) continue;
      await queue.remove([found]);
      return found;
    }
  } finally {
    await queue.release(others);
  }
  throw notFound('Message');
};

const discard = onRegion({
  summary: 'Removes a message from a queue and prints it. This cannot be undone.',
  input: record({ queue: endQueue, id: recordId() }),
  run: async ({ queues }, { queue, id }) => ({ queue, discarded: messageView(await findAndRemove(queues[queue], id)) }),
});

export const queue = { status, peek, redrive, discard };

interface Parked {
  readonly payload?: string | { readonly Records?: readonly unknown[] };
}

/**
 * Returns the records of a parked object as JSON texts. Fan-out parks single records.
 * Lambda parks an invocation that failed for 20 hours: its object describes the failure and
 * has the event with its records as `payload`.
 */
const recordsOf = (json: string): readonly string[] => {
  const { payload } = JSON.parse(json) as Parked;
  if (payload === undefined) return [json];
  const event = typeof payload === 'string' ? (JSON.parse(payload) as Exclude<Parked['payload'], string>) : payload;
  return (event?.Records ?? []).map((one) => JSON.stringify(one));
};

/** Replays the records of the parked object with this key. Returns their number. */
const replay = async (services: Pick<ActionServices, 'parking' | 'replay'>, key: string): Promise<number> => {
  const json = await services.parking.fetch(key);
  if (json === undefined) throw notFound('Parked record');
  const records = recordsOf(json);
  for (const one of records) await services.replay(one);
  return records.length;
};

/**
 * Parks a record that no reader can read, by the way of a change: fan-out writes it, this function
 * reads it. The bucket sends no notice of it, and deletes it after 30 days.
 */
const checkParking = onRegion({
  summary: 'Checks that fan-out can park a record and that stream.replay can read it. Fires no alarm.',
  input: record({}),
  async run(services) {
    const sent = checkRecord(randomText(services.random, 9));
    const key = parkingKey(sent);
    await services.replay(JSON.stringify(sent));
    if ((await services.parking.fetch(key)) === undefined) throw notFound('Parked record');
    return { parked: key };
  },
});

export const stream = {
  check_parking: checkParking,
  replay: onRegion({
    summary: 'Sends the records of a parked object to fan-out again.',
    input: record({ key: recordId() }),
    run: async (services, { key }) => ({ replayed: await replay(services, key), key }),
  }),
};
