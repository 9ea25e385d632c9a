import type { DynamoDBRecord } from 'aws-lambda';
import { awaitAll } from '../../shared/core/promises.ts';
import { eventsOfChange } from '../../shared/domain/event/changes.ts';
import { encodeEvent, eventIdOf } from '../../shared/domain/event/envelope.ts';
import type { EventType } from '../../shared/domain/event/types.ts';
import { encodeSearchMessage } from '../../shared/domain/product/search.ts';
import {
  type DeliveryRecord,
  type Endpoint,
  longestCommitMs,
  type Moment,
  mayHaveSubscribed,
  pendingDelivery,
  subscribes,
} from '../../shared/domain/webhook/record.ts';
import type { QueuedMessage } from '../../shared/providers/queue.ts';
import { deflateIfShort } from '../../shared/table/delivery-items.ts';
import type { EndpointsWithFormer } from '../../shared/table/endpoints.ts';
import { changeBody } from '../../shared/table/packed-body.ts';
import type { Store } from '../../shared/table/store.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { readStreamRecord, type StreamedChange } from '../../shared/table/stream.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';

/** Returns a loader that reads each account once per batch, even if many records need it. */
const oncePerAccount = <Value>(load: (account: string) => Promise<Value>): ((account: string) => Promise<Value>) => {
  const read = new Map<string, Promise<Value>>();
  return (account) => {
    const known = read.get(account) ?? load(account);
    read.set(account, known);
    return known;
  };
};

/**
 * Returns a loader of an account's endpoints, and of those that were deleted since a change of the
 * batch was committed. It reads each account once per batch.
 */
export const endpointLoader = (
  store: Pick<Store, 'endpoints'>,
  changes: readonly ReadRecord[],
): ((account: string) => Promise<EndpointsWithFormer>) => {
  const moments = changes.flatMap(({ streamed, events }) => (events.length > 0 ? [momentOf(streamed)] : []));
  const sinceMs = Math.max(0, Math.min(...moments.flatMap(({ changedMs, committedMs }) => [changedMs, committedMs])) - longestCommitMs);
  return oncePerAccount((account) => store.endpoints.withFormer(account, sinceMs));
};

/** Returns a loader that says whether an account has a search collection to write to. */
export const searchLoader = (store: Pick<Store, 'accounts'>): ((account: string) => Promise<boolean>) =>
  oncePerAccount(async (id) => Boolean((await store.accounts.getSettings(id)).search?.admin_key));

