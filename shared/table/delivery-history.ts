import type { DeliveryAttempt } from '../domain/webhook.ts';
import type { AttemptOutcome, AttemptRef } from './deliveries.ts';
import type { Item } from './write.ts';

/**
 * Beside the view, so that no index carries it, and without names, so that the five attempts of a run stay in the kilobyte of the
 * record: number, moment, status code, error, duration.
 */
export const historyAttribute = 'history';

type HistoryEntry = readonly [number, number, number | null, string | null, number];

export const historyEntry = (ref: AttemptRef, { atMs, statusCode, error, durationMs }: AttemptOutcome): HistoryEntry => [
  ref.attempt + 1,
  atMs,
  statusCode,
  error,
  durationMs,
];

export const decodeHistory = (item: Item): readonly DeliveryAttempt[] =>
  ((item[historyAttribute] ?? []) as readonly HistoryEntry[]).map(([attempt, atMs, status_code, error, duration_ms]) => ({
    attempt,
    at: new Date(atMs).toISOString(),
    status_code,
    error,
    duration_ms,
  }));
