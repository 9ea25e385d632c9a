import type { DeliveryAttempt } from '../domain/webhook.ts';
import type { Item } from './write.ts';

/**
 * Beside the view, so that no index carries it, and without names, so that the five attempts of a run stay in the kilobyte of the
 * record: number, moment, status code, error, duration.
 */
export const historyAttribute = 'history';

type HistoryEntry = readonly [number, number, number | null, string | null, number];

export interface EndedAttempt {
  readonly atMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** `failures` before the attempt. */
export const historyEntry = (failures: number, { atMs, statusCode, error, durationMs }: EndedAttempt): HistoryEntry => [
  failures + 1,
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
