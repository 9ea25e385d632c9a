import type { Item } from '../../../local/engine/commands/values.ts';
import type { Change } from '../engine/table.ts';
import { type Evidence, oncePer } from '../invariants/invariant.ts';
import { madeBy } from '../people/journal.ts';
import { byHand } from '../people/operator.ts';
import type { StreamedRecord } from '../world/stream.ts';
import { type StoredBodies, storedBodies } from './bodies.ts';
import { eventsOf, hasEvents, payloadOf, type Saved } from './event-rules.ts';
import { type Fields, type Kind, kindOf, recordIn } from './records.ts';

/**
 * The events that must exist, from the changes of the table and the requests of callers. Nothing here
 * uses the product's code.
 */

/** An event of a change. */
export interface Expected {
  /** The id under which the service stored it; undefined if it stored none. */
  readonly id: string | undefined;
  readonly type: string;
  readonly account: string;
  /** The record that changed. */
  readonly subject: string;
  /** The time that its writer gave the change, and when it was committed, which may be much later. */
  readonly changedMs: number;
  readonly committedMs: number;
  /** When it was first and last read: a batch may be repeated. */
  readonly doneMs: number | undefined;
  readonly lastDoneMs: number | undefined;
  /**
   * `then` if the account was closed at the change: the event must not be sent. `since` if it was
   * closed when the change was read: it need not be sent.
   */
  readonly closed: 'then' | 'since' | false;
  /** Whether Lambda gave the change up, and no operator has replayed it. */
  readonly isLeft: boolean;
}

/** The most that a clock may be wrong, or that an endpoint may be read before the change. */
export const skewMs = 1_000;

/** Ids of the changes in batches that Lambda gave up. */
export const givenUp = oncePer(({ region }): ReadonlySet<string> => {
  const parked = [...region.pipeline.parking.objects.values()].map((json) => JSON.parse(json) as { readonly payload?: string });
  const batches = parked.flatMap(({ payload }) => (payload === undefined ? [] : [JSON.parse(payload)]));
  return new Set(
    (batches as { readonly Records: readonly { readonly eventID: string }[] }[]).flatMap(({ Records }) =>
      Records.map((one) => one.eventID),
    ),
  );
});

/**
 * Returns a function that says whether an account was closed between two times, from the history of
 * the table.
 */
const closings = ({ region }: Evidence) => {
  const versions = new Map<string, { readonly atMs: number; readonly closed: boolean }[]>();
  for (const { atMs, key, after } of region.engine.table('simulated').changes) {
    const [kind, account = ''] = String(key['pk']).split('#');
    const { status } = (after?.['data'] ?? {}) as { readonly status?: string };
    if (kind === 'acc') versions.set(account, [...(versions.get(account) ?? []), { atMs, closed: status === 'closed' }]);
  }
  return (account: string, fromMs: number, toMs: number): Expected['closed'] => {
    const all = versions.get(account) ?? [];
    const seen = [all.findLast(({ atMs }) => atMs <= fromMs), ...all.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)];
    if (seen.every((version) => version?.closed)) return 'then';
    return seen.some((version) => version?.closed) && 'since';
  };
};

interface OrderRequest {
  readonly emit_webhooks?: boolean;
}

/**
 * Returns a function that says whether the request behind an order asked for the events of its
 * payments (rule 7). An order that was not acknowledged has the marker of its request.
 */
const requestsOfOrders = ({ region, journal }: Evidence) => {
  const byId = new Map<string, OrderRequest>();
  const byMarker = new Map<string, OrderRequest>();
  for (const { marker, tries } of journal.intents)
    for (const one of tries.filter(({ kind }) => kind === 'order')) {
      const body = one.body as OrderRequest;
      byMarker.set(marker, body);
      const id = madeBy(one);
      if (id !== undefined) byId.set(id, body);
    }
  for (const { key, before, after } of region.engine.table('simulated').changes) {
    if (before || !after || kindOf(key) !== 'order' || isByHand(key)) continue;
    const { id, notes } = recordIn<Fields & { readonly notes: string | null }>(after);
    const body = byMarker.get(notes ?? '');
    if (body && !byId.has(id)) byId.set(id, body);
  }
  return (order: unknown): boolean => byId.get(String(order))?.emit_webhooks === true;
};

/**
 * Returns a function that says whether a transaction wrote what an order shows of its payments beside
 * the order. Such a write saves the order (decisions §7).
 */
const paymentsOfOrders = ({ region }: Evidence) => {
  const paid = new Set<string>();
  const shown = (item: Item | undefined): string => (item ? textOf(payloadOf('payment', recordIn(item))) : '');
  for (const { key, before, after, atMs } of region.engine.table('simulated').changes) {
    if (kindOf(key) !== 'payment' || !after || isByHand(key)) continue;
    if (shown(before) !== shown(after)) paid.add(`${recordIn(after)['order_id']} at ${atMs}`);
  }
  return (order: string, atMs: number): boolean => paid.has(`${order} at ${atMs}`);
};

