import * as v from 'valibot';

/**
 * Building blocks of wire shapes: the fields of responses and events, each with its description in
 * the OpenAPI document. In a bundle, each of them is an empty function, so that no bundle holds the
 * texts (`lib/bundle.ts`).
 */

const described = <Schema extends v.GenericSchema>(schema: Schema, text: string) => v.pipe(schema, v.description(text));

type Entry = v.GenericSchema | { readonly outputSchema: v.GenericSchema };
type SchemaOf<One> = One extends { readonly outputSchema: infer OutputSchema extends v.GenericSchema }
  ? OutputSchema
  : One extends v.GenericSchema
    ? One
    : never;

/** An object that the OpenAPI document lists under this name. Its entries are schemas or declared fields. */
export const shape = <const Entries extends Readonly<Record<string, Entry>>>(name: string, text: string, entries: Entries) => {
  const schemas = Object.fromEntries(
    Object.entries(entries).map(([field, entry]) => [field, 'outputSchema' in entry ? entry.outputSchema : entry]),
  );
  type Schemas = { readonly [Field in keyof Entries]: SchemaOf<Entries[Field]> };
  return v.pipe(v.object(schemas as Schemas), v.readonly(), v.title(name), v.description(text));
};

export const text = (about: string) => described(v.string(), about);
export const integer = (about: string) => described(v.pipe(v.number(), v.integer()), about);
export const count = (about: string) => described(v.pipe(v.number(), v.integer(), v.minValue(0)), about);
export const flag = (about: string) => described(v.boolean(), about);
export const number = (about: string) => described(v.number(), about);

/** A number with at most 2 decimals. */
export const money = number;

/** A timestamp: ISO 8601 with milliseconds and `Z`. */
export const timestamp = (about: string) =>
  v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), v.metadata({ format: 'date-time' }), v.description(about));

/** A date `YYYY-MM-DD`. */
export const day = (about: string) => v.pipe(v.string(), v.metadata({ format: 'date' }), v.description(about));

/** A time `HH:MM`. */
export const clockTime = (about: string) => v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/), v.description(about));

export const url = (about: string) => v.pipe(v.string(), v.metadata({ format: 'uri' }), v.description(about));

export const oneOf = <const Values extends readonly string[]>(values: Values, about: string) => described(v.picklist(values), about);

export const onlyValue = <const Value extends boolean>(value: Value, about: string) => described(v.literal(value), about);

export const matching = (pattern: RegExp, about: string) => v.pipe(v.string(), v.regex(pattern), v.description(about));

const extensible = (values: readonly string[]) => v.pipe(v.string(), v.metadata({ 'x-extensible-enum': [...values] }));

/** Usually one of these values. Imported records have others, and more may be added. */
export const extensibleOneOf = (values: readonly string[], about: string) => v.pipe(extensible(values), v.description(about));

export const list = <Item extends v.GenericSchema>(item: Item, about: string) => v.pipe(v.array(item), v.readonly(), v.description(about));

/** Texts that are usually among these values. More may be added. */
export const extensibleList = (values: readonly string[], about: string) => list(extensible(values), about);

export const someOf = <const Values extends readonly string[]>(values: Values, about: string) => list(v.picklist(values), about);

/** Days of the week; Sunday is 0. */
export const weekdays = (about: string) => list(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6)), about);

export const texts = (about: string) => list(v.string(), about);

export const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(schema);

export const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullable(schema);

export const textsByName = (about: string) => described(v.pipe(v.record(v.string(), v.string()), v.readonly()), about);

/** Values of custom fields by key: texts, numbers, booleans, lists of texts, or null. */
export const customFieldValues = (about: string) =>
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.readonly(),
    // Alternatives instead of a list of types, because generators of Go clients accept no list.
    v.metadata({
      additionalProperties: {
        anyOf: [...['string', 'number', 'boolean', 'null'].map((type) => ({ type })), { type: 'array', items: { type: 'string' } }],
      },
    }),
    v.description(about),
  );

export const addressText = 'One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for space around it.';
export const address = () => described(v.union([v.string(), v.record(v.string(), v.nullable(v.string()))]), addressText);
