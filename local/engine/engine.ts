import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { UsageError } from '../options.ts';
import type { DocumentClient } from './client.ts';
import { createExecute, type Execute } from './commands/execute.ts';
import type { Item } from './commands/values.ts';
import { decode, type Encoded, imageOf } from './encoding.ts';
import { openStorage } from './sqlite.ts';
import { otherVersion, type State } from './state.ts';
import type { TableShape } from './storage.ts';

/** The change streams of the tables. */
export interface ChangeStreams {
  /**
   * Returns up to `limit` changes of a table after a position, oldest first, as Lambda receives
   * them. A position is the record's sequence number; the first is 1.
   */
  changes(table: string, after: number, limit: number): readonly DynamoDBRecord[] | Promise<readonly DynamoDBRecord[]>;
  /** Deletes changes up to a position that are handled. Keeps the newest: numbering continues from it. */
  trim(table: string, position: number): void;
}

/** What a region needs of a database: a document client, and the changes of its tables. */
export interface Database extends ChangeStreams {
  readonly client: DocumentClient;
}

/** The embedded database: DynamoDB's commands, in this process, on one SQLite file or in memory. */
export interface Engine extends ChangeStreams {
  /** Executes a command of the document client at once. Throws the errors of the SDK. */
  readonly execute: Execute;
  /** Deletes up to `max` expired items of all tables. Returns the number of deleted items. */
  expire(max: number): number;
}

interface ChangeRow {
  readonly position: number;
  readonly at_ms: number;
  readonly pk: string;
  readonly sk: string;
  readonly old: string | null;
  readonly old_special: string | null;
  readonly new: string | null;
  readonly new_special: string | null;
  readonly expired: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, keys TEXT NOT NULL, stream TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, t INTEGER NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL,
    text TEXT NOT NULL, special TEXT, expires_s INTEGER, UNIQUE (t, pk, sk)) STRICT;
  CREATE INDEX IF NOT EXISTS items_by_expiry ON items (expires_s) WHERE expires_s IS NOT NULL;
  CREATE TABLE IF NOT EXISTS entries (
    x INTEGER NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL, item_pk TEXT NOT NULL, item_sk TEXT NOT NULL, item INTEGER NOT NULL,
    PRIMARY KEY (x, pk, sk, item_pk, item_sk)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS changes (
    t INTEGER NOT NULL, position INTEGER NOT NULL, at_ms REAL NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL,
    old TEXT, old_special TEXT, new TEXT, new_special TEXT, expired INTEGER NOT NULL,
    PRIMARY KEY (t, position)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, digest TEXT NOT NULL, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tokens_by_end ON tokens (until_ms);
`;

/**
 * Opens the tables in the file. Throws a `UsageError` if a table has other keys or indexes: another
 * version made it, and this version would not find its records.
 */
const openTables = (state: State, shapes: readonly TableShape[]) => {
  state.exec(schema);
  const find = state.prepare('SELECT id, keys, stream FROM tables WHERE name = ?');
  // Positions start at 1 in every file, and ids of stream records are unique. So a table's stream
  // has the time at which it was made in its name.
  const insert = state.prepare('INSERT INTO tables (name, keys, stream) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  return shapes.map((shape) => {
    const { name, ...keys } = shape;
    const text = JSON.stringify(keys);
    insert.run(name, text, `arn:aws:dynamodb:local:000000000000:table/${name}/stream/${new Date().toISOString()}`);
    const row = find.get(name);
    if (row?.['keys'] !== text) throw new UsageError(otherVersion);
    return { id: Number(row['id']), shape, stream: String(row['stream']) };
  });
};

const isTtl = { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const;

/** Adds an image that is made when it is read, because most records match no filter. */
const addImage = (record: object, name: string, encoded: Encoded | undefined): void => {
  if (encoded) Object.defineProperty(record, name, { enumerable: true, get: () => imageOf(decode(encoded)) });
};

const recordOf = ({ partitionKey, sortKey }: TableShape, stream: string, row: ChangeRow): DynamoDBRecord => {
  const old = row.old === null ? undefined : { text: row.old, special: row.old_special };
  const fresh = row.new === null ? undefined : { text: row.new, special: row.new_special };
  const keys: Item = { [partitionKey]: row.pk, ...(sortKey === undefined ? {} : { [sortKey]: row.sk }) };
  const dynamodb = {
    ApproximateCreationDateTime: Math.floor(row.at_ms / 1000),
    SequenceNumber: String(row.position),
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    Keys: imageOf(keys),
  } as const;
  addImage(dynamodb, 'NewImage', fresh);
  addImage(dynamodb, 'OldImage', old);
  return {
    eventID: createHash('md5').update(`${stream}/${row.position}`).digest('hex'),
    eventName: old ? (fresh ? 'MODIFY' : 'REMOVE') : 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'local',
    eventSourceARN: stream,
    ...(row.expired ? { userIdentity: isTtl } : {}),
    dynamodb,
  };
};

/** Opens the tables in the state's file, which also holds queues, schedules and positions. */
export const openEngine = (state: State, shapes: readonly TableShape[], now: () => number): Engine => {
  const tables = openTables(state, shapes);
  const storage = openStorage(state, tables, now);
  const select = state.prepare('SELECT * FROM changes WHERE t = ? AND position > ? ORDER BY position LIMIT ?');
  const drop = state.prepare(
    'DELETE FROM changes WHERE t = ?1 AND position <= ?2 AND position < (SELECT max(position) FROM changes WHERE t = ?1)',
  );
  const tableOf = (name: string) => {
    const found = tables.find(({ shape }) => shape.name === name);
    if (!found) throw new Error(`The engine has no table ${name}.`);
    return found;
  };
  return {
    execute: createExecute({ storage, tables: shapes }),
    changes(name, after, limit) {
      const { id, shape, stream } = tableOf(name);
      return select.all(id, after, limit).map((row) => recordOf(shape, stream, row as unknown as ChangeRow));
    },
    trim: (name, position) => void drop.run(tableOf(name).id, position),
    expire: storage.expire,
  };
};
