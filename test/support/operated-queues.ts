import { type LocalQueue, openQueue, operatedQueueOf } from '../../local/engine/queue.ts';
import { openState } from '../../local/engine/state.ts';
import type { Clock } from '../../shared/core/clock.ts';
import type { OperatedQueue } from '../../shared/providers/operated-queue.ts';

const names = ['delivery', 'delivery-dead-letters', 'search', 'search-dead-letters', 'sweep-failures', 'parking-notices'] as const;
type Name = (typeof names)[number];

/** The queues of a region in memory, as the local runtime has them. */
export interface QueuesOfTest {
  readonly queues: Readonly<Record<Name, OperatedQueue>>;
  readonly local: Readonly<Record<Name, LocalQueue>>;
  close(): void;
}

export const openOperatedQueues = async (clock: Clock): Promise<QueuesOfTest> => {
  const state = await openState(undefined);
  const open = (name: Name) => openQueue({ state, name, clock, visibilityTimeoutMs: 360_000, maxReceiveCount: 1_000 });
  const opened = names.map((name) => [name, open(name)] as const);
  return {
    queues: Object.fromEntries(opened.map(([name, queue]) => [name, operatedQueueOf(queue)])) as QueuesOfTest['queues'],
    local: Object.fromEntries(opened) as QueuesOfTest['local'],
    close: () => state.close(),
  };
};
