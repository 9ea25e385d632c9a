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

/** Returns a function that loads a value once per account and batch. */
const once = <Value>(load: (account: string) => Promise<Value>): ((account: string) => Promise<Value>) => {
  const read = new Map<string, Promise<Value>>();
  return (account) => {
    const known = read.get(account) ?? load(account);
    read.set(account, known);
    return known;
  };
};

/** Returns a function that reads an account's endpoints, once per batch. */
export const readEndpoints = (store: Pick<Store, 'endpoints'>): ((account: string) => Promise<readonly Endpoint[]>) =>
  once((account) => store.endpoints.all(account));

/**
 * Returns a function that reads the ids of an account's endpoints with a delivery log, deleted ones
 * included, once per batch.
 */
export const readLogs = (store: Pick<Store, 'accountData'>): ((account: string) => Promise<readonly string[]>) =>
  once(async (account) => (await store.accountData.parts(account, 'deliveryRecord')).flatMap(({ of }) => of ?? []));

/** Returns a function that says whether changes of an account's products go to a search engine. */
export const readSearches = (store: Pick<Store, 'accounts'>): ((account: string) => Promise<boolean>) =>
  once(async (id) => Boolean((await store.accounts.getSettings(id)).search?.admin_key));

export interface FanOutContext {
  readonly store: Pick<Store, 'erasures' | 'events' | 'deliveries' | 'accountData'>;
  readonly endpoints: (account: string) => Promise<readonly Endpoint[]>;
  readonly searches: (account: string) => Promise<boolean>;
  /** Ids of the endpoints that have a delivery log, deleted ones included. */
  readonly logs: (account: string) => Promise<readonly string[]>;
  /** When the batch was read, in milliseconds. */
  readonly readMs: number;
  /** Limits the number of simultaneous writes of a batch. */
  readonly limited: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Messages of a record for each queue. */
export interface Outgoing {
  /** Time of the change, in milliseconds; undefined if the record does not contain it. */
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
   * Ids of endpoints that an earlier reading may have selected. They may have delivery records
   * without a message.
   */
  readonly former: readonly string[];
}

/** An event whose body is stored, now or perhaps by an earlier reading. */
interface StoredEvent extends HeardEvent {
  /** The delivery record that keeps the body, if one endpoint receives the event. */
  readonly record?: DeliveryRecord;
}

/** A stream record whose events are stored, and its messages for the search queue. */
export interface StoredRecord {
  readonly changedMs: number | undefined;
  readonly events: readonly StoredEvent[];
  readonly searches: readonly QueuedMessage[];
}

/** Computes everything from a record. If this fails, it fails at every reading. */
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

/** If a change is read later than this after it was made, it may have been read before. */
const readAgainMs = 1_000;

const recordFor = ({ id, account, type, changedMs }: HeardEvent, endpoint: Endpoint): DeliveryRecord =>
  pendingDelivery({ id, account, endpoint: endpoint.id, type }, changedMs);

/**
 * Stores the body of an event that endpoints receive: within the delivery record, if there is one
 * endpoint and the body fits.
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
 * it. An earlier reading may have stored an event that no endpoint receives now. Such an event is
 * not stored again, but it is handled further if it contains a person or may have had endpoints.
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
  // An endpoint that was deleted since an earlier reading has left its delivery log.
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
 * Returns a message for every change of a product. It names the product; its reader reads the
 * current state.
 */
const searchesOf = async ({ account, change, position }: StreamedChange, { searches }: FanOutContext): Promise<readonly QueuedMessage[]> =>
  change.kind === 'product' && (await searches(account))
    ? [{ groupId: account, body: encodeSearchMessage({ account, product: position.sort }) }]
    : [];

/** First step: interprets a stream record and stores the bodies of its events. */
export const storeRecord = async (record: DynamoDBRecord, context: FanOutContext): Promise<StoredRecord> => {
  const { streamed, events } = interpret(record);
  const [stored, searches] = await Promise.all([storeBodies(streamed, events, context), searchesOf(streamed, context)]);
  return { changedMs: streamed.changedMs || undefined, events: stored, searches };
};

/**
 * Removes erased persons from an event, because a change from before an erasure may be read after
 * it. Fan-out stores bodies and then reads erasures; an erasure is stored and then reads bodies. So
 * one of them always sees the other.
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
 * Creates a delivery record per endpoint. Returns the messages of those without an attempt,
 * including records of an earlier reading.
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

/** A stream record that no version of this code can read. */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
}

/** Errors of AWS that a repeated call gets again. */
const finalNames = new Set(['ValidationException', 'ItemCollectionSizeLimitExceededException']);

/**
 * Whether no retry can help, because the record cannot be read or AWS rejects its writes. All other
 * errors may pass, for example outages, throttling and missing permissions. The stream keeps the
 * record for a day.
 */
export const isPoison = (error: unknown): boolean =>
  error instanceof UnreadableRecord || (error instanceof Error && finalNames.has(error.name));
