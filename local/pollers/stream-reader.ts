import type { DynamoDBRecord } from 'aws-lambda';
import { type Engine, engineCalls } from '../engine/dynamodb.ts';
import type { StreamPosition } from '../engine/stream-records.ts';

export interface StreamBatch {
  readonly shardId: string;
  /** Stream records in the engine's format, which is nearly Lambda's. */
  readonly records: readonly DynamoDBRecord[];
}

/** Reads one stream forward, shard after shard. */
export interface StreamReader {
  /** Returns the next records; an empty batch means that there are no more now. */
  read(): Promise<StreamBatch>;
  /** Moves to just after the position; undefined is the beginning. */
  seek(position: StreamPosition | undefined): void;
  close(): void;
}

/** Maximum records of one read. */
export const readLimit = 100;

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

export const openStream = (client: Engine['client'], streamArn: string): StreamReader => {
  const patient = { connectionTimeout: 1000, requestTimeout: 5000 };
  const { call, [Symbol.dispose]: close } = engineCalls({ ...client, requestHandler: patient }, 'DynamoDBStreams_20120810');
  let position: StreamPosition | undefined;
  let iterator: string | undefined;

  const shardAfter = async (shardId: string | undefined): Promise<string | undefined> => {
    const { StreamDescription } = await call<{ StreamDescription?: { Shards?: readonly Shard[] } }>('DescribeStream', {
      StreamArn: streamArn,
    });
    const shards = StreamDescription?.Shards ?? [];
    const next = shardId === undefined ? shards[0] : shards.find((shard) => shard.ParentShardId === shardId);
    return next?.ShardId;
  };

  const openIterator = async (): Promise<string | undefined> => {
    const shardId = position?.shardId ?? (await shardAfter(undefined));
    if (shardId === undefined) return undefined;
    position ??= { shardId, sequenceNumber: '' };
    const { ShardIterator } = await call<{ ShardIterator?: string }>('GetShardIterator', {
      StreamArn: streamArn,
      ShardId: shardId,
      ...(position.sequenceNumber === ''
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position.sequenceNumber }),
    });
    return ShardIterator;
  };

  const advance = (shardId: string, records: readonly DynamoDBRecord[]) => {
    const sequenceNumber = records.at(-1)?.dynamodb?.SequenceNumber;
    if (sequenceNumber !== undefined) position = { shardId, sequenceNumber };
  };

  return {
    async read() {
      iterator ??= await openIterator();
      const shardId = position?.shardId;
      if (iterator === undefined || shardId === undefined) return { shardId: '', records: [] };
      try {
        const { Records = [], NextShardIterator } = await call<{ Records?: readonly DynamoDBRecord[]; NextShardIterator?: string }>(
          'GetRecords',
          { ShardIterator: iterator, Limit: readLimit },
        );
        iterator = NextShardIterator;
        advance(shardId, Records);
        if (iterator === undefined && Records.length === 0) {
          // The shard is closed and fully read: continue with its child.
          const child = await shardAfter(shardId);
          if (child !== undefined) position = { shardId: child, sequenceNumber: '' };
        }
        return { shardId, records: Records };
      } catch (error) {
        iterator = undefined;
        const name = error instanceof Error ? error.name : '';
        if (name === 'ExpiredIteratorException') return { shardId, records: [] };
        if (name === 'TrimmedDataAccessException') {
          position = undefined; // continue with the oldest record that is left
          return { shardId, records: [] };
        }
        throw error;
      }
    },
    seek(to) {
      position = to;
      iterator = undefined;
    },
    close,
  };
};
