import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../options.ts';

/**
 * The tables with their changes, and queues, schedules, parked records, stream positions and account
 * names of all regions: one SQLite file with one connection of one process. A transaction of one of
 * them never runs inside another, because each is synchronous.
 */
export type State = DatabaseSync;

/** The error of a directory that this version cannot read. */
export const otherVersion =
  'The data directory was made by a version of the service with other tables: delete it, or choose another with --data.';
/** Written into the file. A file of a version before the embedded database has 0. */
const formatVersion = 1;
/** What a version before the embedded database put beside its state. */
const oldEngines = ['dynamodb.db', 'dynamodb-local'];

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, queue TEXT NOT NULL, group_id TEXT NOT NULL, body TEXT NOT NULL,
    sent_ms INTEGER NOT NULL, visible_ms INTEGER NOT NULL, receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_ms INTEGER, in_flight INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX IF NOT EXISTS waiting_by_group ON messages (queue, group_id, visible_ms) WHERE in_flight = 0;
  CREATE INDEX IF NOT EXISTS waiting_by_time ON messages (queue, visible_ms) WHERE in_flight = 0;
  CREATE INDEX IF NOT EXISTS messages_in_flight ON messages (queue) WHERE in_flight = 1;
  CREATE TABLE IF NOT EXISTS schedules (
    queue TEXT NOT NULL, name TEXT NOT NULL, at_ms INTEGER NOT NULL, group_id TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (queue, name)) STRICT;
  CREATE INDEX IF NOT EXISTS schedules_by_time ON schedules (queue, at_ms);
  CREATE TABLE IF NOT EXISTS parked (region TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (region, key)) STRICT;
  CREATE TABLE IF NOT EXISTS checkpoints (table_name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS accounts (region TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (region, id)) STRICT;
  CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

/**
 * Only the owner may enter the directory and read its files, because they hold keys and signing
 * secrets.
 */
const onlyOwner = 0o700;
const ownFile = /^(state\.db|service\.log)/;
const longestLockWaitMs = 2000;

/** Creates one level at a time, because Node's recursive mkdir never returns below /proc. */
const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: onlyOwner });
};

/** Restricts a directory that another command made, and its files, to their owner. */
const takeOwnership = (dataDir: string): void => {
  const { uid, mode } = statSync(dataDir);
  const user = process.getuid?.();
  if (user === undefined) return; // Windows has no such modes
  if (uid !== user) throw new UsageError(`--data ${dataDir} belongs to another user: choose a directory of your own.`);
  if ((mode & 0o1002) !== 0) throw new UsageError(`--data ${dataDir} is open to all users: choose a directory of your own.`);
  process.umask(0o077);
  chmodSync(dataDir, onlyOwner);
  for (const name of readdirSync(dataDir)) if (ownFile.test(name)) chmodSync(join(dataDir, name), 0o600);
};

/**
 * Creates the data directory if it is missing and restricts it to its owner. Throws a one-sentence
 * `UsageError` if it is unusable.
 */
export const ensureDirectory = (dataDir: string): void => {
  try {
    makeDirectory(resolve(dataDir));
  } catch (error) {
    throw new UsageError(`--data ${dataDir} cannot be made: ${(error as NodeJS.ErrnoException).code}.`);
  }
  if (!statSync(dataDir).isDirectory()) throw new UsageError(`--data ${dataDir} is not a directory.`);
  takeOwnership(dataDir);
};

/** Throws for a file that another version made. */
const checkFormat = (db: State): void => {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  const isNew = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (!isNew && version !== formatVersion) throw new UsageError(otherVersion);
  if (isNew) db.exec(`PRAGMA user_version = ${formatVersion}`);
};

const open = (path: string): State => {
  const db = new DatabaseSync(path);
  try {
    // The exclusive lock keeps a second service off the directory. It ends with the process.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    checkFormat(db);
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Opens a state in memory. */
export const openMemory = (): State => open(':memory:');

const isDamaged = /malformed|not a database|corrupt/;

/** Opens the state in a data directory or in memory. Waits briefly for a run that is ending. */
export const openState = async (dataDir: string | undefined, lockWaitMs = longestLockWaitMs): Promise<State> => {
  if (dataDir === undefined) return openMemory();
  ensureDirectory(dataDir);
  if (oldEngines.some((name) => existsSync(join(dataDir, name)))) throw new UsageError(otherVersion);
  const deadline = Date.now() + lockWaitMs;
  for (;;) {
    try {
      return open(join(dataDir, 'state.db'));
    } catch (error) {
      if (isDamaged.test(String(error)))
        throw new UsageError(`${join(dataDir, 'state.db')} is damaged: restore it from a backup, or choose another --data directory.`);
      if (!/locked/.test(String(error))) throw error;
      if (Date.now() > deadline)
        throw new UsageError(`Another service is running on ${dataDir}: stop it, or choose another --data directory.`);
      await wait(50);
    }
  }
};

const bounds = new WeakMap<State, { readonly begin: StatementSync; readonly commit: StatementSync }>();

/**
 * Returns the statements that begin and commit a transaction. To prepare them takes as long as to
 * run them.
 */
const boundsOf = (state: State) => {
  const known = bounds.get(state) ?? { begin: state.prepare('BEGIN IMMEDIATE'), commit: state.prepare('COMMIT') };
  bounds.set(state, known);
  return known;
};

/** Runs the work in one transaction: all of it commits, or none. */
export const transact = <Result>(state: State, work: () => Result): Result => {
  const { begin, commit } = boundsOf(state);
  begin.run();
  try {
    const result = work();
    commit.run();
    return result;
  } catch (error) {
    // SQLite rolls back on its own if the disk is full. A second rollback would fail and hide this
    // error.
    if (state.isTransaction) state.exec('ROLLBACK');
    throw error;
  }
};
