import type { Image } from '../domain/event-records.ts';
import type { EventType } from '../domain/event-types.ts';

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
