import * as v from 'valibot';
import { notFound } from '../../shared/core/errors.ts';
import { oneOf, record, recordId } from '../../shared/core/fields.ts';
import { deliveryView } from '../../shared/domain/webhook/fields.ts';
import { type DeliveryRecord, deliveryStatuses } from '../../shared/domain/webhook/record.ts';
import { listDeliveries } from '../../shared/operations/webhook.ts';
import type { InspectedDelivery } from '../../shared/table/deliveries.ts';
import { decodeWithRecordId, recordIdOf } from '../../shared/table/delivery-items.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { requeueOverdue } from '../../shared/webhooks/overdue.ts';
import { budgetMs, decideByOperation, limitField, onAccount, onRegion, pageFields } from './action.ts';

/** Returns the view of the REST API's delivery log, with the run of the retry schedule. */
const runView = (record: DeliveryRecord) => ({ endpoint_id: record.endpoint, ...deliveryView(record), run: record.run });

/**
 * Returns the same view with every attempt of the last five runs and the response to the last
 * failed attempt.
 */
const inspectedView = ({ record, attempts, receiverResponse }: InspectedDelivery) => ({
  ...runView(record),
  attempt_log: attempts,
  last_response: receiverResponse,
});

const find = onAccount({
  summary: "Shows an event's delivery to each endpoint, with the attempts of its last five runs.",
  input: record({ event_id: recordId(), body: v.optional(v.boolean('must be true or false'), false) }),
  async read({ store }, { event_id, body: wantsBody }, { id: account }) {
    const [endpoints, logs, event] = await Promise.all([
      store.endpoints.all(account),
      store.accountData.parts(account, 'deliveryRecord'),
      store.events.get(account, event_id),
    ]);
    const inspected = await Promise.all(logs.map(({ owner = '' }) => store.deliveries.inspect(account, owner, event_id)));
    const found = inspected.filter((delivery) => delivery !== undefined);
    const type = event?.type ?? found[0]?.record.type;
    if (type === undefined) throw notFound('Event');
    const deliveries = endpoints.flatMap(({ id, url, enabled }) =>
      found
        .filter(({ record: { endpoint } }) => endpoint === id)
        .map((delivery) => ({ ...inspectedView(delivery), url, endpoint_enabled: enabled })),
    );
    const body = event?.body ?? found.find((delivery) => delivery.body !== undefined)?.body ?? null;
    return { event_id, type, deliveries, ...(wantsBody && { body: body && (await withoutErased(store, account, body)) }) };
  },
});

const get = onAccount({
  summary: "Shows an event's delivery to one endpoint, even if it is deleted: body, attempts of five runs, last failed response.",
  input: record({ endpoint_id: recordId(), event_id: recordId() }),
  async read({ store }, { endpoint_id, event_id }, { id: account }) {
    const inspected = await store.deliveries.inspect(account, endpoint_id, event_id);
    if (!inspected) throw notFound('Delivery');
    const body = inspected.body ?? (await store.events.get(account, event_id))?.body ?? null;
    return { ...inspectedView(inspected), body: body && (await withoutErased(store, account, body)) };
  },
});

const list = onAccount({
  summary: 'Lists the deliveries of a webhook endpoint, newest first.',
  input: record({ endpoint_id: recordId(), status: v.exactOptional(oneOf(deliveryStatuses)), ...pageFields(50, 100) }),
  async read(services, { endpoint_id: id, ...query }, account) {
    const call = { account: account.id, operation: 'delivery.list', id, query };
    const view = (listed: DeliveryRecord) => ({ ...runView(listed), record_id: listed.record_id });
    const { result } = await decideByOperation(listDeliveries(services, decodeWithRecordId, view), call, account);
    const complete = async (listed: (typeof result.data)[number]) => {
      const isGivenUp = listed.last_error === 'endpoint_disabled' && listed.attempts > 0;
      const { last_status_code: code, record_id } = listed;
      if (record_id !== null && !isGivenUp) return { ...listed, last_response_code: code };
      // Entries of the status index have no body, and no entry has its attempts. The records are read together.
      const found = await services.store.deliveries.inspect(account.id, id, listed.id);
      const last = isGivenUp ? found?.attempts.at(-1)?.status_code : code;
      return { ...listed, record_id: record_id ?? recordIdOf(found?.body), last_response_code: last ?? null };
    };
    return { ...result, data: await Promise.all(result.data.map(complete)) };
  },
});

const requeueOverdueNow = onRegion({
  summary: 'Queues overdue deliveries now, as the sweep does. Of one account, if you name it.',
  input: record({ limit: limitField(1_000, 10_000), account_id: v.exactOptional(recordId()) }),
  async resume({ store: { deliveries }, queue, policy, clock }, { limit, account_id }) {
    const { outcome, failure } = await requeueOverdue(
      { deliveries, queue, policy, clock },
      { shards: dueShards, budgetMs, limit, ...(account_id === undefined ? {} : { account: account_id }) },
    );
    if (failure !== undefined) throw failure;
    return outcome;
  },
});

export const delivery = { find, get, list, requeue_overdue: requeueOverdueNow };