export interface FanOutContext {
  readonly store: Pick<Store, 'erasures' | 'events' | 'deliveries' | 'accountData'>;
  readonly endpointsOf: (account: string) => Promise<EndpointsWithFormer>;
  readonly hasSearch: (account: string) => Promise<boolean>;
  /** Runs a write within the batch's limit of parallel writes. */
  readonly withinWriteLimit: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Messages of a record for each queue. */
export interface Outgoing {
  /** Time of the change according to its writer. Undefined if the record does not contain it. */
  readonly changedMs: number | undefined;
  readonly deliveries: readonly QueuedMessage[];
  readonly searches: readonly QueuedMessage[];
}

/** An event as it is stored and sent. */
interface MadeEvent {
  readonly id: string;
  readonly type: EventType;
  readonly record_id: string;
  readonly body: string;
}

/** An event of a change, and the endpoints that receive it. */
interface AddressedEvent extends MadeEvent {
  readonly account: string;
  readonly changedMs: number;
  readonly endpoints: readonly Endpoint[];
  /**
   * Ids of endpoints that may have received the event in an earlier reading. They may have records
   * without a message.
   */
  readonly former: readonly string[];
}

/** An event. Its body is stored now, or may be stored from an earlier reading. */
interface StoredEvent extends AddressedEvent {
  /** The delivery record that contains the body, if exactly one endpoint receives the event. */
  readonly record?: DeliveryRecord;
}

/** A record of the change stream: its change and the events that it leads to. */
interface ReadRecord {
  readonly streamed: StreamedChange;
  readonly events: readonly MadeEvent[];
}

const momentOf = ({ changedMs, createdSeconds }: StreamedChange): Moment => ({ changedMs, committedMs: createdSeconds * 1000 });

/**
 * First step: computes the events of a record without any input except the record. If it fails, it
 * fails at every reading.
 */
export const readRecord = async (record: DynamoDBRecord): Promise<ReadRecord> => {
  try {
    const streamed = readStreamRecord(record);
    const { account, change, changedMs, createdSeconds, position } = streamed;
    const events = eventsOfChange(change).map(({ type, object }) => {
      const id = eventIdOf(position, type, changedMs);
      return { id, type, record_id: object.id, body: encodeEvent({ id, type, createdSeconds, account, object }) };
    });
    return { streamed, events };
  } catch (cause) {
    throw new UnreadableRecord(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

const recordFor = ({ id, account, type, record_id, changedMs }: AddressedEvent, endpoint: Endpoint): DeliveryRecord =>
  pendingDelivery({ id, account, endpoint: endpoint.id, type, record_id }, changedMs);

/**
 * Stores the body of an event that endpoints receive. If there is one endpoint and the body fits,
 * the delivery record contains it.
 */
const storeBody = async (event: AddressedEvent, { store, withinWriteLimit }: FanOutContext): Promise<StoredEvent> => {
  const { id, account, type, body, changedMs, endpoints } = event;
  const [first, second] = endpoints;
  if (!first) return event;
  const inlineBody = second ? undefined : deflateIfShort(body);
  if (inlineBody) return { ...event, record: await withinWriteLimit(() => store.deliveries.create(recordFor(event, first), inlineBody)) };
  await withinWriteLimit(() => store.events.create({ id, account, type, body, createdMs: changedMs }));
  return event;
};

/**
 * Returns who receives an event: the endpoints that subscribe, and who may have had it in an
 * earlier reading.
 */
const audienceOf = (type: EventType, { endpoints: all, former: deleted }: EndpointsWithFormer, moment: Moment) => {
  const endpoints = all.filter((endpoint) => subscribes(endpoint, type, moment));
  const unsubscribed = all.filter((endpoint) => !endpoints.includes(endpoint) && mayHaveSubscribed(endpoint, moment));
  return { endpoints, former: [...unsubscribed.map(({ id }) => id), ...deleted] };
};

/**
 * Finds the audience of each event and stores its body, before any delivery record that needs it. If
 * no endpoint receives an event, its body is not stored now, but an earlier reading that failed may
 * have stored it.
 */
const storeBodies = async ({ streamed, events }: ReadRecord, context: FanOutContext): Promise<readonly StoredEvent[]> => {
  if (events.length === 0) return [];
  const { account, changedMs } = streamed;
  const registered = await context.endpointsOf(account);
  const storeWithAudience = (event: MadeEvent): Promise<StoredEvent> =>
    storeBody({ ...event, account, changedMs, ...audienceOf(event.type, registered, momentOf(streamed)) }, context);
  return await awaitAll(events.map(storeWithAudience));
};

/**
 * Returns the search messages of a change: one for every change of a product, even if it causes no
 * event. The message names the product, and its reader reads the current state.
 */
const searchesOf = async (
  { account, change, position }: StreamedChange,
  { hasSearch }: FanOutContext,
): Promise<readonly QueuedMessage[]> =>
  change.kind === 'product' && (await hasSearch(account))
    ? [{ groupId: account, body: encodeSearchMessage({ account, product: position.sort }) }]
    : [];

/** Second step: stores the bodies of a record's events. Also returns its messages for the search queue. */
export const storeRecord = async (record: ReadRecord, context: FanOutContext) => {
  const [events, searches] = await awaitAll([storeBodies(record, context), searchesOf(record.streamed, context)]);
  return { changedMs: record.streamed.changedMs || undefined, events, searches };
};

type StoredRecord = Awaited<ReturnType<typeof storeRecord>>;

/**
 * Removes an erased person from the stored bodies. A change from before an erasure may be read
 * after it. Fan-out looks for erasures after it has stored the bodies; an erasure reads the bodies
 * after it has begun. So the later of the two always finds the other.
 */
const removeErasedPersons = async (event: StoredEvent, store: FanOutContext['store']) => {
  const { events, deliveries, accountData } = store;
  const { id, account, body, record } = event;
  const change = (stored: string) => withoutErased(store, account, stored);
  if ((await change(body)) === body) return;
  const logs = await accountData.parts(account, 'deliveryRecord');
  const endpointIds = [...(record ? [record.endpoint] : []), ...logs.map(({ owner = '' }) => owner)];
  await awaitAll([
    changeBody(body, change, (before, after) => events.rewrite(account, id, before, after)),
    ...endpointIds.map((endpoint) =>
      changeBody(deflateIfShort(body), change, (before, after) => deliveries.rewriteBody({ account, endpoint, event: id }, before, after)),
    ),
  ]);
};

/**
 * Creates one delivery record per endpoint. Returns the messages of the records without an attempt,
 * including records that an earlier reading created.
 */
const publish = async (event: StoredEvent, { store, withinWriteLimit }: FanOutContext): Promise<readonly QueuedMessage[]> => {
  const { id, account, endpoints, former, record } = event;
  const [records, earlier] = await awaitAll([
    record ? [record] : awaitAll(endpoints.map((endpoint) => withinWriteLimit(() => store.deliveries.create(recordFor(event, endpoint))))),
    awaitAll(former.map((endpoint) => store.deliveries.get(account, endpoint, id))),
    removeErasedPersons(event, store),
  ]);
  return [...records, ...earlier.flatMap((found) => found ?? [])]
    .filter(({ status, attempts }) => status === 'pending' && attempts === 0)
    .map(({ endpoint, run }) => ({ groupId: account, body: encodeMessage({ account, endpoint, event: id, run, attempt: 0 }) }));
};

/**
 * Third step: creates the delivery records of a record's events. Returns its messages. A repeated
 * reading returns the same.
 */
export const publishRecord = async ({ changedMs, events, searches }: StoredRecord, context: FanOutContext): Promise<Outgoing> => {
  const messages = await awaitAll(events.map((event) => publish(event, context)));
  return { changedMs, deliveries: messages.flat(), searches };
};

/** Thrown for a stream record that this version of the code cannot read. */
class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
}

/** Names of AWS errors that a retry cannot change. */
const permanentErrors = new Set(['ValidationException', 'ItemCollectionSizeLimitExceededException']);

/**
 * Whether no retry can help: the record cannot be read, or AWS rejects its writes. Outages,
 * throttling and missing permissions may pass, and the stream keeps the record for a day.
 */
export const isPermanent = (error: unknown): boolean =>
  error instanceof UnreadableRecord || (error instanceof Error && permanentErrors.has(error.name));
