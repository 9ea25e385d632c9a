import { createHash } from 'node:crypto';
import { makeId } from '../core/ids.ts';

/** What identifies one record of the change stream. */
export interface StreamPosition {
  readonly eventId: string;
  readonly partition: string;
  readonly sort: string;
}

/** The id of the event that a stream record yields: sorts by the time of the change, and is the same however often the record is read. */
export const eventIdOf = ({ eventId, partition, sort }: StreamPosition, type: string, changedMs: number): string =>
  makeId(
    'evt',
    changedMs,
    createHash('sha256')
      .update(JSON.stringify([eventId, partition, sort, type, changedMs]))
      .digest(),
  );
