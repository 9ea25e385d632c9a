import { oneOf, record } from '../../shared/core/fields.ts';
import type { HeldMessage } from '../../shared/providers/operated-queue.ts';
import type { ActionServices, FreeAction } from './action.ts';
import { limitOf } from './limits.ts';
import { budgetMs, noticedKeys, redrives } from './queues.ts';
import { replay } from './stream.replay.ts';

const input = record({
  queue: oneOf(['delivery-dead-letters', 'search-dead-letters', 'parking-notices']),
  limit: limitOf(100, 1_000),
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
export const redriveQueue: FreeAction<typeof input> = {
  summary: 'Moves dead letters back to their queue with new receives to spend; replays the records that notices are about.',
  account: 'none',
  input,
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
};
