import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type CallLimit, callLimits, withCallLimit } from '../core/aws-calls.ts';
import type { Clock } from '../core/clock.ts';
import { assertInTime } from '../core/invocation.ts';
import type { Random } from '../core/random.ts';
import { isKey } from './size.ts';

/** An item: attributes by name, with the values of the document client. */
export type Item = Record<string, unknown>;

const budgetMs = 5_000;

/**
 * Sends a call. If `isPassing` says that other traffic on the same items caused an error, it
 * retries with jitter for up to 5 s. Then it throws the error.
 */
export const retryConflicts = async <Result>(
  { clock, random }: Pick<DbOptions, 'clock' | 'random'>,
  send: () => Promise<Result>,
  isPassing: (error: unknown) => boolean,
): Promise<Result> => {
  const deadline = clock.now() + budgetMs;
  for (let round = 0; ; round++) {
    try {
      return await send();
    } catch (error) {
      const pauseMs = random.fraction() * Math.min(400, 20 * 2 ** round);
      if (!isPassing(error) || clock.now() + pauseMs >= deadline) throw error;
      await clock.sleep(pauseMs);
    }
  }
};

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/**
 * Reads an item consistently. Returns undefined if it does not exist, or if the table cannot hold
 * the key.
 */
type GetItem = (key: ItemKey) => Promise<Item | undefined>;

interface PendingRead {
  readonly key: ItemKey;
  readonly result: PromiseWithResolvers<Item | undefined>;
}

/** Maximum number of keys of a BatchGetItem. */
const maxKeys = 100;
/**
 * Number of calls in a row without a result after which the table counts as unavailable. The pauses
 * between them take about 3 s.
 */
const maxFruitless = 10;

const nameOf = ({ pk, sk }: Item): string => JSON.stringify([pk, sk]);

/**
 * Reads single items in shared calls. All reads of one tick, microtasks included, share one
 * BatchGetItem per 100 keys, and each key is read once. A later read never joins a call that was
 * sent, so it sees every write that ended before it. An error rejects only the reads of its call.
 * Keys that DynamoDB leaves unprocessed are read again. A key that the table cannot hold is not
 * sent, because it would fail the whole call.
 */
const pointReads = (
  client: Pick<DynamoDBDocumentClient, 'send'>,
  table: string,
  { clock, random }: Pick<DbOptions, 'clock' | 'random'>,
): GetItem => {
  const call = async (open: Map<string, PendingRead>): Promise<void> => {
    for (let [again, fruitless] = [false, 0]; open.size > 0; again = true) {
      if (again) await clock.sleep(random.fraction() * Math.min(600, 50 * 2 ** fruitless));
      const Keys = [...open.values()].map(({ key }) => key);
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      );
      const found = new Map(Responses?.[table]?.map((item) => [nameOf(item), item]));
      const unprocessed = new Set(UnprocessedKeys?.[table]?.Keys?.map(nameOf));
      for (const [name, { result }] of open) {
        if (unprocessed.has(name)) continue;
        open.delete(name);
        result.resolve(found.get(name));
      }
      fruitless = unprocessed.size < Keys.length ? 0 : fruitless + 1;
      if (fruitless === maxFruitless) throw new Error(`The table left ${unprocessed.size} keys unprocessed in ${maxFruitless} calls.`);
    }
  };

  const settleReads = (open: Map<string, PendingRead>): Promise<void> =>
    call(open).catch((error: unknown) => {
      for (const { result } of open.values()) result.reject(error);
    });

  let waiting = new Map<string, PendingRead>();
  /** If a call fails, all reads that share it are rejected. */
  const send = (): void => {
    const reads = [...waiting];
    waiting = new Map();
    for (let i = 0; i < reads.length; i += maxKeys) void settleReads(new Map(reads.slice(i, i + maxKeys)));
  };

  return (key) => {
    if (!isKey({ ...key })) return Promise.resolve(undefined);
    // `nextTick` runs after all microtasks, including those that microtasks queue.
    if (waiting.size === 0) queueMicrotask(() => process.nextTick(send));
    const name = nameOf({ ...key });
    const read = waiting.get(name) ?? { key, result: Promise.withResolvers<Item | undefined>() };
    waiting.set(name, read);
    return read.result.promise;
  };
};

/** Dependencies of every store: client, names of tables, clock and random values. */
export interface Db {
  /**
   * A write that conflicts with a transaction on its item is tried again. The SDK would not repeat
   * it.
   */
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  /** Reads an item of the table. Reads of one tick share a call. */
  readonly get: GetItem;
  readonly table: string;
  /** Name of the table of rate buckets. Absent in functions that count no requests. */
  readonly buckets: string | undefined;
  /** Whether notices to the platform are stored. */
  readonly notices: boolean;
  readonly clock: Clock;
  readonly random: Random;
}

interface DbOptions {
  readonly tableName: string;
  readonly bucketsTableName?: string;
  readonly notices?: boolean;
  readonly clock: Clock;
  readonly random: Random;
}

interface ConnectOptions extends DbOptions {
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: DynamoDBClientConfig;
  /**
   * Limit of each call. If absent, a call takes as long as the engine needs: a test on a loaded
   * machine must not fail because of the time.
   */
  readonly limit?: CallLimit;
}

const isConflict = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionConflictException';

/** Opens the stores' connection over a given client. After its invocation timed out, work sends only point reads. */
export const openDb = (client: Db['client'], { tableName, bucketsTableName, notices = false, clock, random }: DbOptions): Db => {
  const sendInTime = async (command: never) => {
    assertInTime();
    return await client.send(command);
  };
  const send = (command: never) => retryConflicts({ clock, random }, () => sendInTime(command), isConflict);
  return {
    client: { send } as Db['client'],
    get: pointReads(client, tableName, { clock, random }),
    table: tableName,
    buckets: bucketsTableName,
    notices,
    clock,
    random,
  };
};

export const connectDb = ({ client: config = {}, limit, ...options }: ConnectOptions): Db => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...callLimits, ...config }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return openDb(limit ? withCallLimit(client, limit) : client, options);
};
