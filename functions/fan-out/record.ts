import type { DynamoDBRecord } from 'aws-lambda';
import { customerOfEvent, emptyEvent, eraseEvent } from '../../shared/domain/erasure.ts';
import { eventsOfChange } from '../../shared/domain/event/changes.ts';
import { encodeEvent, eventIdOf } from '../../shared/domain/event/envelope.ts';
import type { EventType } from '../../shared/domain/event/types.ts';
import { encodeSearchMessage } from '../../shared/domain/product/search.ts';
import { type DeliveryRecord, type Endpoint, mayHaveSubscribed, pendingDelivery, subscribes } from '../../shared/domain/webhook/record.ts';
import type { QueuedMessage } from '../../shared/providers/queue.ts';
import { keepBody } from '../../shared/table/delivery-items.ts';
import type { Store } from '../../shared/table/store.ts';
import { readStreamRecord, type StreamedChange } from '../../shared/table/stream.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';

/** Returns a loader that reads each account once per batch, even if many records need it. */
const once = <Value>(load: (account: string) => Promise<Value>): ((account: string) => Promise<Value>) => {
  const read = new Map<string, Promise<Value>>();
  return (account) => {
    const known = read.get(account) ?? load(account);
    read.set(account, known);
    return known;
  };
};

/** Returns a loader of the endpoints of an account, which reads each account once per batch. */
export const readEndpoints = (store: Pick<Store, 'endpoints'>): ((account: string) => Promise<readonly Endpoint[]>) =>
  once((account) => store.endpoints.all(account));

/**
 * Returns a loader of the ids of an account's endpoints that have a delivery log, including deleted
 * endpoints. It reads each account once per batch.
 */
export const readLogs = (store: Pick<Store, 'accountData'>): ((account: string) => Promise<readonly string[]>) =>
  once(async (account) => (await store.accountData.parts(account, 'deliveryRecord')).flatMap(({ of }) => of ?? []));

/** Returns a loader that says whether an account has a search collection to write to. */
export const readSearches = (store: Pick<Store, 'accounts'>): ((account: string) => Promise<boolean>) =>
  once(async (id) => Boolean((await store.accounts.getSettings(id)).search?.admin_key));

export interface FanOutContext {
  readonly store: Pick<Store, 'erasures' | 'events' | 'deliveries' | 'accountData'>;
  readonly endpoints: (account: string) => Promise<readonly Endpoint[]>;
  readonly searches: (account: string) => Promise<boolean>;
  /** Ids of the endpoints that have a delivery log, including deleted endpoints. */
  readonly logs: (account: string) => Promise<readonly string[]>;
  /** Time at which the batch was read, in milliseconds. */
  readonly readMs: number;
  /** Runs a write within the batch's limit of parallel writes. */
  readonly limited: <Result>(work: () => Promise<Result>) => Promise<Result>;
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
  readonly body: string;
  /** Id of the event's customer. */
  readonly customer: string | undefined;
}

