import type { DynamoDBRecord } from 'aws-lambda';
import { type Account, emitsEvents } from '../../shared/domain/account.ts';
import { customerOfEvent, emptyEvent, eraseEvent } from '../../shared/domain/erasure.ts';
import type { EventType } from '../../shared/domain/event-types.ts';
import { encodeSearchMessage } from '../../shared/domain/search-message.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { type Endpoint, pendingDelivery, subscribes } from '../../shared/domain/webhook.ts';
import { eventsOfChange } from '../../shared/events/changes.ts';
import { encodeEvent } from '../../shared/events/envelope.ts';
import { eventIdOf } from '../../shared/events/event-id.ts';
import type { QueuedMessage } from '../../shared/providers/queue.ts';
import type { Store } from '../../shared/table/store.ts';
import { readStreamRecord, type StreamedChange } from '../../shared/table/stream.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import { UnreadableRecord } from './poison.ts';

/** Reads once per batch what many records ask for. */
const once = <Value>(load: (account: string) => Promise<Value>): ((account: string) => Promise<Value>) => {
  const read = new Map<string, Promise<Value>>();
  return (account) => {
    const known = read.get(account) ?? load(account);
    read.set(account, known);
    return known;
  };
};

interface AccountWithEndpoints {
  readonly account: Account | undefined;
  readonly endpoints: readonly Endpoint[];
}

/** Each account and its endpoints, read once per batch. */
export const readAccounts = (store: Pick<Store, 'accounts' | 'endpoints'>): ((account: string) => Promise<AccountWithEndpoints>) =>
  once(async (id) => {
    const [account, endpoints] = await Promise.all([store.accounts.get(id), store.endpoints.all(id)]);
    return { account, endpoints };
  });

/** Whether an account has a search collection that is written to. */
export const readSearches = (store: Pick<Store, 'accounts'>): ((account: string) => Promise<boolean>) =>
  once(async (id) => Boolean(((await store.accounts.getSettings(id)) as Settings).search?.admin_key));

export interface FanOutContext {
  readonly store: Pick<Store, 'erasures' | 'events' | 'deliveries'>;
  readonly accounts: (account: string) => Promise<AccountWithEndpoints>;
  readonly searches: (account: string) => Promise<boolean>;
}

/** What a record asks of each queue. */
export interface Outgoing {
  /** When the record's writer made the change; undefined where nothing tells. */
  readonly changedMs: number | undefined;
  readonly deliveries: readonly QueuedMessage[];
  readonly searches: readonly QueuedMessage[];
}

/** An event as it is stored and sent. */
interface MadeEvent {
  readonly id: string;
  readonly type: EventType;
  readonly body: string;
  /** Whom it tells of. */
  readonly customer: string | undefined;
}

/**
 * A change from before an erasure may be read after it. The erasure is looked for once the body is stored, and reads bodies once it is
 * begun: whichever comes second finds the other.
 */
const forgetErased = async (account: string, { id, body, customer }: MadeEvent, { erasures, events }: FanOutContext['store']) => {
  const extent = await erasures.extent(account, customer);
  if (extent === 'account') return await events.rewrite(account, id, emptyEvent(body));
  const person = { id: customer ?? '', email: null, phone: null, name: null };
  const left = extent && eraseEvent(body, person);
  if (left) await events.rewrite(account, id, left);
};

/** Stores the event once and a record per endpoint; the messages of those that were not attempted yet. */
const publish = async (
  { account, changedMs }: StreamedChange,
  event: MadeEvent,
  endpoints: readonly Endpoint[],
  { store }: FanOutContext,
): Promise<readonly QueuedMessage[]> => {
  const { id, type, body } = event;
  const subscribed = endpoints.filter((endpoint) => subscribes(endpoint, type, changedMs));
  if (subscribed.length === 0) return [];
  // The body first: a record without one could be claimed and not sent.
  await store.events.create({ id, account, type, body, createdMs: changedMs });
  const [records] = await Promise.all([
    Promise.all(
      subscribed.map((endpoint) =>
        store.deliveries.create(pendingDelivery({ id, account, endpoint: endpoint.id, type }, changedMs), changedMs),
      ),
    ),
    forgetErased(account, event, store),
  ]);
  return records
    .filter((record) => record.status === 'pending' && record.attempts === 0)
    .map((record) => ({
      groupId: account,
      body: encodeMessage({ account, endpoint: record.endpoint, event: id, run: record.run, attempt: 0 }),
    }));
};

/** All that is computed from a record happens here: what fails, fails at every reading. */
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

const deliveriesOf = async (
  streamed: StreamedChange,
  events: readonly MadeEvent[],
  context: FanOutContext,
): Promise<readonly QueuedMessage[]> => {
  if (events.length === 0) return [];
  const { account, endpoints } = await context.accounts(streamed.account);
  if (!emitsEvents(account)) return [];
  const messages = await Promise.all(events.map((event) => publish(streamed, event, endpoints, context)));
  return messages.flat();
};

/** Every change of a product, whatever it means to webhooks; the message says which product, and its reader finds the state. */
const searchesOf = async ({ account, change, position }: StreamedChange, { searches }: FanOutContext): Promise<readonly QueuedMessage[]> =>
  change.kind === 'product' && (await searches(account))
    ? [{ groupId: account, body: encodeSearchMessage({ account, product: position.sort }) }]
    : [];

/** The messages that one record of the change stream asks for; the same again where it is read again. */
export const fanOutRecord = async (record: DynamoDBRecord, context: FanOutContext): Promise<Outgoing> => {
  const { streamed, events } = interpret(record);
  const [deliveries, searches] = await Promise.all([deliveriesOf(streamed, events, context), searchesOf(streamed, context)]);
  return { changedMs: streamed.changedMs || undefined, deliveries, searches };
};
