import type { EventType } from './types.ts';

/** A record as one side of a change shows it. */
export interface Image<Record> {
  readonly record: Record;
  /** Rises with every save, also one that changes nothing; writes that nobody is to hear of leave it. */
  readonly revision: number;
}

/** Both sides of a change that left a record; `before` is absent where it is new. */
export interface Images<Record> {
  readonly before: Image<Record> | undefined;
  readonly after: Image<Record>;
}

export interface EventOfChange {
  readonly type: EventType;
  readonly object: unknown;
}

export const isSaved = (before: Image<unknown>, after: Image<unknown>): boolean => before.revision !== after.revision;
