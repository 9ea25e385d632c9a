import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import type { HeldMessage } from '../../shared/providers/operated-queue.ts';
import type { FreeAction } from './action.ts';
import { endQueue, messageView } from './queues.ts';

const input = record({ queue: endQueue, id: requiredText() });

/** Messages looked through for one. */
const mostRead = 1_000;

export const discardMessage: FreeAction<typeof input> = {
  summary: 'Removes one message by its id of queue.peek from a queue that no function reads, and shows it once more.',
  account: 'none',
  input,
  async run({ queues }, { queue, id }) {
    const others: HeldMessage[] = [];
    try {
      while (others.length < mostRead) {
        const batch = await queues[queue].receive();
        if (batch.length === 0) break;
        const found = batch.find((message) => message.id === id);
        others.push(...batch.filter((message) => message !== found));
        if (!found) continue;
        await queues[queue].remove([found]);
        return { queue, discarded: messageView(found) };
      }
    } finally {
      await queues[queue].release(others);
    }
    throw notFound('Message');
  },
};
