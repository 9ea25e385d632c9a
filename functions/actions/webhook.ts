import * as v from 'valibot';
import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { endOfRange, momentMs, oneOf, record, recordId } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { endpointView } from '../../shared/domain/webhook/fields.ts';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import { endpointEdits, endpointInput } from '../../shared/domain/webhook/rules.ts';
import { throttleReason, webhookTestRule } from '../../shared/http/rate-limits.ts';
import type { Operation, OperationCall } from '../../shared/operations/operation.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointDisabled,
  requireEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '../../shared/operations/webhook.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import { type ActionServices, decideByOperation, idField, integer, onAccount, pageFields } from './action.ts';

/**
 * Counts a test against the limit of 10 tests per account per minute. Tests through the REST API
 * count too.
 */
const countTest =
  ({ store }: ActionServices) =>
  async (account: string): Promise<void> => {
    const { name, limit } = webhookTestRule;
    const bucket = await store.buckets.take(name, account, limit);
    if (bucket.allowed) return;
    const why = throttleReason(bucket);
    throw new ApiError('limit_reached', `An account has ${limit} webhook tests per minute. Try again in a minute.`, {
      extra: { limit: name, max: limit },
      ...(why && { internal: why }),
    });
  };

/**
 * Returns the endpoint if it accepts deliveries. Throws 404 if it does not exist, 409 if it is
 * disabled or its account is closed.
 */
const requireReachable = (stored: Endpoint | undefined): Endpoint => {
  const endpoint = requireEndpoint(stored);
  if (endpoint.account_closed) throw new ApiError('conflict', 'The account is closed. Reopen it to send webhooks.');
  if (!endpoint.enabled) throw new ApiError('conflict', endpointDisabled);
  return endpoint;
};

/** Longest delay of a redelivery: the longest wait of the retry schedule, a day. */
const longestDelaySeconds = 86_400;

const redeliver = onAccount({
  summary: 'Delivers an event to an endpoint again, now or after a delay. Starts a new run of the retry schedule.',
  input: record({ endpoint_id: recordId(), event_id: recordId(), delay_seconds: v.exactOptional(integer(1, longestDelaySeconds)) }),
  async decide({ store, queue, clock, policy }, { endpoint_id, event_id, delay_seconds: delay = 0 }, { id: account }) {
    const ref = { account, endpoint: endpoint_id, event: event_id };
    const { record: delivery, body, endpoint } = await store.attempts.read({ ref, withEndpoint: true });
    requireEndpoint(endpoint);
    if (!delivery || body === undefined) throw notFound('Delivery');
    requireReachable(endpoint);
    const nowMs = clock.now();
    const notBeforeMs = delay === 0 ? undefined : nowMs + Math.ceil((delay * 1000) / policy.timeScale);
    const { write, attempt } = store.deliveries.restartWrite(delivery, notBeforeMs ?? nowMs);
    const message = { ...attempt, ...(notBeforeMs !== undefined && { notBeforeMs }) };
    const later = notBeforeMs !== undefined && { not_before: isoFromMs(notBeforeMs) };
    return {
      result: { endpoint_id, event_id, status: 'pending', attempts: 0, run: attempt.run, ...later },
      writes: [write],
      // If the queue fails or this function ends here, the sweep queues the attempt later.
      afterwards: () => queue.send([{ body: encodeMessage(message), groupId: account }]),
    };
  },
});

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';

