/**
 * Building blocks of the table of a record's fields. A row is the field's empty value, which it has
 * in a new record, after an erasure, and if nothing is stored. An erasure keeps a field that is
 * `kept`, because it identifies no person.
 */

class Kept<Empty> {
  readonly empty: Empty;
  constructor(empty: Empty) {
    this.empty = empty;
  }
}

/** A field that identifies no person and is never empty. */
export const kept = /* @__PURE__ */ new Kept(undefined);

/** A field that identifies no person, with its empty value. */
/* @__NO_SIDE_EFFECTS__ */
export function keptOr<const Empty>(empty: Empty): Kept<Empty> {
  return new Kept(empty);
}

type Plain = string | number | boolean | null | undefined;

/**
 * A table with a row for every field. Only plain values may be `kept`; an object has its own table.
 * A row may be a function, if an erasure needs more than the empty value.
 */
export type Fields<Known extends object, Context = unknown> = {
  readonly [Field in keyof Known]-?:
    | ([Known[Field]] extends [Plain | readonly Plain[]] ? Kept<Known[Field] | undefined> : never)
    | Known[Field]
    | ((value: Known[Field], context: Context) => Known[Field]);
};

type Erase = (...args: never) => unknown;

type Empties<Table> = {
  readonly [Field in keyof Table as Table[Field] extends Kept<undefined> | Erase ? never : Field]: Table[Field] extends Kept<infer Empty>
    ? Empty
    : Table[Field];
};

/** Returns the empty values of all fields that have one. */
export const empties = <Table extends object>(table: Table): Empties<Table> =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, row]) => row !== kept && typeof row !== 'function')
      .map(([field, row]) => [field, row instanceof Kept ? row.empty : row]),
  ) as Empties<Table>;

/** Returns the names of the fields that an erasure replaces. */
export const personalNames = <Table extends object>(table: Table): readonly (keyof Table)[] =>
  namesOf(table).filter((field) => !(table[field] instanceof Kept));

/** Returns the names of a table's fields, in the table's order. */
export const namesOf = <Table extends object>(table: Table): readonly (keyof Table)[] => Object.keys(table) as (keyof Table)[];

/** Returns the named fields of the source, in this order. */
export const pick = <Source extends object, Field extends keyof Source>(source: Source, names: readonly Field[]): Pick<Source, Field> =>
  Object.fromEntries(names.filter((name) => name in source).map((name) => [name, source[name]])) as Pick<Source, Field>;

/**
 * Returns the value without the person. A field that the table does not know comes from another
 * version and is removed.
 */
export const erase = <Value extends object, Context>(value: Value, table: object, context?: Context): Value =>
  Object.fromEntries(
    Object.entries(value).flatMap(([field, old]) => {
      if (!Object.hasOwn(table, field)) return [];
      const row: unknown = table[field as keyof typeof table];
      if (row instanceof Kept) return [[field, old]];
      return [[field, typeof row === 'function' ? row(old, context) : row]];
    }),
  ) as Value;
