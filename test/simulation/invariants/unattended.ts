import { givenUp } from '../reading/expected-events.ts';
import type { Message } from '../world/queue.ts';
import { type Evidence, oncePer } from './invariant.ts';

/** Messages that wait in a queue for an operator. */
const waitingForOperator = (messages: readonly Message[]): readonly Message[] => messages.filter(({ goneMs }) => goneMs === undefined);

/** Returns the delivery of a message that leads to a first attempt, as `endpoint/event`. */
const firstOf = (body: string): string | undefined => {
  const { event, endpoint, run, attempt } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return run === 1 && attempt === 0 ? `${endpoint}/${event}` : undefined;
};

/**
 * Whether the sweep has to know a first attempt: an invocation that received its message again has
 * ended, and has not said that it could not enter it in the index. If it also received a copy for
 * the first time, it may have taken the message for a new one.
 */
const isKnown = ({ region }: Pick<Evidence, 'region'>): ((name: string) => boolean) => {
  const received = Map.groupBy(region.pipeline.deliveries.handedOut, ({ body }) => firstOf(body));
  const unwatched = new Set(
    region.log.flatMap((line) => (line['unwatched'] === true ? [`${line['process']}/${line['invocation']}/${line['event']}`] : [])),
  );
  return (name) => {
    const ended = Map.groupBy(received.get(name) ?? [], ({ by }) => by);
    const [, event] = name.split('/');
    return [...ended].some(
      ([by, messages]) => by !== undefined && messages.every(({ receives }) => receives > 1) && !unwatched.has(`${by}/${event}`),
    );
  };
};

/**
 * The deliveries that stay pending without an operator, by `endpoint/event`: first attempts whose
 * messages are dead letters, if no invocation had to tell the sweep. All others are the service's.
 */
export const unattendedDeliveries = oncePer(({ region }): ReadonlySet<string> => {
  if (region.isAttended) return new Set();
  const known = isKnown({ region });
  const dead = waitingForOperator(region.pipeline.queues['delivery-dead-letters'].history).flatMap(({ body }) => firstOf(body) ?? []);
  return new Set(dead.filter((name) => !known(name)));
});

/** Longest time after its response or timeout at which a slow engine still carries out a request. */
const longestEchoMs = 20_000;

/**
 * Whether an engine may hold a former state of a product that last changed at `changedMs`, because
 * a message of the product waits for an operator and no later one was handled.
 */
export const mayLagBehind = ({ region }: Pick<Evidence, 'region'>): ((product: string, changedMs: number) => boolean) => {
  if (region.isAttended) return () => false;
  const { queues, stream } = region.pipeline;
  const productOf = ({ body }: Message): unknown => (JSON.parse(body) as { readonly product: unknown }).product;
  const messages = Map.groupBy(queues.search.history, productOf);
  const dead = new Set(waitingForOperator(queues['search-dead-letters'].history).map(productOf));
  const unread = new Set(
    stream.records.flatMap(({ record, doneMs }) =>
      doneMs === undefined && givenUp({ region }).has(String(record.eventID)) ? [record.dynamodb?.Keys?.['sk']?.S] : [],
    ),
  );
  return (product, changedMs) => {
    if (unread.has(product)) return true;
    const own = messages.get(product) ?? [];
    const lastMs = Math.max(changedMs, ...own.filter(({ isDead }) => isDead).map(({ takenMs }) => takenMs + longestEchoMs));
    return dead.has(product) && !own.some(({ isDead, takenMs, goneMs }) => !isDead && goneMs !== undefined && takenMs > lastMs);
  };
};
