import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { momentMs, record, requiredText } from '../../shared/core/fields.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import type { AccountAction } from './action.ts';
import { endpointOf } from './endpoints.ts';
import { limitOf } from './limits.ts';

const input = record({
  endpoint_id: requiredText(),
  since: momentMs(),
  limit: limitOf(100, 100),
  cursor: v.exactOptional(requiredText(2_048)),
});

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';

export const redeliverFailed: AccountAction<typeof input> = {
  summary: 'Delivers the failed events of an endpoint again that happened since a moment, a page at a time, newest first.',
  account: 'required',
  input,
  async run(services, { endpoint_id, ...query }, { id: account }) {
    const { store, queue, clock } = services;
    const call = { account, operation: 'webhook.redeliver_failed', id: endpoint_id, query };
    const [page, endpoint] = await Promise.all([
      store.deliveries.list(account, endpoint_id, 'failed', pageRequest(call)),
      endpointOf(services, account, endpoint_id),
    ]);
    if (!endpoint.enabled) throw new ApiError('conflict', 'The endpoint is disabled; enable it first.');
    const wanted = page.records.filter((failed) => Date.parse(failed.created_at) >= query.since);
    const results = await Promise.allSettled(wanted.map((failed) => store.deliveries.restart(failed, clock.now())));
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    // What was started is due: should the queue refuse, the sweep sends it.
    await queue.send(started.map((attempt) => ({ body: encodeMessage(attempt), groupId: account })));
    // One that was started by somebody else meanwhile needs nothing; the rest did not work.
    for (const result of results) if (result.status === 'rejected' && !isConflict(result.reason)) throw result.reason;
    const { next, ...rest } = page;
    const reachesFurther = next !== undefined && wanted.length === page.records.length;
    const { pagination } = pageBody(call, reachesFurther ? page : rest, ({ id }) => id);
    return { endpoint_id, redelivered: started.length, has_more: pagination.has_more, next_cursor: pagination.next_cursor };
  },
};
