/**
 * The properties of a valibot schema, or of one step of its pipe, that the OpenAPI document and the
 * help of `ops` use.
 */
export interface SchemaNode {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly SchemaNode[];
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly rest?: SchemaNode;
  readonly getter?: (input: unknown) => SchemaNode;
  readonly key?: SchemaNode;
  readonly value?: SchemaNode;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly default?: unknown;
  readonly requirement?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Schema types of fields that may be absent. */
export const absentTypes = new Set(['optional', 'exact_optional', 'nullish']);
/** Schema types of fields that may be null. */
export const nullTypes = new Set(['nullable', 'nullish']);
