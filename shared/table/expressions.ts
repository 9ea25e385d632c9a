import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from './client.ts';

/** Writes the expressions of one request and collects their placeholders. */
interface Scope {
  /** The text with a placeholder for each name of an attribute: `#status`. */
  text(raw: string): string;
  /** An expression as text, or the placeholder of a value: `:v0`. */
  write(part: unknown): string;
  placeholders(): { readonly ExpressionAttributeNames: Record<string, string>; readonly ExpressionAttributeValues: Item | undefined };
}

/** A DynamoDB expression, written in the scope of a request. */
export type Expression = (scope: Scope) => string;

/**
 * An expression in DynamoDB's own notation, without placeholders: `revision = ${revision} AND
 * attribute_exists(view.paid_at)`. Words in lower case name attributes, unless a parenthesis
 * follows. An interpolated expression is inserted; anything else that is interpolated is a value.
 */
export const expr =
  (texts: readonly string[], ...parts: readonly unknown[]): Expression =>
  ({ text, write }) =>
    String.raw({ raw: texts.map(text) }, ...parts.map(write));

/** An attribute, or a path such as `view.status`, with a computed name. */
export const attribute = (path: string): Expression => expr([path]);

/** Holds if each condition holds; absent conditions are left out. */
export const every =
  (...conditions: readonly (Expression | undefined | false)[]): Expression =>
  ({ write }) => {
    const texts = conditions.filter(Boolean).map(write);
    return texts.length > 1 ? `(${texts.join(') AND (')})` : texts.join('');
  };

/** The item exists, or does not. */
export const exists = expr`attribute_exists(pk)`;
export const isAbsent = expr`attribute_not_exists(pk)`;

const attributeNames = /\b[a-z_]\w*\b(?!\()/g;

/** `known` values have placeholders of their own. */
export const openScope = (known: Iterable<readonly [value: unknown, placeholder: string]> = []): Scope => {
  const names: Record<string, string> = {};
  const values = new Map(known);
  const scope: Scope = {
    text: (raw) =>
      raw.replace(attributeNames, (name) => {
        names[`#${name}`] = name;
        return `#${name}`;
      }),
    write(part) {
      if (typeof part === 'function') return (part as Expression)(scope);
      const placeholder = values.get(part) ?? `:v${values.size}`;
      values.set(part, placeholder);
      return placeholder;
    },
    placeholders: () => ({
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values.size > 0 ? Object.fromEntries(Array.from(values, ([value, name]) => [name, value])) : undefined,
    }),
  };
  return scope;
};

/** The condition of a put, a delete or a check. */
export const where = (condition: Expression) => {
  const { write, placeholders } = openScope();
  return { ConditionExpression: write(condition), ...placeholders() };
};

/** Returns the stored item with the error if the condition fails. */
export const showOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** An update, by attributes or paths such as `view.status`. */
export interface Change {
  /**
   * Values, or expressions that read the item as it was. Undefined leaves an attribute as it is.
   */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Numbers, or sets. */
  readonly add?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly where?: Expression | undefined;
}

/**
 * Fields of a map attribute as a change sets them one by one, so that simultaneous changes of
 * different fields all last.
 */
export const within = (map: string, fields: object): Item =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${map}.${name}`, value]));

/** The update of one item. */
export const update = (TableName: string, Key: Item, { set = {}, add = {}, remove = [], where: condition }: Change) => {
  const { text, write, placeholders } = openScope();
  const assigned = Object.entries(set).filter(([, value]) => value !== undefined);
  const clauses = {
    SET: assigned.map(([path, value]) => `${text(path)} = ${write(value)}`),
    REMOVE: remove.map(text),
    ADD: Object.entries(add).map(([path, value]) => `${text(path)} ${write(value)}`),
  };
  const UpdateExpression = Object.entries(clauses)
    .flatMap(([name, parts]) => (parts.length > 0 ? `${name} ${parts.join(', ')}` : []))
    .join(' ');
  return {
    TableName,
    Key,
    UpdateExpression,
    ConditionExpression: condition && write(condition),
    ...placeholders(),
  } satisfies UpdateCommandInput;
};
