import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from './client.ts';

/** Writes the expressions of one request and collects their placeholders. */
interface Scope {
  /** Returns the text with a placeholder for each attribute name, for example `#status`. */
  text(raw: string): string;
  /** Returns an expression as text; for a value its placeholder, for example `:v0`. */
  write(part: unknown): string;
  placeholders(): { readonly ExpressionAttributeNames: Record<string, string>; readonly ExpressionAttributeValues: Item | undefined };
}

/** A DynamoDB expression. It is written into the scope of a request. */
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

/** An attribute or a path (`view.status`) with a computed name. */
export const attribute = (path: string): Expression => expr([path]);

/** Joins conditions with AND. Absent conditions are left out. */
export const allOf =
  (...conditions: readonly (Expression | undefined | false)[]): Expression =>
  ({ write }) => {
    const texts = conditions.filter(Boolean).map(write);
    return texts.length > 1 ? `(${texts.join(') AND (')})` : texts.join('');
  };

/** Conditions: the item exists, or does not exist. */
export const exists = expr`attribute_exists(pk)`;
export const isAbsent = expr`attribute_not_exists(pk)`;

const attributeNames = /\b[a-z_]\w*\b(?!\()/g;

/** Opens a scope. `known` values have their placeholders already. */
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

/** Condition of a write. */
export interface Condition {
  readonly where?: Expression | undefined;
  /** Set if the error of a failed condition needs the stored item. */
  readonly showOld?: boolean | undefined;
}

/** Returns the fields of a put, delete or check with this condition. */
export const conditionOf = (condition: Expression, showOld = false) => {
  const { write, placeholders } = openScope();
  return { ConditionExpression: write(condition), ...placeholders(), ...(showOld && returnOld) };
};

const returnOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** An update by attribute names or paths (`view.status`). */
export interface Change extends Condition {
  /**
   * New values, or expressions that read the item before the update. An attribute with the value
   * undefined stays.
   */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Numbers to add, or sets to extend. */
  readonly add?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
}

/**
 * Returns a change that sets fields of a map attribute one by one, so that simultaneous changes of
 * different fields are all kept.
 */
export const setWithin = (map: string, fields: object): Item =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${map}.${name}`, value]));

/** Returns the input of an update of one item. */
export const updateInput = (TableName: string, Key: Item, { set = {}, add = {}, remove = [], where, showOld }: Change) => {
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
    ConditionExpression: where && write(where),
    ...(showOld && returnOld),
    ...placeholders(),
  } satisfies UpdateCommandInput;
};