const redeliverFailed = onAccount({
  summary: "Redelivers an endpoint's failed events of a time range, newest first. If `has_more` is true, call with the cursor.",
  input: record({
    endpoint_id: recordId(),
    since: momentMs('up'),
    until: v.exactOptional(endOfRange(momentMs())),
    type: v.exactOptional(oneOf(eventTypes)),
    ...pageFields(100, 100),
  }),
  async run({ store, queue, clock }, { endpoint_id, ...query }, { id: account }) {
    const { since, until, type } = query;
    if (until !== undefined && until < since) throw invalidValue('until', 'until must not be before since.');
    const call = { account, operation: 'webhook.redeliver_failed', id: endpoint_id, query };
    const [page, endpoint] = await Promise.all([
      store.deliveries.list(account, endpoint_id, 'failed', pageRequest(call)),
      store.endpoints.get(account, endpoint_id),
    ]);
    requireReachable(endpoint);
    const recent = page.records.filter(({ created_at }) => Date.parse(created_at) >= since);
    const matching = recent.filter(
      (failed) => (until === undefined || Date.parse(failed.created_at) <= until) && (type ?? failed.type) === failed.type,
    );
    // A page with an older failure is the last one.
    const next = recent.length === page.records.length ? page.next : undefined;
    const remaining = next
      ? await store.deliveries.countFailed(account, endpoint_id, { since, until, type }, next)
      : { count: 0, orMore: false };
    const results = await Promise.allSettled(matching.map((failed) => store.deliveries.restart(failed, clock.now())));
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    // If the queue fails, the sweep queues the attempts later.
    await queue.send(started.map((attempt) => ({ body: encodeMessage(attempt), groupId: account })));
    // If another call has already redelivered an event, the conflict is ignored. Other errors are
    // thrown.
    for (const result of results) if (result.status === 'rejected' && !isConflict(result.reason)) throw result.reason;
    const { pagination } = pageBody(call, { records: page.records, ...(next && { next }) }, ({ id }) => id);
    return {
      endpoint_id,
      redelivered: started.length,
      left: remaining.count,
      left_or_more: remaining.orMore,
      has_more: pagination.has_more,
      next_cursor: pagination.next_cursor,
    };
  },
});

/** Runs an operation of the REST API: on the endpoint with the id, or without one for the account. */
const decideOnEndpoint = <Body, Data, Result>(
  operation: Operation<OperationCall<Body>, Data, Result>,
  { clock }: ActionServices,
  account: Account,
  body: Body,
  id = '',
) => decideByOperation(operation, { account: account.id, id, body, nowMs: clock.now() }, account);

export const webhook = {
  create: onAccount({
    summary: 'Registers a webhook endpoint. Only this response shows its secret.',
    input: endpointInput,
    decide: (services, body, account) => decideOnEndpoint(createEndpoint(services), services, account, body),
  }),
  list: onAccount({
    summary: 'Lists the webhook endpoints with their delivery statistics.',
    input: record({}),
    read: async ({ store }, _input, { id }) => ({ data: (await store.endpoints.all(id)).map(endpointView) }),
  }),
  update: onAccount({
    summary: 'Changes the URL, events or description of a webhook endpoint.',
    input: record({ ...idField, ...endpointEdits }),
    decide: (services, { id, ...body }, account) => decideOnEndpoint(updateEndpoint(services), services, account, body, id),
  }),
  delete: onAccount({
    summary: 'Deletes a webhook endpoint. This cannot be undone. Its pending deliveries fail when they are due.',
    input: record(idField),
    decide: (services, { id }, account) => decideOnEndpoint(deleteEndpoint(services), services, account, {}, id),
  }),
  test: onAccount({
    summary: 'Sends a test event to a webhook endpoint now. Ten tests a minute per account, those of the REST API included.',
    input: record(idField),
    async run(services, { id }, account) {
      const test = testEndpoint({ ...services, countTest: countTest(services) });
      return (await decideOnEndpoint(test, services, account, {}, id)).result;
    },
  }),
  rotate_secret: onAccount({
    summary: 'Creates a new secret, which only this response shows. This cannot be undone. The old secret also signs for 24 hours.',
    input: record(idField),
    decide: (services, { id }, account) => decideOnEndpoint(rotateSecret(services), services, account, {}, id),
  }),
  enable: onAccount({
    summary: 'Enables a webhook endpoint. Events that happened while it was disabled are not delivered.',
    input: record(idField),
    decide: (services, { id }, account) => decideOnEndpoint(updateEndpoint(services), services, account, { enabled: true }, id),
  }),
  disable: onAccount({
    summary: 'Disables a webhook endpoint. Its pending deliveries fail when they are due.',
    input: record(idField),
    decide: (services, { id }, account) => decideOnEndpoint(updateEndpoint(services), services, account, { enabled: false }, id),
  }),
  redeliver,
  redeliver_failed: redeliverFailed,
};
