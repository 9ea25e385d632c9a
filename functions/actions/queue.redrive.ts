import { oneOf, record } from '../../shared/core/fields.ts';
import type { HeldMessage } from '../../shared/providers/operated-queue.ts';
import type { ActionServices, FreeAction } from './action.ts';
import { limitOf } from './limits.ts';
import { budgetMs, noticedKeys, redrives } from './queues.ts';
import { replayParked } from './stream.replay.ts';

const input = record({
  queue: oneOf(['delivery-dead-letters', 'search-dead-letters', 'parking-notices']),
  limit: limitOf(100, 1_000),
});

/** What makes good each message of a queue before it is removed from there. */
const workOf = (services: ActionServices, queue: keyof typeof redrives | 'parking-notices') =>
  queue === 'parking-notices'
    ? async (messages: readonly HeldMessage[]) => {
        for (const key of messages.flatMap(({ body }) => noticedKeys(body))) await replayParked.run(services, { key });
      }
    : async (messages: readonly HeldMessage[]) => {
        const { to, account } = redrives[queue];
        // A message without an account goes back alone, to be set aside again.
        await services.queues[to].send(messages.map(({ id, body, groupId }) => ({ body, groupId: groupId ?? account(body) ?? id })));
      };

/**
 * Received, sent, removed, in this order: whatever fails in between leaves a message in both queues, never in none, and a message too
 * many is harmless, because attempts are fenced and products are written as they are.
 */
export const redriveQueue: FreeAction<typeof input> = {
  summary: 'Moves dead letters back to their queue with new receives to spend; replays the records that notices are about.',
  account: 'none',
  input,
  async run(services, { queue, limit }) {
    const { queues, clock } = services;
    const work = workOf(services, queue);
    const startMs = clock.now();
    let redriven = 0;
    while (redriven < limit && clock.now() - startMs < budgetMs) {
      const held = await queues[queue].receive();
      if (held.length === 0) break;
      const batch = held.slice(0, limit - redriven);
      try {
        await work(batch);
      } catch (error) {
        await queues[queue].release(held);
        throw error;
      }
      await queues[queue].remove(batch);
      if (batch.length < held.length) await queues[queue].release(held.slice(batch.length));
      redriven += batch.length;
    }
    const { waiting, in_flight } = await queues[queue].depth();
    return { queue, redriven, left: waiting + in_flight };
  },
};
