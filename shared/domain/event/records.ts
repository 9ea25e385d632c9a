import type { EventType } from './types.ts';

/** A record as one side of a change shows it. */
export interface Image<Record> {
  readonly record: Record;
  /**
   * Rises with every save, also with one that changes nothing. Writes that emit nothing leave it.
   */
  readonly revision: number;
}

/** The images of a change that left a record; `before` is absent for a new one. */
export interface Images<Record> {
  readonly before: Image<Record> | undefined;
  readonly after: Image<Record>;
}

export interface EventOfChange {
  readonly type: EventType;
  readonly object: unknown;
}

export const isSaved = (before: Image<unknown>, after: Image<unknown>): boolean => before.revision !== after.revision;
