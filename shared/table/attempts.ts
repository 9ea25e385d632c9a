import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { isoFromMs } from '../core/time.ts';
import type { DeliveryRecord, Endpoint } from '../domain/webhook/record.ts';
import type { Db, Item } from './client.ts';
import {
  type AttemptOutcome,
  type AttemptRef,
  type DeliveryRef,
  decodeBody,
  decodeDelivery,
  deliveryKey,
  dueEntry,
  type HistoryEntry,
  historyAttribute,
  noResponsesAttribute,
  type StoredAttemptResponse,
  statusEntry,
  statusIndex,
  storedRuns,
} from './delivery-items.ts';
import { decodeEndpoint, endpointKey } from './endpoints.ts';
import { openEvents } from './events.ts';
import { allOf, attribute, type Change, type Expression, expr, setWithin } from './expressions.ts';
import { readUnexpired } from './keys.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { sendAlone, updateItem } from './write.ts';

/** Records that an attempt needs. */
export interface AttemptParts {
  /** Undefined if the record no longer exists. */
  readonly record: DeliveryRecord | undefined;
  /** The event's body; undefined after its retention. */
  readonly body: string | undefined;
  /** The endpoint, if it was requested; undefined if it is deleted. */
  readonly endpoint: Endpoint | undefined;
}

/** Returns an attempt's entry in the history. */
const historyEntry = ({ attempt }: AttemptRef, outcome: AttemptOutcome): HistoryEntry => {
  const { atMs, statusCode, error, durationMs } = outcome;
  return [attempt + 1, atMs, statusCode, error, durationMs];
};

/** Returns the history of a run with one more entry. */
const withEntry = (history: string, entry: HistoryEntry): Expression =>
  expr`list_append(if_not_exists(${attribute(history)}, ${[]}), ${[entry]})`;

export const openAttempts = (db: Db) => ({
  /** Reads the records that an attempt needs, consistently. */
  async read({ ref, withEndpoint }: { readonly ref: DeliveryRef; readonly withEndpoint: boolean }): Promise<AttemptParts> {
    const [item, registered] = await Promise.all([
      readUnexpired(db, deliveryKey(ref)),
      withEndpoint ? db.get(endpointKey({ account: ref.account, id: ref.endpoint })) : undefined,
    ]);
    const record = item && decodeDelivery(item);
    const body = item && (decodeBody(item) ?? (await openEvents(db).get(ref.account, ref.event))?.body);
    return { record, body, endpoint: registered && decodeEndpoint(registered) };
  },
  /**
   * Adds an attempt to the history of its run if a redelivery has ended that run during the
   * attempt. A repeated call adds nothing. Returns false if the run has not ended, or another attempt
   * has this number.
   */
  async recordSuperseded(ref: AttemptRef, outcome: AttemptOutcome): Promise<boolean> {
    const entry = historyEntry(ref, outcome);
    const name = historyAttribute(ref.run);
    const history = attribute(name);
    const change = updateItem(db, deliveryKey(ref), {
      set: { [name]: withEntry(name, entry) },
      // The history must have exactly as many attempts as come before this one, so a repeated call
      // adds nothing.
      where: allOf(
        expr`view.run > ${ref.run} AND view.run < ${ref.run + storedRuns}`,
        expr`attribute_not_exists(${history}) OR size(${history}) <= ${ref.attempt}`,
      ),
      showOld: true,
    });
    const { done, item } = await sendAlone(db, change);
    if (done) return true;
    if (!item || decodeDelivery(item).run <= ref.run) return false;
    // Either the history of the run is no longer kept, or an earlier call added the attempt and its
    // response was lost.
    const storedHistory = item[name] as readonly HistoryEntry[] | undefined;
    return decodeDelivery(item).run >= ref.run + storedRuns || isDeepStrictEqual(storedHistory?.[ref.attempt], entry);
  },
});

const isCurrent = (ref: AttemptRef) => expr`view.status = ${'pending'} AND view.run = ${ref.run} AND view.attempts = ${ref.attempt}`;

