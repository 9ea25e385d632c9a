import type { GenericSchema } from 'valibot';
import type { SchemaNode } from './schema-node.ts';

/** A field that the schema of its object does not list. */
interface UnlistedField {
  /** Path, for example `items.0.quantiy`. */
  readonly field: string;
  /** The fields that the object has. */
  readonly known: readonly string[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const findInEntries = (
  { entries, rest }: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): UnlistedField | undefined => {
  const known = Object.keys(entries ?? {});
  for (const [name, inner] of Object.entries(value)) {
    const listed = entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (!listed && !rest) return { field: [...path, name].join('.'), known };
    const found = listed && findInSchema(listed, inner, [...path, name]);
    if (found) return found;
  }
  return undefined;
};

const findInSchema = (node: SchemaNode, value: unknown, path: readonly string[]): UnlistedField | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (node.pipe) return findFirst(node.pipe, (step) => (step.kind === 'schema' ? findInSchema(step, value, path) : undefined));
  if (node.wrapped) return findInSchema(node.wrapped, value, path);
  if (node.getter) return findInSchema(node.getter(value), value, path);
  const { item } = node;
  if (item && Array.isArray(value)) return findFirst(value, (entry, index) => findInSchema(item, entry, [...path, String(index)]));
  return node.entries && isObject(value) ? findInEntries(node, value, path) : undefined;
};

const findFirst = <Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => UnlistedField | undefined,
): UnlistedField | undefined => {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found) return found;
  }
  return undefined;
};

/**
 * Returns the first field of a value, at any depth, that its object's schema does not list (decisions
 * §3). Fields of free-form objects are never unlisted. Schemas ignore such fields, because the REST
 * API accepts them; dashboard actions reject them.
 */
export const findUnlisted = (schema: GenericSchema, value: unknown): UnlistedField | undefined =>
  findInSchema(schema as unknown as SchemaNode, value, []);
