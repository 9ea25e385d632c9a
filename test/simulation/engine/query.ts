import { validation } from './errors.ts';
import { bind, checkCondition, type Placeholders, resolve, type Scope, valueOf } from './expressions.ts';
import { type Condition, parseCondition } from './parser.ts';
import type { Partition, Table } from './table.ts';
import { compareText, copy, type Item, internItem, itemBytes, Unsupported } from './values.ts';

export interface QueryInput extends Placeholders {
  readonly IndexName?: string;
  readonly KeyConditionExpression: string;
  readonly ConsistentRead?: boolean;
  readonly ExclusiveStartKey?: Readonly<Record<string, unknown>>;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
  readonly Select?: string;
}

export interface QueryOutput {
  readonly Items?: readonly Item[];
  readonly Count: number;
  readonly ScannedCount: number;
  readonly LastEvaluatedKey?: Item;
}

/** Sort keys from one place to another; undefined is no bound. */
interface Range {
  readonly least?: { readonly sort: string; readonly inclusive: boolean };
  readonly greatest?: { readonly sort: string; readonly inclusive: boolean };
}

/** Behind everything that begins with a sort key and goes on as an index entry does. */
const justBehind = (sort: string): string => `${sort}\u0001`;
const lastCharacter = '\u{10ffff}';
const pageBytes = 1024 * 1024;

const textOf = (scope: Scope, placeholder: string): string => {
  const value = valueOf(scope, placeholder);
  if (typeof value !== 'string')
    throw validation('One or more parameter values were invalid: Condition parameter type does not match schema type');
  if (value === '')
    throw validation(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value',
    );
  return value;
};

const isAbout = (path: readonly string[], name: string, scope: Scope): boolean => {
  const [found, ...rest] = resolve(path, scope);
  return found === name && rest.length === 0;
};

const notKnown = (): Unsupported => new Unsupported('The engine reads one partition key, and one condition on the sort key behind it.');

const rangeOf = (condition: Condition, name: string, scope: Scope): Range => {
  if (condition.kind !== 'between' && condition.kind !== 'begins' && condition.kind !== 'compare') throw notKnown();
  if (!isAbout(condition.path, name, scope)) throw validation(`Query condition missed key schema element: ${name}`);
  if (condition.kind === 'between')
    return {
      least: { sort: textOf(scope, condition.least), inclusive: true },
      greatest: { sort: textOf(scope, condition.greatest), inclusive: true },
    };
  const sort = textOf(scope, condition.value);
  if (condition.kind === 'begins') return { least: { sort, inclusive: true }, greatest: { sort: sort + lastCharacter, inclusive: true } };
  if (condition.sized || condition.by === '<>') throw validation('Invalid operator used in KeyConditionExpression');
  const inclusive = condition.by !== '<' && condition.by !== '>';
  return {
    ...(condition.by === '=' || condition.by.startsWith('>') ? { least: { sort, inclusive } } : {}),
    ...(condition.by === '=' || condition.by.startsWith('<') ? { greatest: { sort, inclusive } } : {}),
  };
};

const readKeyCondition = (condition: Condition, keys: readonly [string, string], scope: Scope): { partition: string; range: Range } => {
  const [first, second] = condition.kind === 'and' ? [condition.left, condition.right] : [condition, undefined];
  if (first.kind !== 'compare' || first.by !== '=' || first.sized) throw notKnown();
  if (!isAbout(first.path, keys[0], scope)) throw validation(`Query condition missed key schema element: ${keys[0]}`);
  return { partition: textOf(scope, first.value), range: second ? rangeOf(second, keys[1], scope) : {} };
};

const isWithin = (sort: string, { least, greatest }: Range): boolean => {
  const [above, below] = [least && compareText(sort, least.sort), greatest && compareText(sort, greatest.sort)];
  if (least && (above as number) < (least.inclusive ? 0 : 1)) return false;
  return !greatest || (below as number) <= (greatest.inclusive ? 0 : -1);
};

/** From and to, as places in a partition's order. */
const placesOf = (partition: Partition, { least, greatest }: Range): readonly [number, number] => [
  least ? partition.place(least.inclusive ? least.sort : justBehind(least.sort)) : 0,
  greatest ? partition.place(greatest.inclusive ? justBehind(greatest.sort) : greatest.sort) : partition.order.length,
];

/** One page of one partition of the table, or of an index with every change up to `visibleMs`. */
export const query = (table: Table, input: QueryInput, visibleMs: number): QueryOutput => {
  const { shape } = table;
  const index = input.IndexName === undefined ? undefined : table.indexOf(input.IndexName);
  if (index && input.ConsistentRead) throw validation('Consistent reads are not supported on global secondary indexes');
  if (!index && !input.ConsistentRead) throw new Unsupported('The engine reads tables consistently.');
  if (input.Select !== undefined && input.Select !== 'COUNT') throw new Unsupported(`Select ${input.Select}`);
  if (input.Limit !== undefined && input.Limit < 1) throw validation('Limit must be 1 or greater');
  if (shape.sortKey === undefined) throw new Unsupported('The engine queries tables with a sort key.');
  const keys = index ? ([index.partitionKey, index.sortKey] as const) : ([shape.partitionKey, shape.sortKey] as const);
  const parsed = parseCondition(input.KeyConditionExpression);
  const scope = bind(input, parsed);
  checkCondition(parsed.tree, scope);
  const { partition: name, range } = readKeyCondition(parsed.tree, keys, scope);
  const partition = index ? table.indexPartition(index.name, name, visibleMs) : table.partition(name);

  const keyNames = [...new Set([...table.keyNames, ...(index ? keys : [])])];
  const startKey = input.ExclusiveStartKey && internItem(input.ExclusiveStartKey);
  if (startKey && (Object.keys(startKey).length !== keyNames.length || keyNames.some((one) => typeof startKey[one] !== 'string')))
    throw validation('The provided starting key is invalid');
  const startSort = startKey && String(startKey[keys[1]]);
  if (startKey && (startKey[keys[0]] !== name || !isWithin(startSort as string, range)))
    throw validation('The provided starting key is outside query boundaries based on provided conditions');
  if (!partition) return { ...(input.Select ? {} : { Items: [] }), Count: 0, ScannedCount: 0 };

  const start = startKey && [startSort, ...(index ? table.keyNames.map((one) => startKey[one]) : [])].join('\u0000');
  const forward = input.ScanIndexForward ?? true;
  let [from, to] = placesOf(partition, range);
  if (start !== undefined && forward) from = Math.max(from, partition.place(`${start}\u0000`));
  if (start !== undefined && !forward) to = Math.min(to, partition.place(start));

  const found: Item[] = [];
  let bytes = 0;
  let cut = false;
  for (let at = forward ? from : to - 1; forward ? at < to : at >= from; at += forward ? 1 : -1) {
    const item = partition.items.get(partition.order[at] as string) as Item;
    bytes += itemBytes(item);
    cut = found.length > 0 && bytes > pageBytes;
    if (cut) break;
    found.push(item);
    cut = found.length === input.Limit;
    if (cut) break;
  }
  const last = cut ? found.at(-1) : undefined;
  return {
    ...(input.Select ? {} : { Items: found.map(copy) }),
    Count: found.length,
    ScannedCount: found.length,
    ...(last ? { LastEvaluatedKey: Object.fromEntries(keyNames.map((one) => [one, last[one]])) as Item } : {}),
  };
};
