import type { GenericSchema } from 'valibot';
import { absentTypes, nullTypes, type SchemaNode } from '../shared/core/schema-node.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Named<Part> = Readonly<Record<string, Part>>;

/** The keywords of a schema that this folder reads. */
export interface Schema extends JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string | undefined;
  readonly properties?: Named<Schema> | undefined;
  readonly required?: readonly string[];
  readonly items?: Schema | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[] | undefined;
  readonly 'x-extensible-enum'?: readonly unknown[];
}

/**
 * A part of the document outside schemas: a path, an operation, a parameter, a response, a header
 * or a media type.
 */
export interface Node extends JsonSchema {
  readonly name?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly schema?: Schema | undefined;
  readonly parameters?: readonly Node[] | undefined;
  readonly requestBody?: Node | undefined;
  readonly responses?: Named<Node> | undefined;
  readonly headers?: Named<Node> | undefined;
  readonly content?: Named<Node> | undefined;
}

/** The whole document. */
export interface Document extends JsonSchema {
  readonly info: Readonly<Record<'title' | 'version' | 'summary', string>>;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Named<Named<Node>>;
  readonly webhooks: Named<Named<Node>>;
  readonly components: Readonly<Record<'parameters' | 'headers' | 'responses', Named<Node>>> & { readonly schemas: Named<Schema> };
}

/** Joins the words of a name: `order.status_changed` becomes `OrderStatusChanged`. */
export const pascal = (name: string): string => name.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());

export const mapped = <Name extends string, Part, Result>(
  parts: Readonly<Record<Name, Part>>,
  change: (part: Part, name: string) => Result,
): Record<Name, Result> =>
  Object.fromEntries(Object.entries<Part>(parts).map(([name, part]) => [name, change(part, name)])) as Record<Name, Result>;

/** Descriptions of fields by the name of their object. Deployed schemas have none themselves. */
export type FieldTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Whether a default is an object. Such defaults are left out, because client generators drop
 * operations that have one. Descriptions state them.
 */
const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const titleOf = (node: SchemaNode): string | undefined => node.pipe?.find(({ type }) => type === 'title')?.title;

/** Returns the schema extended by null. */
const orNull = ({ description, ...schema }: JsonSchema): JsonSchema => {
  if ('anyOf' in schema) return defined({ ...schema, anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }], description });
  if (typeof schema['type'] !== 'string')
    return defined('$ref' in schema ? { anyOf: [schema, { type: 'null' }], description } : { ...schema, description });
  const values = schema['enum'] as unknown[] | undefined;
  return defined({ ...schema, type: [schema['type'], 'null'], enum: values && [...values, null], description });
};

/**
 * Returns the keywords of a check of the library. Checks of this project have metadata beside them.
 */
const keywordsOfCheck = ({ type, requirement }: SchemaNode, current: JsonSchema): JsonSchema => {
  const counts = current['type'] === 'array' ? 'Items' : 'Length';
  if (type === 'min_length') return { [`min${counts}`]: requirement };
  if (type === 'max_length') return { [`max${counts}`]: requirement };
  if (type === 'min_value') return { minimum: requirement };
  if (type === 'max_value') return { maximum: requirement };
  if (type === 'integer') return { type: 'integer' };
  if (type === 'regex') return { pattern: (requirement as RegExp).source };
  return {};
};

/** Leaves out undefined fields. */
export const defined = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

type Convert = (node: SchemaNode) => JsonSchema;

const namesOf = (key: SchemaNode, convert: Convert): JsonSchema => {
  const { type: _, ...keywords } = convert(key);
  return Object.keys(keywords).length > 0 ? { propertyNames: keywords } : {};
};