/** An event of a change, and the endpoints that receive it. */
interface HeardEvent extends MadeEvent {
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
interface StoredEvent extends HeardEvent {
  /** The delivery record that contains the body, if exactly one endpoint receives the event. */
  readonly record?: DeliveryRecord;
}

/** A change with stored event bodies, and its messages for the search queue. */
export interface StoredRecord {
  readonly changedMs: number | undefined;
  readonly events: readonly StoredEvent[];
  readonly searches: readonly QueuedMessage[];
}

/**
 * Computes the events of a record without any input except the record. If it fails, it fails at
 * every reading.
 */
const interpret = (record: DynamoDBRecord): { streamed: StreamedChange; events: readonly MadeEvent[] } => {
  try {
    const streamed = readStreamRecord(record);
    const { account, change, changedMs, createdSeconds, position } = streamed;
    const events = eventsOfChange(change).map(({ type, object }) => {
      const id = eventIdOf(position, type, changedMs);
      return { id, type, body: encodeEvent({ id, type, createdSeconds, account, object }), customer: customerOfEvent(type, object) };
    });
    return { streamed, events };
  } catch (cause) {
    throw new UnreadableRecord(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

/** If a change is read this long after it was made, an earlier reading of it may have failed. */
const readAgainMs = 1_000;

const recordFor = ({ id, account, type, changedMs }: HeardEvent, endpoint: Endpoint): DeliveryRecord =>
  pendingDelivery({ id, account, endpoint: endpoint.id, type }, changedMs);

/**
 * Stores the body of an event that endpoints receive. If there is one endpoint and the body fits,
 * the delivery record contains it.
 */
const storeBody = async (event: HeardEvent, { store, limited }: FanOutContext): Promise<StoredEvent> => {
  const { id, account, type, body, changedMs, endpoints } = event;
  const [first, second] = endpoints;
  if (!first) return event;
  const kept = second ? undefined : keepBody(body);
  if (kept) return { ...event, record: await limited(() => store.deliveries.create(recordFor(event, first), kept)) };
  await limited(() => store.events.create({ id, account, type, body, createdMs: changedMs }));
  return event;
};

/**
 * Stores the body of each event that an endpoint receives, before any delivery record that needs
 * it. If no endpoint receives an event, its body is not stored now, but an earlier reading that
 * failed may have stored it. Such an event still goes to the next step if it contains a person or
 * may have had endpoints.
 */
const storeBodies = async (
  { account, changedMs, createdSeconds }: StreamedChange,
  made: readonly MadeEvent[],
  context: FanOutContext,
): Promise<readonly StoredEvent[]> => {
  if (made.length === 0) return [];
  const all = await context.endpoints(account);
  const mayBeRepeated = context.readMs - changedMs > readAgainMs;
  const moment = { changedMs, committedMs: createdSeconds * 1000 };
  // If an endpoint was deleted after an earlier reading, its delivery log still exists.
  const deleted = mayBeRepeated ? (await context.logs(account)).filter((log) => all.every(({ id }) => id !== log)) : [];
  const heard = made.map((event): HeardEvent => {
    const endpoints = all.filter((endpoint) => subscribes(endpoint, event.type, moment));
    const unsubscribed = all.filter((endpoint) => !endpoints.includes(endpoint) && mayHaveSubscribed(endpoint, moment));
    return { ...event, account, changedMs, endpoints, former: [...unsubscribed.map(({ id }) => id), ...deleted] };
  });
  const known = heard.filter(
    ({ endpoints, former, customer }) => endpoints.length + former.length > 0 || (mayBeRepeated && customer !== undefined),
  );
  return await Promise.all(known.map((event) => storeBody(event, context)));
};

/**
 * Returns the search messages of a change: one for every change of a product, even if it causes no
 * event. The message names the product, and its reader reads the current state.
 */
const searchesOf = async ({ account, change, position }: StreamedChange, { searches }: FanOutContext): Promise<readonly QueuedMessage[]> =>
  change.kind === 'product' && (await searches(account))
    ? [{ groupId: account, body: encodeSearchMessage({ account, product: position.sort }) }]
    : [];

/** First step: interprets a record of the change stream and stores the bodies of its events. */
export const storeRecord = async (record: DynamoDBRecord, context: FanOutContext): Promise<StoredRecord> => {
  const { streamed, events } = interpret(record);
  const [stored, searches] = await Promise.all([storeBodies(streamed, events, context), searchesOf(streamed, context)]);
  return { changedMs: streamed.changedMs || undefined, events: stored, searches };
};

/**
 * Removes an erased person from the stored bodies. A change from before an erasure may be read
 * after it. Fan-out looks for erasures after it has stored the bodies; an erasure reads the bodies
 * after it has begun. So the later of the two always finds the other.
 */
const forgetErased = async (event: StoredEvent, { erasures, events, deliveries, accountData }: FanOutContext['store']) => {
  const { id, account, body, customer, record } = event;
  const extent = await erasures.extent(event);
  if (!extent) return;
  const person = { id: customer ?? '', email: null, phone: null, name: null };
  const left = extent === 'account' ? emptyEvent(body) : eraseEvent(body, person);
  if (left === undefined) return;
  const logs = await accountData.parts(account, 'deliveryRecord');
  const kept = [...(record ? [record.endpoint] : []), ...logs.map(({ of = '' }) => of)];
  await Promise.all([
    events.rewrite(account, id, left),
    ...kept.map((endpoint) => deliveries.rewriteBody({ account, endpoint, event: id }, left)),
  ]);
};

/**
 * Creates one delivery record per endpoint. Returns the messages of the records without an attempt,
 * including records that an earlier reading created.
 */
const publish = async (event: StoredEvent, { store, limited }: FanOutContext): Promise<readonly QueuedMessage[]> => {
  const { id, account, endpoints, former, record } = event;
  const [records, earlier] = await Promise.all([
    record ? [record] : Promise.all(endpoints.map((endpoint) => limited(() => store.deliveries.create(recordFor(event, endpoint))))),
    Promise.all(former.map((endpoint) => store.deliveries.get(account, endpoint, id))),
    forgetErased(event, store),
  ]);
  return [...records, ...earlier.flatMap((found) => found ?? [])]
    .filter(({ status, attempts }) => status === 'pending' && attempts === 0)
    .map(({ endpoint, run }) => ({ groupId: account, body: encodeMessage({ account, endpoint, event: id, run, attempt: 0 }) }));
};

/**
 * Second step: returns the messages of a record of the change stream. A repeated reading returns
 * the same.
 */
export const publishRecord = async ({ changedMs, events, searches }: StoredRecord, context: FanOutContext): Promise<Outgoing> => {
  const messages = await Promise.all(events.map((event) => publish(event, context)));
  return { changedMs, deliveries: messages.flat(), searches };
};

/** Thrown for a stream record that this version of the code cannot read. */
class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
}

/** Names of AWS errors that a retry cannot change. */
const finalNames = new Set(['ValidationException', 'ItemCollectionSizeLimitExceededException']);

/**
 * Whether no retry can help: the record cannot be read, or AWS rejects its writes. Outages,
 * throttling and missing permissions may pass, and the stream keeps the record for a day.
 */
export const isPoison = (error: unknown): boolean =>
  error instanceof UnreadableRecord || (error instanceof Error && finalNames.has(error.name));
