import type { StatementSync } from 'node:sqlite';
import { entryKeyOf, keyOf, projectedBy, valuesOfKey } from './commands/keys.ts';
import type { Item } from './commands/values.ts';
import { decode, type Encoded, encode } from './encoding.ts';
import { type State, transact } from './state.ts';
import type { Change, Entry, Index, KeyValues, RangeRead, Storage, TableShape } from './storage.ts';

/** An index has the number of its table, shifted, and its position in the table. */
const maxIndexes = 32;

interface Row extends Encoded {
  readonly id: number;
}

/** A table as the file knows it. */
interface OpenTable {
  readonly id: number;
  readonly shape: TableShape;
  readonly indexes: readonly { readonly id: number; readonly index: Index }[];
}

/** An upper bound of UTF-8 bytes per character of the stored JSON. */
const bytesPerCharacter = 3;

const prepare = (state: State) => ({
  get: state.prepare('SELECT id, text, special FROM items WHERE t = ? AND pk = ? AND sk = ?'),
  insert: state.prepare('INSERT INTO items (t, pk, sk, text, special, expires_s) VALUES (?, ?, ?, ?, ?, ?) RETURNING id'),
  update: state.prepare('UPDATE items SET text = ?, special = ?, expires_s = ? WHERE id = ?'),
  remove: state.prepare('DELETE FROM items WHERE id = ?'),
  enter: state.prepare('INSERT INTO entries (x, pk, sk, item_pk, item_sk, item) VALUES (?, ?, ?, ?, ?, ?)'),
  leave: state.prepare('DELETE FROM entries WHERE x = ? AND pk = ? AND sk = ? AND item_pk = ? AND item_sk = ?'),
  append: state.prepare(`INSERT INTO changes (t, position, at_ms, pk, sk, old, old_special, new, new_special, expired)
    SELECT ?1, coalesce(max(position), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM changes WHERE t = ?1`),
  recall: state.prepare('SELECT digest FROM tokens WHERE token = ? AND until_ms > ?'),
  remember: state.prepare('INSERT OR REPLACE INTO tokens (token, digest, until_ms) VALUES (?, ?, ?)'),
});

type Parameter = string | number;

/**
 * Returns the statement and its parameters for a read. A start replaces the bound on its side,
 * because it lies within the bounds.
 */
const statementOf = (read: RangeRead, id: number): { readonly sql: string; readonly parameters: readonly Parameter[] } => {
  const { index, partition, range, start, isForward, limit } = read;
  const [sk, order] = index ? ['e.sk', ['e.sk', 'e.item_pk', 'e.item_sk']] : ['i.sk', ['i.sk']];
  const conditions = index ? ['e.x = ?', 'e.pk = ?'] : ['i.t = ?', 'i.pk = ?'];
  const parameters: Parameter[] = [id, partition];
  const least = start && isForward ? undefined : range.least;
  const greatest = start && !isForward ? undefined : range.greatest;
  if (least) {
    conditions.push(`${sk} ${least.inclusive ? '>=' : '>'} ?`);
    parameters.push(least.sort);
  }
  if (greatest) {
    conditions.push(`${sk} ${greatest.inclusive ? '<=' : '<'} ?`);
    parameters.push(greatest.sort);
  }
  if (start) {
    conditions.push(`(${order.join()}) ${isForward ? '>' : '<'} (${order.map(() => '?').join()})`);
    parameters.push(start.sort, ...(index ? [start.item.partition, start.item.sort] : []));
  }
  const from = index ? 'entries e CROSS JOIN items i ON i.id = e.item' : 'items i';
  const sorted = order.map((name) => `${name} ${isForward ? 'ASC' : 'DESC'}`).join();
  parameters.push(Number.isFinite(limit) ? limit : -1);
  return { sql: `SELECT i.text, i.special FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${sorted} LIMIT ?`, parameters };
};

export interface SqliteStorage extends Storage {
  /** Deletes up to `max` items that have expired. Returns the number of deleted items. */
  expire(max: number): number;
}

type Rows = WeakMap<Item, Row>;

/**
 * Returns the write of an item with its index entries and its change. `rows` has the row of a stored
 * item, so that a write finds it without another read.
 */
