import { notFound } from '../../shared/core/errors.ts';
import { oneOf, record, recordId, requiredText } from '../../shared/core/fields.ts';
import type { HeldMessage, OperatedQueue } from '../../shared/providers/operated-queue.ts';
import { type ActionServices, budgetMs, limitOf, onRegion } from './action.ts';
import { endQueue, messageView, noticedKeys, queueNames, redrives } from './queues.ts';

const status = onRegion({
  summary: 'Counts what lies in every queue of the region, dead letters included; SQS counts approximately.',
  input: record({}),
  async read({ queues }) {
    const depths = await Promise.all(queueNames.map(async (queue) => ({ queue, ...(await queues[queue].depth()) })));
    return { data: depths };
  },
});

const peek = onRegion({
  summary: 'Shows messages of a queue that no function reads, and leaves them there.',
  input: record({ queue: endQueue, limit: limitOf(10, 100) }),
  async read({ queues }, { queue, limit }) {
    const held: HeldMessage[] = [];
    try {
      while (held.length < limit) {
        const batch = await queues[queue].receive();
        if (batch.length === 0) break;
        held.push(...batch);
      }
    } finally {
      await queues[queue].release(held);
    }
    return { queue, data: held.slice(0, limit).map(messageView) };
  },
});

/** Why a message stays where it is. */
interface Kept {
  readonly message: HeldMessage;
  readonly reason: string;
}

/** What makes good each message of a batch before it is removed from there; says which ones it could not. */
const workOf = (services: ActionServices, queue: keyof typeof redrives | 'parking-notices') =>
  queue === 'parking-notices'
    ? async (messages: readonly HeldMessage[]) => {
        const kept: Kept[] = [];
        // One by one: a record that is gone, or that fan-out still cannot read, keeps no other one waiting.
        for (const message of messages)
          try {
            for (const key of noticedKeys(message.body)) await replay(services, key);
          } catch (error) {
            kept.push({ message, reason: error instanceof Error ? error.message : String(error) });
          }
        return kept;
      }
    : async (messages: readonly HeldMessage[]): Promise<readonly Kept[]> => {
        const { to, account } = redrives[queue];
        // A message without an account goes back alone, to be set aside again.
        await services.queues[to].send(messages.map(({ id, body, groupId }) => ({ body, groupId: groupId ?? account(body) ?? id })));
        return [];
      };

/**
 * Received, sent, removed, in this order: whatever fails in between leaves a message in both queues, never in none, and a message too
 * many is harmless, because attempts are fenced and products are written as they are.
 */
const redrive = onRegion({
  summary: 'Moves dead letters back to their queue with new receives to spend; replays the records that notices are about.',
  input: record({
    queue: oneOf(['delivery-dead-letters', 'search-dead-letters', 'parking-notices']),
    limit: limitOf(100, 1_000),
  }),
  async run(services, { queue, limit }) {
    const { queues, clock } = services;
    const work = workOf(services, queue);
    const startMs = clock.now();
    let redriven = 0;
    const failed: Kept[] = [];
    while (redriven + failed.length < limit && clock.now() - startMs < budgetMs) {
      const held = await queues[queue].receive();
      if (held.length === 0) break;
      const batch = held.slice(0, limit - redriven - failed.length);
      let kept: readonly Kept[];
      try {
        kept = await work(batch);
      } catch (error) {
        await queues[queue].release(held);
        throw error;
      }
      const done = batch.filter((message) => !kept.some((one) => one.message === message));
      await queues[queue].remove(done);
      if (batch.length < held.length) await queues[queue].release(held.slice(batch.length));
      redriven += done.length;
      failed.push(...kept);
    }
    // Held until now, so that none is received twice.
    await queues[queue].release(failed.map(({ message }) => message));
    const { waiting, in_flight } = await queues[queue].depth();
    const view = failed.map(({ message: { id }, reason }) => ({ id, reason }));
    return { queue, redriven, left: waiting + in_flight, ...(view.length > 0 ? { failed: view } : {}) };
  },
});

/** Messages looked through for one. */
const mostRead = 1_000;

const removeOne = async (queue: OperatedQueue, id: string): Promise<HeldMessage> => {
  const others: HeldMessage[] = [];
  try {
    while (others.length < mostRead) {
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
  summary: 'Removes one message by its id of queue.peek from a queue that no function reads, and shows it once more.',
  input: record({ queue: endQueue, id: recordId() }),
  run: async ({ queues }, { queue, id }) => ({ queue, discarded: messageView(await removeOne(queues[queue], id)) }),
});

export const queue = { status, peek, redrive, discard };

interface Parked {
  readonly payload?: string | { readonly Records?: readonly unknown[] };
}

/**
 * Fan-out parks single records. Lambda parks what fan-out could not take for 20 hours: a description of the invocation whose
 * `payload` is the event with its records, as JSON text.
 */
const recordsOf = (json: string): readonly string[] => {
  const { payload } = JSON.parse(json) as Parked;
  if (payload === undefined) return [json];
  const event = typeof payload === 'string' ? (JSON.parse(payload) as Exclude<Parked['payload'], string>) : payload;
  return (event?.Records ?? []).map((one) => JSON.stringify(one));
};

/** How many records there were under the key. */
const replay = async (services: Pick<ActionServices, 'parking' | 'replay'>, key: string): Promise<number> => {
  const json = await services.parking.fetch(key);
  if (json === undefined) throw notFound('Parked record');
  const records = recordsOf(json);
  for (const one of records) await services.replay(one);
  return records.length;
};

export const stream = {
  replay: onRegion({
    summary: 'Hands parked records of the change stream to fan-out once more.',
    input: record({ key: requiredText() }),
    run: async (services, { key }) => ({ replayed: await replay(services, key), key }),
  }),
};
