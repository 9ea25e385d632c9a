import * as v from 'valibot';
import { record, requiredText } from '../../shared/core/fields.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { requeueOverdue } from '../../shared/webhooks/overdue.ts';
import type { FreeAction } from './action.ts';
import { limitOf } from './limits.ts';
import { budgetMs } from './queues.ts';

const input = record({ limit: limitOf(1_000, 10_000), account_id: v.exactOptional(requiredText()) });

export const requeueDeliveries: FreeAction<typeof input> = {
  summary: 'Does what the sweep does, now: overdue deliveries go back to the queue, all or those of one account.',
  account: 'none',
  input,
  async resume({ store: { deliveries }, queue, policy, clock }, { limit, account_id }) {
    const { outcome, failure } = await requeueOverdue(
      { deliveries, queue, policy, clock },
      { shards: dueShards, budgetMs, limit, ...(account_id === undefined ? {} : { account: account_id }) },
    );
    if (failure !== undefined) throw failure;
    return outcome;
  },
};