const openWriter = (sql: ReturnType<typeof prepare>, rows: Rows, now: () => number) => {
  /** Stores or deletes the item itself. Returns its row's id. */
  const writeItem = (
    { ttlAttribute }: TableShape,
    t: number,
    key: KeyValues,
    old: Row | undefined,
    after?: Item,
    stored?: Encoded,
  ): number => {
    if (!after || !stored) {
      if (old) sql.remove.run(old.id);
      return old?.id ?? 0;
    }
    const ttl = ttlAttribute === undefined ? undefined : after[ttlAttribute];
    const expiresS = typeof ttl === 'number' ? Math.floor(ttl) : null;
    if (!old) return Number(sql.insert.get(t, key.partition, key.sort, stored.text, stored.special, expiresS)?.['id']);
    sql.update.run(stored.text, stored.special, expiresS, old.id);
    return old.id;
  };

  const moveEntries = ({ indexes }: OpenTable, key: KeyValues, item: number, { before, after }: Change): void => {
    for (const { id, index } of indexes) {
      const [from, to] = [entryKeyOf(index, before), entryKeyOf(index, after)];
      if (from && to && from.partition === to.partition && from.sort === to.sort) continue;
      if (from) sql.leave.run(id, from.partition, from.sort, key.partition, key.sort);
      if (to) sql.enter.run(id, to.partition, to.sort, key.partition, key.sort, item);
    }
  };

  return (table: OpenTable, change: Change, isExpired: boolean): void => {
    const { shape, id } = table;
    const key = valuesOfKey(shape, change.key);
    const old = change.before && rows.get(change.before);
    const fresh = change.after && encode(change.after);
    moveEntries(table, key, writeItem(shape, id, key, old, change.after, fresh), change);
    if (!shape.streamed) return;
    const images = [old?.text ?? null, old?.special ?? null, fresh?.text ?? null, fresh?.special ?? null];
    sql.append.run(id, now(), key.partition, key.sort, ...images, isExpired ? 1 : 0);
  };
};

type RangeRow = readonly [text: string, special: string | null];

/** Returns the read of a range. It prepares each form of a read once. SQLite makes arrays faster than objects. */
const openReader = (state: State) => {
  const statements = new Map<string, StatementSync>();
  const prepareRange = (sql: string): StatementSync => {
    const statement = state.prepare(sql);
    statement.setReturnArrays(true);
    statements.set(sql, statement);
    return statement;
  };
  return function* ({ id, indexes }: OpenTable, read: RangeRead): Generator<Encoded> {
    const { sql, parameters } = statementOf(read, read.index ? (indexes.find(({ index }) => index === read.index)?.id ?? -1) : id);
    const statement = statements.get(sql) ?? prepareRange(sql);
    // A limited page is read whole. Otherwise the loop closes the statement when its caller stops.
    const rows = Number.isFinite(read.limit) ? statement.all(...parameters) : statement.iterate(...parameters);
    for (const [text, special] of rows as unknown as Iterable<RangeRow>) yield { text, special };
  };
};

const openTableOf = ({ id, shape }: { readonly id: number; readonly shape: TableShape }): OpenTable => ({
  id,
  shape,
  indexes: (shape.indexes ?? []).map((index, i) => ({ id: id * maxIndexes + i, index })),
});

/** Opens the tables with these ids in the file. */
export const openStorage = (
  state: State,
  shapes: readonly { readonly id: number; readonly shape: TableShape }[],
  now: () => number,
): SqliteStorage => {
  const sql = prepare(state);
  const rows: Rows = new WeakMap();
  const [write, read] = [openWriter(sql, rows, now), openReader(state)];
  const tables = new Map(shapes.map((one) => [one.shape.name, openTableOf(one)]));
  const tableOf = ({ name }: TableShape): OpenTable => tables.get(name) as OpenTable;
  const readItem = (row: Row): Item => {
    const item = decode(row);
    rows.set(item, row);
    return item;
  };
  const ids = shapes.map(({ id }) => id).join();
  // Without INDEXED BY, SQLite reads all items of the tables.
  const expired = state.prepare(
    `SELECT id, t, text, special FROM items INDEXED BY items_by_expiry WHERE expires_s < ? AND t IN (${ids}) ORDER BY expires_s LIMIT ?`,
  );
  const forget = state.prepare('DELETE FROM tokens WHERE until_ms <= ?');
  return {
    now,
    atomically: (work) => transact(state, work),
    get(shape, { partition, sort }) {
      const row = sql.get.get(tableOf(shape).id, partition, sort) as unknown as Row | undefined;
      return row && readItem(row);
    },
    *range(shape, rangeRead): Generator<Entry> {
      for (const row of read(tableOf(shape), rangeRead)) {
        const item = decode(row);
        yield { item: rangeRead.index ? projectedBy(shape, rangeRead.index, item) : item, maxBytes: bytesPerCharacter * row.text.length };
      }
    },
    write: (shape, change) => write(tableOf(shape), change, false),
    recall(token) {
      const digest = sql.recall.get(token, now())?.['digest'];
      return digest === undefined ? undefined : String(digest);
    },
    remember: (token, digest, untilMs) => void sql.remember.run(token, digest, Math.ceil(untilMs)),
    expire(max) {
      forget.run(now());
      const found = expired.all(Math.floor(now() / 1000), max) as unknown as (Row & { readonly t: number })[];
      transact(state, () => {
        for (const row of found) {
          const table = [...tables.values()].find(({ id }) => id === row.t) as OpenTable;
          const before = readItem(row);
          write(table, { key: keyOf(table.shape, before, false), before, after: undefined }, true);
        }
      });
      return found.length;
    },
  };
};