/** Converters by schema type. Types without a converter accept any value. */
const byType: Readonly<Record<string, (node: SchemaNode, convert: Convert) => JsonSchema>> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  null: () => ({ type: 'null' }),
  array: ({ item }, convert) => ({ type: 'array', items: item ? convert(item) : {} }),
  record: ({ key, value }, convert) => ({
    type: 'object',
    ...(key ? namesOf(key, convert) : {}),
    additionalProperties: value ? convert(value) : true,
  }),
  picklist: ({ options = [] }) => ({ type: 'string', enum: [...options] }),
  literal: ({ literal }) => ({ const: literal }),
  union: ({ options = [] }, convert) => ({ anyOf: options.map((option) => convert(option as SchemaNode)) }),
};

/** Adds descriptions to the fields of an object. Throws if it lacks one of them. */
const withTexts = (name: string, schema: Schema, texts: FieldTexts[string] = {}): JsonSchema => {
  const { properties = {} } = schema;
  const unknown = Object.keys(texts).filter((field) => !(field in properties));
  if (unknown.length > 0) throw new Error(`${name} has no fields ${unknown.join(', ')}.`);
  const described = mapped(properties, (value, field) => (texts[field] ? { ...value, description: texts[field] } : value));
  return { ...schema, properties: described };
};

/**
 * Converts input schemas, before any transformation, to JSON Schema 2020-12. Collects named
 * objects.
 */
export const createSchemas = (texts: FieldTexts) => {
  const components: Record<string, JsonSchema> = {};

  const objectOf = (entries: Readonly<Record<string, SchemaNode>>): JsonSchema => {
    const required = Object.keys(entries).filter((name) => !absentTypes.has(entries[name]?.type ?? ''));
    return {
      type: 'object',
      properties: mapped(entries, convert),
      ...(required.length > 0 ? { required } : {}),
    };
  };

  const wrappedOf = (node: SchemaNode, wrapped: SchemaNode): JsonSchema => {
    const inner = nullTypes.has(node.type) ? orNull(convert(wrapped)) : convert(wrapped);
    return node.default === undefined || node.default === null || isObject(node.default) ? inner : { ...inner, default: node.default };
  };

  const plain = (node: SchemaNode): JsonSchema => {
    if (node.wrapped) return wrappedOf(node, node.wrapped);
    return node.entries ? objectOf(node.entries) : (byType[node.type]?.(node, convert) ?? {});
  };

  const keywordsOf = (step: SchemaNode, current: JsonSchema): JsonSchema => {
    if (step.kind === 'schema') return convert(step);
    if (step.type === 'description') return { description: step.description };
    if (step.type !== 'metadata') return keywordsOfCheck(step, current);
    const { alternatives, ...keywords } = step.metadata ?? {};
    return { ...keywords, ...(alternatives ? { anyOf: (alternatives as SchemaNode[]).map(convert) } : {}) };
  };

  const inline = (node: SchemaNode): JsonSchema => {
    if (!node.pipe) return plain(node);
    const schema: Record<string, unknown> = {};
    for (const step of node.pipe) Object.assign(schema, keywordsOf(step, schema));
    return defined(schema);
  };

  const convert = (node: SchemaNode): JsonSchema => {
    const name = titleOf(node);
    if (name === undefined) return inline(node);
    return add(name, withTexts(name, inline(node), texts[name]));
  };

  /** Adds a named schema. Returns a reference to it. */
  const add = (name: string, schema: JsonSchema): JsonSchema => {
    if (components[name] && JSON.stringify(components[name]) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}.`);
    components[name] = schema;
    return ref(name);
  };

  return {
    /** Returns the schema of a request: a reference if it has a name. */
    of: (schema: GenericSchema): JsonSchema => convert(schema as unknown as SchemaNode),
    /** Fields of an unnamed object, each with whether it is required. */
    fields: (schema: GenericSchema) =>
      Object.entries((schema as unknown as SchemaNode).entries ?? {}).map(([name, field]) => ({
        name,
        schema: convert(field),
        required: !absentTypes.has(field.type),
      })),
    add,
    /** All named schemas added or referred to so far, by name. */
    components,
  };
};

export type Schemas = ReturnType<typeof createSchemas>;