/** Fields of the view that an outcome sets. */
const viewAfter = ({ status, attempts, statusCode, error, atMs, nextAtMs }: AttemptOutcome): Item => ({
  status,
  attempts,
  last_status_code: statusCode,
  last_error: error,
  next_retry_at: nextAtMs === null ? null : isoFromMs(nextAtMs),
  ...(status === 'delivered' ? { delivered_at: isoFromMs(atMs) } : {}),
  ...(status === 'failed' ? { failed_at: isoFromMs(atMs) } : {}),
});

/**
 * Returns the attributes outside the view: the history with this attempt, and its response instead
 * of the previous one.
 */
const attemptChange = (ref: AttemptRef, outcome: AttemptOutcome): Change => {
  const history = historyAttribute(ref.run);
  const { receiverResponse } = outcome;
  const storedResponse: StoredAttemptResponse | undefined = receiverResponse && [
    ref.run,
    ref.attempt + 1,
    receiverResponse.contentType,
    deflateRawSync(receiverResponse.body),
  ];
  return {
    set: {
      [history]: withEntry(history, historyEntry(ref, outcome)),
      answer: storedResponse && expr`if_not_exists(${attribute(noResponsesAttribute)}, ${storedResponse})`,
    },
    remove: storedResponse ? [] : ['answer'],
  };
};

/**
 * Returns the change that stores an outcome and its index entries. Without a token, the delivery
 * ends without an attempt.
 */
const outcomeChange = (ref: AttemptRef, outcome: AttemptOutcome, token?: string): Change => {
  const [due, byStatus] = [indexKeys(dueIndex), indexKeys(statusIndex)];
  const { status, nextAtMs } = outcome;
  const attempted = token === undefined ? undefined : isoFromMs(outcome.atMs);
  const attemptPart = token === undefined ? {} : attemptChange(ref, outcome);
  return {
    set: {
      ...setWithin('view', { ...viewAfter(outcome), last_attempt_at: attempted }),
      ...(status === 'delivered' ? {} : statusEntry(ref, status)),
      ...(nextAtMs === null ? {} : dueEntry(ref, nextAtMs)),
      ended_by: token,
      ...attemptPart.set,
    },
    remove: [
      ...(status === 'delivered' ? [byStatus.pk, byStatus.sk] : []),
      ...(nextAtMs === null ? [due.pk, due.sk] : []),
      ...(attemptPart.remove ?? []),
    ],
  };
};

/** Changes of a delivery that waits for an attempt. */
export const openOutcomes = (db: Db) => {
  /**
   * Changes the record if it waits for this attempt. Returns true if this call, or an earlier one
   * with the same token, made the change.
   */
  const updateCurrent = async (ref: AttemptRef, change: Change, token?: string): Promise<boolean> => {
    const write = updateItem(db, deliveryKey(ref), { ...change, where: isCurrent(ref), showOld: token !== undefined });
    const { done, item } = await sendAlone(db, write);
    return done || (token !== undefined && item?.['ended_by'] === token);
  };

  const conclude = (ref: AttemptRef, outcome: AttemptOutcome, token?: string): Promise<boolean> =>
    updateCurrent(ref, outcomeChange(ref, outcome, token), token);

  return {
    /**
     * Stores the outcome of an attempt once, and replaces the response of the previous attempt.
     * Returns false if the attempt already has an outcome or its run is over. `token` identifies the
     * attempt, so that a repeated write recognizes its own outcome.
     */
    finish: (ref: AttemptRef, token: string, outcome: AttemptOutcome) => conclude(ref, outcome, token),
    /** Ends a pending delivery without a request, for example if its endpoint is disabled. */
    async abandon(ref: AttemptRef, error: string, atMs: number) {
      const none = { statusCode: null, durationMs: 0, nextAtMs: null } as const;
      await conclude(ref, { status: 'failed', attempts: ref.attempt, error, atMs, ...none });
    },
    /**
     * Enters a pending attempt in the due index, so that the sweep finds it from `dueMs` on, and in
     * the status index. Returns false if the attempt has ended meanwhile.
     */
    makeDueAt: (ref: AttemptRef, dueMs: number) => updateCurrent(ref, { set: { ...dueEntry(ref, dueMs), ...statusEntry(ref, 'pending') } }),
  };
};
