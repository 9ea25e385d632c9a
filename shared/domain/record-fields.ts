import type { GenericSchema, InferOutput } from 'valibot';

/**
 * Building blocks of the declarations of a record's fields. What an erasure leaves of a field is also
 * its empty value, which it has in a new record and if nothing is stored. An erasure keeps a field that is
 * `kept`, because it identifies no person.
 */

class Retained<Empty> {
  readonly empty: Empty;
  constructor(empty: Empty) {
    this.empty = empty;
  }
}

/** A field that identifies no person and is never empty. */
export const retained = /* @__PURE__ */ new Retained(undefined);

/** A field that identifies no person, with its empty value. */
/* @__NO_SIDE_EFFECTS__ */
export function retainedOr<const Empty>(empty: Empty): Retained<Empty> {
  return new Retained(empty);
}

type Plain = string | number | boolean | null | undefined;

/**
 * A table with a row for every field. Only plain values may be `kept`; an object has its own table.
 * A row may be a function, if an erasure needs more than the empty value.
 */
export type Fields<Known extends object, Context = unknown> = {
  readonly [Field in keyof Known]-?:
    | ([Known[Field]] extends [Plain | readonly Plain[]] ? Retained<Known[Field] | undefined> : never)
    | Known[Field]
    | ((value: Known[Field], context: Context) => Known[Field]);
};

type Erase = (...args: never) => unknown;

type Empties<Table> = {
  readonly [Field in keyof Table as Table[Field] extends Retained<undefined> | Erase ? never : Field]: Table[Field] extends Retained<
    infer Empty
  >
    ? Empty
    : Table[Field];
};

/** Schemas of what callers may send. Only functions of the API load them. */
type Inputs = typeof import('./inputs.ts');

type ErasedTo<Value> =
  | ([Value] extends [Plain | readonly Plain[]] ? Retained<Value | undefined> : never)
  | Value
  | ((value: Value) => Value);

interface Row<Value> {
  /**
   * The value that an erasure leaves, which is also the empty value; `kept` if the field identifies no person.
   * Absent if no erasure concerns the record.
   */
  readonly erased?: ErasedTo<Value>;
  /** Returns the schema of what a caller may send; absent if only the service sets the field. */
  readonly sent?: (is: Inputs) => GenericSchema;
}

/** Declares a field: its type and description, what an erasure leaves, and what a caller may send. */
/* @__NO_SIDE_EFFECTS__ */
export function field<OutputSchema extends GenericSchema, const Rest extends Row<InferOutput<OutputSchema>>>(
  outputSchema: OutputSchema,
  rest: Rest,
): Rest & { readonly outputSchema: OutputSchema } {
  return { ...rest, outputSchema };
}

/** Returns what an erasure leaves of each field. */
/* @__NO_SIDE_EFFECTS__ */
export function erasedOf<Rows extends Readonly<Record<string, { readonly erased: unknown }>>>(rows: Rows) {
  return Object.fromEntries(Object.entries(rows).map(([name, { erased }]) => [name, erased])) as {
    readonly [Name in keyof Rows]: Rows[Name]['erased'];
  };
}

type Sent<Row> = Row extends { readonly sent: (is: Inputs) => infer Schema extends GenericSchema } ? Schema : never;

/** Returns the schema of each field that a caller may send. */
export const sentOf = <Rows extends Readonly<Record<string, object>>>(rows: Rows, is: Inputs) =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) => {
      // In a bundle, a row that is only a type is undefined.
      const { sent } = (row ?? {}) as Row<unknown>;
      return sent ? [[name, sent(is)]] : [];
    }),
  ) as {
    readonly [Name in keyof Rows as Sent<Rows[Name]> extends never ? never : Name]: Sent<Rows[Name]>;
  };

/** Returns the empty values of all fields that have one. */
export const empties = <Table extends object>(table: Table): Empties<Table> =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, row]) => row !== retained && typeof row !== 'function')
      .map(([field, row]) => [field, row instanceof Retained ? row.empty : row]),
  ) as Empties<Table>;

/** Returns the names of the fields that an erasure replaces. */
export const personalNames = <Table extends object>(table: Table): readonly (keyof Table)[] =>
  namesOf(table).filter((field) => !(table[field] instanceof Retained));

/** Returns the names of a table's fields, in the table's order. */
export const namesOf = <Table extends object>(table: Table): readonly (keyof Table)[] => Object.keys(table) as (keyof Table)[];

/** Returns the named fields of the source, in this order. */
/* @__NO_SIDE_EFFECTS__ */
export function pick<Source extends object, Field extends keyof Source>(source: Source, names: readonly Field[]): Pick<Source, Field> {
  return Object.fromEntries(names.filter((name) => name in source).map((name) => [name, source[name]])) as Pick<Source, Field>;
}

/**
 * Returns the value without the person. A field that the table does not know comes from another
 * version and is removed.
 */
export const erase = <Value extends object, Context>(value: Value, table: object, context?: Context): Value =>
  Object.fromEntries(
    Object.entries(value).flatMap(([field, old]) => {
      if (!Object.hasOwn(table, field)) return [];
      const row: unknown = table[field as keyof typeof table];
      if (row instanceof Retained) return [[field, old]];
      return [[field, typeof row === 'function' ? row(old, context) : row]];
    }),
  ) as Value;
