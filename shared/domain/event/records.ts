import type { EventType } from './types.ts';

/** A record before or after a change. */
export interface Image<Record> {
  readonly record: Record;
  /**
   * Increases with every save, also with a save that changes nothing. Writes that emit no event do
   * not change it.
   */
  readonly revision: number;
}

/** A change after which the record exists. `before` is absent for a new record. */
export interface Images<Record> {
  readonly before: Image<Record> | undefined;
  readonly after: Image<Record>;
}

export interface EventOfChange {
  readonly type: EventType;
  readonly object: unknown;
}

export const isSaved = (before: Image<unknown>, after: Image<unknown>): boolean => before.revision !== after.revision;
