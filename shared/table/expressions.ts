import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from './client.ts';

/** Text of a DynamoDB expression with values and other expressions between its pieces. */
class Expression {
  readonly texts: readonly string[];
  readonly parts: readonly unknown[];

  constructor(texts: readonly string[], parts: readonly unknown[] = []) {
    this.texts = texts;
    this.parts = parts;
  }
}

export type { Expression };

/**
 * An expression in DynamoDB's own notation, without placeholders: `revision = ${revision} AND attribute_exists(view.paid_at)`.
 * Words in lower case name attributes, unless a parenthesis follows. An interpolated expression is
 * inserted; anything else that is interpolated is a value.
 */
export const expr = (texts: TemplateStringsArray, ...parts: readonly unknown[]): Expression => new Expression(texts, parts);

/** An attribute, or a path such as `view.status`, whose name is computed. */
export const attribute = (path: string): Expression => new Expression([path]);

/** Holds if each condition holds; absent conditions are left out. */
export const every = (...conditions: readonly (Expression | undefined | false)[]): Expression => {
  const [first = attribute(''), ...others] = conditions.filter((condition) => condition instanceof Expression);
  return others.length === 0 ? first : new Expression(['(', ...others.map(() => ') AND ('), ')'], [first, ...others]);
};

/** The item exists, or does not. */
export const exists = expr`attribute_exists(pk)`;
export const isAbsent = expr`attribute_not_exists(pk)`;

const attributeNames = /\b[a-z_]\w*\b(?!\()/g;

/** Writes the expressions of one request and collects their placeholders: `#status` for a name, `:v0` for the first value. */
export const openScope = (known: Iterable<readonly [value: unknown, placeholder: string]> = []) => {
  const names: Record<string, string> = {};
  const values = new Map(known);
  const write = (part: unknown): string => {
    if (!(part instanceof Expression)) {
      const placeholder = values.get(part) ?? `:v${values.size}`;
      values.set(part, placeholder);
      return placeholder;
    }
    const raw = part.texts.map((text) =>
      text.replace(attributeNames, (name) => {
        names[`#${name}`] = name;
        return `#${name}`;
      }),
    );
    return String.raw({ raw }, ...part.parts.map(write));
  };
  const placeholders = () => ({
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(values.size > 0 && { ExpressionAttributeValues: Object.fromEntries([...values].map(([value, name]) => [name, value])) as Item }),
  });
  return { write, placeholders };
};

/** The condition of a put, a delete or a check. */
export const where = (condition: Expression) => {
  const { write, placeholders } = openScope();
  return { ConditionExpression: write(condition), ...placeholders() };
};

/** Returns the stored item with the error if the condition fails. */
export const showOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** What an update does, by attributes or paths such as `view.status`. */
export interface Change {
  /** Values, or expressions that read the item as it was. Undefined leaves an attribute as it is. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Numbers, or sets. */
  readonly add?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly where?: Expression | undefined;
}

/** Fields of a map attribute as a change sets them one by one, so that simultaneous changes of different fields all last. */
export const within = (map: string, fields: object): Item =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${map}.${name}`, value]));

/** The update of one item. */
export const update = (TableName: string, Key: Item, { set = {}, add = {}, remove = [], where: condition }: Change) => {
  const { write, placeholders } = openScope();
  const pathOf = (path: string): string => write(attribute(path));
  const assigned = Object.entries(set).filter(([, value]) => value !== undefined);
  const clause = (word: string, parts: readonly string[]): string[] => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : []);
  return {
    TableName,
    Key,
    UpdateExpression: [
      ...clause(
        'SET',
        assigned.map(([path, value]) => `${pathOf(path)} = ${write(value)}`),
      ),
      ...clause('REMOVE', remove.map(pathOf)),
      ...clause(
        'ADD',
        Object.entries(add).map(([path, value]) => `${pathOf(path)} ${write(value)}`),
      ),
    ].join(' '),
    ...(condition && { ConditionExpression: write(condition) }),
    ...placeholders(),
  } satisfies UpdateCommandInput;
};
