import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { makeId } from '../core/ids.ts';
import { isoFromMs } from '../core/time.ts';
import { decodeEvent } from '../domain/event/envelope.ts';
import type { AttemptResponse, DeliveryAttempt, DeliveryRecord, DeliveryStatus, ReceiverResponse } from '../domain/webhook/record.ts';
import type { Item } from './client.ts';
import { indexEntry, indexPartition, nowSeconds, partition, retentionSeconds } from './keys.ts';
import { separator } from './page.ts';
import { dueIndex, dueShards, kinds } from './schema.ts';

/**
 * Names one attempt. Message, record and schedule contain it, so that a duplicate or stale message
 * is recognized.
 */
export interface AttemptRef {
  readonly account: string;
  readonly endpoint: string;
  readonly event: string;
  readonly run: number;
  /** Failures before this attempt. */
  readonly attempt: number;
}

export type DeliveryRef = Pick<AttemptRef, 'account' | 'endpoint' | 'event'>;

/** Result of an attempt. */
export interface AttemptOutcome {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly atMs: number;
  /** Milliseconds from the request to its outcome. */
  readonly durationMs: number;
  /** When the next attempt is due, in milliseconds; null without one. */
  readonly nextAtMs: number | null;
  /** Response of a failed attempt. */
  readonly receiverResponse?: ReceiverResponse | undefined;
}

export const logPartition = (account: string, endpoint: string): string => partition('deliveryRecord', account, endpoint);
export const deliveryKey = ({ account, endpoint, event }: DeliveryRef) => ({ pk: logPartition(account, endpoint), sk: event });
/** Returns the attempt that a record waits for. */
export const attemptOf = (record: DeliveryRecord): AttemptRef => {
  const { account, endpoint, id, run, attempts } = record;
  return { account, endpoint, event: id, run, attempt: attempts };
};
export const statusPartition = (account: string, endpoint: string, status: DeliveryStatus): string =>
  indexPartition('deliveryRecord', account, endpoint, status);
export const statusIndex = kinds.deliveryRecord.lists.log.status;

const shardOf = ({ endpoint, event }: DeliveryRef): number =>
  createHash('sha256').update(endpoint).update(event).digest().readUInt8(0) % dueShards;
export const duePartition = (shard: number): string => partition('due', String(shard));

export const dueEntry = (ref: DeliveryRef, atMs: number) => indexEntry(dueIndex, duePartition(shardOf(ref)), isoFromMs(atMs));
export const statusEntry = ({ account, endpoint, event }: DeliveryRef, status: DeliveryStatus) =>
  indexEntry(statusIndex, statusPartition(account, endpoint, status), `${separator}${event}`);

/**
 * Returns the lower bound of the ids of events with delivery records. Ids begin
 * with the time of the change. Expiry uses whole seconds.
 */
export const lowestStoredId = (nowMs: number): string =>
  makeId('evt', (nowSeconds(nowMs) - retentionSeconds('deliveryRecord') + 1) * 1000, new Uint8Array(16));

/**
 * Returns the view without the fields that are in the key. So a usual record with its event's body
 * needs one write unit.
 */
export const storedViewOf = ({ account: _, endpoint: __, id: ___, ...view }: DeliveryRecord): Item =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== null));

/** The fields that are null before a delivery's first attempt. */
export const beforeFirstAttempt = {
  last_status_code: null,
  last_error: null,
  next_retry_at: null,
  last_attempt_at: null,
  delivered_at: null,
  failed_at: null,
} as const satisfies Partial<DeliveryRecord>;

/** The fields that are not in the view if they are null. */
const absentFields = { ...beforeFirstAttempt, record_id: null } as const;

export const decodeDelivery = ({ pk, sk, view }: Item): DeliveryRecord => {
  const [, account = '', endpoint = ''] = String(pk).split('#');
  return { ...absentFields, ...(view as Omit<DeliveryRecord, 'account' | 'endpoint' | 'id'>), account, endpoint, id: String(sk) };
};

/**
 * Maximum length of a deflated body that the delivery record may contain. With it, the record still
 * fits into one write unit (1,024 bytes) after a first attempt that succeeds.
 */
const maxStoredBytes = 560;

/** Returns the deflated body for the delivery record; undefined if it is too long. */
export const deflateIfShort = (body: string): Uint8Array | undefined => {
  const deflated = deflateRawSync(body);
  return deflated.length <= maxStoredBytes ? deflated : undefined;
};

/** Returns the body of the event, if the record keeps it. */
export const decodeBody = ({ body }: Item): string | undefined =>
  body === undefined ? undefined : inflateRawSync(body as Uint8Array).toString('utf8');

/** Returns the id of the record that an event's body describes; null without a body. */
export const recordIdOf = (body: string | undefined): string | null => {
  const id = body === undefined ? undefined : decodeEvent(body).data.object['id'];
  return typeof id === 'string' ? id : null;
};

/** Returns a delivery with the id of its event's record, also from its body. An item of the status index has no body. */
export const decodeWithRecordId = (item: Item): DeliveryRecord => {
  const delivery = decodeDelivery(item);
  return { ...delivery, record_id: delivery.record_id ?? recordIdOf(decodeBody(item)) };
};

/**
 * Number of runs with stored attempts, the present run included. With five attempts each, they
 * take about a kilobyte.
 */
export const storedRuns = 5;

/**
 * Name of the attribute with a run's attempts. It is outside the view, so that no index copies it.
 * Each run has its own attribute, so that a redelivery removes the oldest without reading it. An
 * attempt is a list without names (number, time, status code, error, duration), so that five
 * attempts fit into the record's kilobyte.
 */
export const historyAttribute = (run: number): string => `history_${run}`;

export type HistoryEntry = readonly [number, number, number | null, string | null, number];

/** Returns the attempts of all kept runs, oldest run first. */
export const decodeHistory = (item: Item, presentRun: number): readonly DeliveryAttempt[] =>
  Array.from({ length: storedRuns }, (_, i) => presentRun - storedRuns + 1 + i).flatMap((run) =>
    ((item[historyAttribute(run)] ?? []) as readonly HistoryEntry[]).map(([attempt, atMs, status_code, error, duration_ms]) => ({
      run,
      attempt,
      at: isoFromMs(atMs),
      status_code,
      error,
      duration_ms,
    })),
  );

/**
 * Response of the last failed attempt as stored: run, number, content type and deflated body. A
 * usual error page then fits into the record's kilobyte. A body that cannot be deflated grows by
 * five bytes.
 */
export type StoredAttemptResponse = readonly [number, number, string | null, Uint8Array];

/** Returns the stored response; null without one. */
export const decodeAttemptResponse = ({ answer: stored }: Item): AttemptResponse | null => {
  if (!stored) return null;
  const [run, attempt, content_type, body] = stored as StoredAttemptResponse;
  // Stored bodies are cut. If the cut split a character, it is left out and not replaced.
  return { run, attempt, content_type, body: new TextDecoder().decode(inflateRawSync(body), { stream: true }) };
};

/** Attribute of a record that may store no more responses. */
export const noResponsesAttribute = 'no_answer';
