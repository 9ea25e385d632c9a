import { cancelled } from '../../../local/engine/commands/errors.ts';
import { createExecute } from '../../../local/engine/commands/execute.ts';
import { copy, type Item, Unsupported } from '../../../local/engine/commands/values.ts';
import type { Storage, TableShape } from '../../../local/engine/storage.ts';
import { conflict, throttled, unavailable } from './faults.ts';
import { Table } from './table.ts';

/** Faults that replace the execution of a call. */
export type Fault =
  /** Rejected because of other traffic on its items. */
  | 'conflict'
  /** The range of the first key is throttled. */
  | 'hot'
  /** The table is throttled. */
  | 'throttled'
  /** A 5xx. */
  | 'unavailable'
  /** A batch leaves its last key unprocessed. Other calls do nothing. */
  | 'unprocessed';

export interface EngineOptions {
  readonly tables: readonly TableShape[];
  readonly now: () => number;
  /**
   * The lag of an index at a read, in ms; called at every read. An index never shows an older state
   * again.
   */
  readonly indexLagMs?: () => number;
  /** The size in bytes at which a page of a query without a limit ends; default 1 MB. */
  readonly pageBytes?: number;
}

export interface Engine {
  /** Executes a command of the document client at once. Throws the errors of the SDK. */
  execute(operation: string, input: object, fault?: Fault): object;
  table(name: string): Table;
}

interface MemoryStorage extends Storage {
  table(name: string): Table;
}

/** Returns a storage that keeps its whole history, and reads as late as the lag says. */
const createStorage = ({ tables: shapes, now, indexLagMs = () => 0 }: EngineOptions): MemoryStorage => {
  const tables = new Map(shapes.map((shape) => [shape.name, new Table(shape)]));
  const tokens = new Map<string, { readonly digest: string; readonly untilMs: number }>();
  const table = (name: string): Table => {
    const found = tables.get(name);
    if (!found) throw new Unsupported(`The engine has no table ${name}.`);
    return found;
  };
  return {
    table,
    now,
    // A command writes only after all of its checks.
    atomically: (work) => work(),
    get: ({ name }, key) => table(name).stored(key),
    range: ({ name }, read) => table(name).range(read, now() - indexLagMs()),
    write: ({ name }, { key, after }) => table(name).write(key, after, now()),
    recall(token) {
      const known = tokens.get(token);
      return known && known.untilMs > now() ? known.digest : undefined;
    },
    remember: (token, digest, untilMs) => void tokens.set(token, { digest, untilMs }),
  };
};

type BatchPart = { readonly Keys: readonly object[] };

/** Removes the last key of each table from a batch, and returns what DynamoDB says of these keys. */
const withoutLastKeys = (input: object) => {
  const { RequestItems } = input as { readonly RequestItems: Readonly<Record<string, BatchPart>> };
  const [read, UnprocessedKeys]: Record<string, BatchPart>[] = [{}, {}];
  for (const [name, { Keys, ...how }] of Object.entries(RequestItems)) {
    const count = Math.max(1, Keys.length - 1);
    (read as Record<string, BatchPart>)[name] = { ...how, Keys: Keys.slice(0, count) };
    if (count < Keys.length) (UnprocessedKeys as Record<string, BatchPart>)[name] = { ...how, Keys: Keys.slice(count) };
  }
  return { read: { ...input, RequestItems: read }, UnprocessedKeys };
};

/** Returns the error that a fault causes, if any. */
const errorOf = (operation: string, input: object, fault: Fault | undefined): Error | undefined => {
  if (fault === 'throttled' || fault === 'hot') return throttled(fault === 'hot');
  if (fault === 'unavailable') return unavailable();
  if (fault !== 'conflict' || operation === 'Get' || operation === 'Query' || operation === 'BatchGet') return undefined;
  if (operation !== 'TransactWrite') return conflict();
  const { TransactItems = [] } = input as { readonly TransactItems?: readonly object[] };
  return cancelled(TransactItems.map((_, i) => ({ Code: i === 0 ? 'TransactionConflict' : 'None' })));
};

/** The commands of the embedded engine, on a storage in memory that has faults. */
export const createEngine = (options: EngineOptions): Engine => {
  const storage = createStorage(options);
  const execute = createExecute({ storage, tables: options.tables, pageBytes: options.pageBytes });
  return {
    table: storage.table,
    execute(operation, input, fault) {
      const error = errorOf(operation, input, fault);
      if (error) throw error;
      // The storage holds these values, so the caller gets a copy.
      const run = (ran: object): Item => copy(execute(operation, ran) as Item);
      if (operation !== 'BatchGet' || fault !== 'unprocessed') return run(input);
      const { read, UnprocessedKeys } = withoutLastKeys(input);
      return { ...run(read), UnprocessedKeys };
    },
  };
};
