import { record } from '../../shared/core/fields.ts';
import type { FreeAction } from './action.ts';
import { queueNames } from './queues.ts';

const input = record({});

export const queueStatus: FreeAction<typeof input> = {
  summary: 'Counts what lies in every queue of the region, dead letters included; SQS counts approximately.',
  account: 'none',
  input,
  async read({ queues }) {
    const depths = await Promise.all(queueNames.map((name) => queues[name].depth()));
    return { data: queueNames.map((queue, i) => ({ queue, ...depths[i] })) };
  },
};
