import { DatabaseSync } from 'node:sqlite';
import type { State } from './state.ts';

/** About 0.3 MB of records. */
const trimEvery = 200n;

/**
 * With every write the engine searches the next sequence number among all stream records it kept
 * (1.2.1: 0.7 ms a write becomes 2 ms at 15,000 records). With this index the time stays constant.
 */
const index = 'CREATE INDEX IF NOT EXISTS _stream_by_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER))';
const drop = 'DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < ?';

/**
 * Runs a statement on the engine's file. Leaves the records unchanged if another engine release
 * stores them differently.
 */
const tidy = (work: () => void): void => {
  try {
    work();
  } catch {}
};

/**
 * Opens the file of a running engine and indexes its records. The connection outlives the file's
 * name.
 */
export const openStreamRecords = (file: string) => {
  const db = new DatabaseSync(file, { timeout: 2000 });
  tidy(() => db.exec(index));
  // From here on, a wait for the engine would block every request. The engine syncs the disk.
  db.exec('PRAGMA busy_timeout = 20; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;');
  const trimmed = new Map<string, bigint>();
  return {
    /**
     * Drops the table's records before this one, which are handled and which the engine would keep
     * forever. Keeps the newest, because numbering continues from it. Also keeps up to `trimEvery`
     * others, so that one statement trims many.
     */
    trim(table: string, sequenceNumber: string): void {
      const handled = BigInt(sequenceNumber);
      if (handled - (trimmed.get(table) ?? 0n) < trimEvery) return;
      tidy(() => {
        db.prepare(drop).run(table, handled);
        trimmed.set(table, handled);
      });
    },
    close: () => db.close(),
  };
};

export type StreamRecords = ReturnType<typeof openStreamRecords>;

/** A stream position: all records up to and including the sequence number are handled. */
export interface StreamPosition {
  readonly shardId: string;
  /** Empty: no record of the shard is handled. */
  readonly sequenceNumber: string;
}

/**
 * Opens the handled position of one table's stream, which is kept over restarts. It is named by the
 * stream's ARN, because a position has no meaning in a new
 * stream.
 */
export const openCheckpoint = (state: State, table: string, streamArn: string) => {
  const get = state.prepare('SELECT shard_id, sequence_number FROM checkpoints WHERE table_name = ? AND stream_arn = ?');
  const put = state.prepare('INSERT OR REPLACE INTO checkpoints (table_name, stream_arn, shard_id, sequence_number) VALUES (?, ?, ?, ?)');
  return {
    load(): StreamPosition | undefined {
      const row = get.get(table, streamArn);
      return row && { shardId: String(row['shard_id']), sequenceNumber: String(row['sequence_number']) };
    },
    save: ({ shardId, sequenceNumber }: StreamPosition): void => void put.run(table, streamArn, shardId, sequenceNumber),
  };
};

export type Checkpoint = ReturnType<typeof openCheckpoint>;
