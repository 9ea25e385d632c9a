import type { DeliveryAttempt } from '../domain/webhook/record.ts';
import type { Item } from './write.ts';

/** Runs whose attempts are kept: the present one and those before it. Of five attempts each, they are about a kilobyte. */
export const keptRuns = 5;

/**
 * Beside the view, so that no index carries it; one attribute a run, so that a redelivery drops the oldest without reading it; and
 * without names, so that the five attempts of a run stay in the kilobyte of the record: number, moment, status code, error, duration.
 */
export const historyAttribute = (run: number): string => `history_${run}`;

export type HistoryEntry = readonly [number, number, number | null, string | null, number];

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

/** Attempts of every run that is kept, oldest run first. */
export const decodeHistory = (item: Item, presentRun: number): readonly DeliveryAttempt[] =>
  Array.from({ length: keptRuns }, (_, i) => presentRun - keptRuns + 1 + i).flatMap((run) =>
    ((item[historyAttribute(run)] ?? []) as readonly HistoryEntry[]).map(([attempt, atMs, status_code, error, duration_ms]) => ({
      run,
      attempt,
      at: new Date(atMs).toISOString(),
      status_code,
      error,
      duration_ms,
    })),
  );
