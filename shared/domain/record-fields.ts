import type { GenericSchema, InferOutput } from 'valibot';

/**
 * Declares the fields of records, and derives tables from the declarations:
 *
 * 1. The `fields.ts` of a resource declares each field in a row: `field(schema, { erased, sent })`.
 * 2. `erasedOf(rows)` is the table of what an erasure leaves. `erase` applies it to a record, and
 *    `emptyValuesOf` returns the values of a new record, which are not stored.
 * 3. `sentOf(rows)` is the table of schemas of what a caller may send.
 * 4. `pick(record, namesOf(rows))` is a view or a payload.
 */

/** Declares a field: its type and description, what an erasure leaves, and what a caller may send. */
/* @__NO_SIDE_EFFECTS__ */
export function field<OutputSchema extends GenericSchema, const Rest extends Row<InferOutput<OutputSchema>>>(
  outputSchema: OutputSchema,
  rest: Rest,
): Rest & { readonly outputSchema: OutputSchema } {
  return { ...rest, outputSchema };
}

interface Row<Value> {
  /** Absent if no erasure concerns the record. */
  readonly erased?: Erased<Value>;
  /** Returns the schema of what a caller may send; absent if only the service sets the field. */
  readonly sent?: (is: Inputs) => GenericSchema;
}

/** Schemas of what callers may send. Only functions of the API load them. */
type Inputs = typeof import('./inputs.ts');

/**
 * Result of an erasure for a field:
 * - `retained` or `retainedOr(empty)`: the value itself, which identifies no person. An object cannot
 *   be retained; it has a table of its own.
 * - a value: this one, which is also the field's empty value.
 * - a function: what it returns of the value.
 */
type Erased<Value, Context = unknown> =
  | ([Value] extends [Plain | readonly Plain[]] ? Retained<Value | undefined> : never)
  | Value
  | ((value: Value, context: Context) => Value);

type Plain = string | number | boolean | null | undefined;

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

/** Result of an erasure for each field. A table without one of the fields does not compile. */
export type ErasureTable<Known extends object, Context = unknown> = {
  readonly [Field in keyof Known]-?: Erased<Known[Field], Context>;
};

/** Returns what an erasure leaves of each field. */
/* @__NO_SIDE_EFFECTS__ */
export function erasedOf<Rows extends Readonly<Record<string, { readonly erased: unknown }>>>(rows: Rows) {
  return Object.fromEntries(Object.entries(rows).map(([name, { erased }]) => [name, erased])) as {
    readonly [Name in keyof Rows]: Rows[Name]['erased'];
  };
}

/**
 * Returns the value without the person. A field that the table does not know comes from another
 * version and is removed.
 */
export const erase = <Value extends object, Context>(value: Value, table: object, context?: Context): Value =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, old]) => {
      if (!Object.hasOwn(table, name)) return [];
      const erased: unknown = table[name as keyof typeof table];
      if (erased instanceof Retained) return [[name, old]];
      return [[name, typeof erased === 'function' ? erased(old, context) : erased]];
    }),
  ) as Value;

/** Returns the names of the fields that an erasure replaces. */
export const personalNames = <Table extends object>(table: Table): readonly (keyof Table)[] =>
  namesOf(table).filter((name) => !(table[name] instanceof Retained));

/** The empty value of a field; never if it has none. */
type EmptyOf<ErasedField> =
  ErasedField extends Retained<infer Empty>
    ? Exclude<Empty, undefined>
    : ErasedField extends (...args: never) => unknown
      ? never
      : ErasedField;

/** Returns the empty values of all fields of a table of erasures that have one. */
export const emptyValuesOf = <Table extends object>(table: Table) =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, erased]) => erased !== retained && typeof erased !== 'function')
      .map(([name, erased]) => [name, erased instanceof Retained ? erased.empty : erased]),
  ) as WithoutNever<{ readonly [Name in keyof Table]: EmptyOf<Table[Name]> }>;

type SentOf<Row> = Row extends { readonly sent: (is: Inputs) => infer Schema extends GenericSchema } ? Schema : never;

/** Returns the schema of each field that a caller may send. */
export const sentOf = <Rows extends Readonly<Record<string, object>>>(rows: Rows, is: Inputs) =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) => {
      // In a bundle, a row that is only a type is undefined.
      const { sent } = (row ?? {}) as Row<unknown>;
      return sent ? [[name, sent(is)]] : [];
    }),
  ) as WithoutNever<{ readonly [Name in keyof Rows]: SentOf<Rows[Name]> }>;

type WithoutNever<Table> = { readonly [Name in keyof Table as [Table[Name]] extends [never] ? never : Name]: Table[Name] };

/** Returns the names of a table's fields, in the table's order. */
export const namesOf = <Table extends object>(table: Table): readonly (keyof Table)[] => Object.keys(table) as (keyof Table)[];

/** Returns the named fields of the source, in this order. */
/* @__NO_SIDE_EFFECTS__ */
export function pick<Source extends object, Field extends keyof Source>(source: Source, names: readonly Field[]): Pick<Source, Field> {
  const picked: Partial<Pick<Source, Field>> = {};
  for (const name of names) if (name in source) picked[name] = source[name];
  return picked as Pick<Source, Field>;
}