/**
 * Whether an operator wrote the item by hand. No function can read it, so it is parked (see
 * `woken`).
 */
export const isByHand = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith(byHand);

/** Returns the position of its change in the history of the table. */
const positionOf = ({ record }: StreamedRecord): number => Number(record.dynamodb?.SequenceNumber?.slice(1));

/** Returns a value as text, whatever the order of its fields. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** How far `created` may be from the change: the stream cuts to seconds. */
const createdWithinMs = 1_000;

/** An event of a change, with its payload. */
type Made = Omit<Expected, 'id'> & { readonly object: object };

const lastReadMs = ({ lastDoneMs = Number.MAX_VALUE }: Made): number => Math.min(lastDoneMs, Number.MAX_VALUE);

/**
 * Assigns the stored events to the changes: of the same account and type, with the payload that the
 * change has, created at its moment, and stored between its commit and its last reading. An invocation
 * that hung may store an event even later. Equal changes in one second that were read together are
 * interchangeable.
 */
export const withIds = (
  stored: ReadonlyMap<string, Pick<StoredBodies, 'first' | 'storedMs'>>,
  events: readonly Made[],
): readonly Expected[] => {
  const waiting = new Map<string, { readonly id: string; readonly createdMs: number; readonly storedMs: number }[]>();
  for (const [id, { first, storedMs }] of [...stored].sort(([a, one], [b, two]) => one.storedMs - two.storedMs || (a < b ? -1 : 1))) {
    const text = textOf([first.tenant_id, first.type, first.data.object]);
    const known = waiting.get(text) ?? [];
    waiting.set(text, known);
    known.push({ id, createdMs: first.created * 1_000, storedMs });
  }
  const ids = new Map<Made, string>();
  const assign = (event: Made, latestMs: number): void => {
    const { account, type, object, committedMs: atMs } = event;
    const candidates = waiting.get(textOf([account, type, object])) ?? [];
    const at = candidates.findIndex(
      ({ createdMs, storedMs }) => createdMs <= atMs && atMs - createdMs < createdWithinMs && storedMs >= atMs && storedMs <= latestMs,
    );
    const [found] = at === -1 ? [] : candidates.splice(at, 1);
    if (found) ids.set(event, found.id);
  };
  const inOrder = events.toSorted((a, b) => lastReadMs(a) - lastReadMs(b));
  for (const event of inOrder) assign(event, lastReadMs(event));
  for (const event of inOrder) if (!ids.has(event)) assign(event, Number.POSITIVE_INFINITY);
  return events.map((event) => {
    const { object: _, ...expected } = event;
    return { id: ids.get(event), ...expected };
  });
};

const savedIn = (item: Item | undefined): Saved | undefined => item && { record: recordIn(item), revision: item['revision'] };

/** Returns the events of all changes, oldest first. */
export const expectedEvents = oncePer<readonly Expected[], Evidence>((evidence) => {
  const { region } = evidence;
  const [closedAt, asksForEvents] = [closings(evidence), requestsOfOrders(evidence)];
  const isPaid = paymentsOfOrders(evidence);
  const streamed = new Map(region.pipeline.stream.records.map((one) => [positionOf(one), one]));
  const eventsIn = (kind: Kind, { position, atMs, key, before, after }: Change): readonly Made[] => {
    const [was, is] = [savedIn(before), savedIn(after)];
    if (!is) return [];
    const { source, order_id, updated_at } = is.record;
    const tellsOfCreation = source !== 'api' || asksForEvents(order_id);
    const account = String(key['pk']).split('#')[1] ?? '';
    const changedMs = Date.parse(String(updated_at));
    const { record, doneMs, lastDoneMs } = streamed.get(position) ?? {};
    const isLeft = !region.isAttended && doneMs === undefined && givenUp(evidence).has(String(record?.eventID));
    // An earlier reading of a change that was given up may have been at any time.
    const toMs = isLeft ? Number.POSITIVE_INFINITY : lastDoneMs;
    const closed = closedAt(account, changedMs - skewMs, toMs ?? changedMs);
    return eventsOf(kind, was, is, { tellsOfCreation, comesWithPayment: isPaid(is.record.id, atMs) }).map(({ type, object }) => ({
      ...{ type, object, account, subject: is.record.id, changedMs, committedMs: atMs, doneMs, lastDoneMs: toMs, closed, isLeft },
    }));
  };
  const events = region.engine.table('simulated').changes.flatMap((change) => {
    const kind = kindOf(change.key);
    return hasEvents(kind) && !isByHand(change.key) ? eventsIn(kind, change) : [];
  });
  return withIds(storedBodies(evidence), events);
});
