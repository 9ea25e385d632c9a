import { record } from '../../shared/core/fields.ts';
import type { HeldMessage } from '../../shared/providers/operated-queue.ts';
import type { FreeAction } from './action.ts';
import { limitOf } from './limits.ts';
import { endQueue, messageView } from './queues.ts';

const input = record({ queue: endQueue, limit: limitOf(10, 100) });

export const peekQueue: FreeAction<typeof input> = {
  summary: 'Shows messages of a queue that no function reads, and leaves them there.',
  account: 'none',
  input,
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
};
