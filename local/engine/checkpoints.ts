import type { StreamPosition } from '../pollers/stream-reader.ts';
import type { State } from './state.ts';
import type { ConsumedStream } from './stream-records.ts';

/** How far one table's stream has been handled, kept over restarts. */
export interface Checkpoint {
  load(): StreamPosition | undefined;
  save(position: StreamPosition): void;
}

/** Tied to the stream's ARN: the position in a stream that was made anew means nothing. */
export const openCheckpoint = (state: State, table: string, streamArn: string): Checkpoint => {
  const get = state.prepare('SELECT shard_id, sequence_number FROM checkpoints WHERE table_name = ? AND stream_arn = ?');
  const put = state.prepare('INSERT OR REPLACE INTO checkpoints (table_name, stream_arn, shard_id, sequence_number) VALUES (?, ?, ?, ?)');
  return {
    load() {
      const row = get.get(table, streamArn);
      return row && { shardId: String(row['shard_id']), sequenceNumber: String(row['sequence_number']) };
    },
    save: ({ shardId, sequenceNumber }) => void put.run(table, streamArn, shardId, sequenceNumber),
  };
};

export const consumedStreams = (state: State): readonly ConsumedStream[] =>
  state
    .prepare('SELECT table_name, sequence_number FROM checkpoints')
    .all()
    .map((row) => ({ table: String(row['table_name']), sequenceNumber: String(row['sequence_number']) }));
