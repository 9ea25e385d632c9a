import { validation } from './errors.ts';
import { bind, boundTo, checkCondition, holds, type Placeholders, pathsOf, projected, resolve, type Scope } from './expressions.ts';
import { type Condition, parseCondition, parseProjection } from './parser.ts';
import type { Partition, Table } from './table.ts';
import { compareText, copy, type Item, internItem, itemBytes, Unsupported } from './values.ts';

export interface QueryInput extends Placeholders {
  readonly IndexName?: string;
  readonly KeyConditionExpression: string;
  /** Is applied after the read: a page's limit also counts items that the filter removes. */
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
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

/** A range of sort keys; undefined means no bound. */
interface Range {
  readonly least?: { readonly sort: string; readonly inclusive: boolean };
  readonly greatest?: { readonly sort: string; readonly inclusive: boolean };
}

/** Returns a position after all index entries with a sort key. */
const justBehind = (sort: string): string => `${sort}\u0001`;
const lastCharacter = '\u{10ffff}';
export const mostPageBytes = 1024 * 1024;

const textOf = (scope: Scope, placeholder: string): string => {
  const value = boundTo(scope, placeholder);
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

/** Returns a range as first and last position in a partition. */
const placesOf = (partition: Partition, { least, greatest }: Range): readonly [number, number] => [
  least ? partition.place(least.inclusive ? least.sort : justBehind(least.sort)) : 0,
  greatest ? partition.place(greatest.inclusive ? justBehind(greatest.sort) : greatest.sort) : partition.order.length,
];

/** A parsed and checked query. */
interface Plan {
  readonly indexName: string | undefined;
  readonly partition: string;
  readonly range: Range;
  /** Key attributes of the table, and of the queried index. */
  readonly keyNames: readonly string[];
  /** The start of the page in the order of the partition. */
  readonly start: string | undefined;
  readonly keep: (item: Item) => boolean;
  readonly show: (item: Item) => Item;
}

const assertKnown = (input: QueryInput, isIndex: boolean): void => {
  if (isIndex && input.ConsistentRead) throw validation('Consistent reads are not supported on global secondary indexes');
  if (input.Select !== undefined && input.Select !== 'COUNT') throw new Unsupported(`Select ${input.Select}`);
  if (input.Select !== undefined && input.ProjectionExpression !== undefined)
    throw validation('Cannot specify the ProjectionExpression when choosing to get only the Count');
  if (input.Limit !== undefined && input.Limit < 1) throw validation('Limit must be 1 or greater');
};

const startOf = (
  given: QueryInput['ExclusiveStartKey'],
  keyNames: readonly string[],
  [partitionKey, sortKey]: readonly [string, string],
  inIndex: readonly string[],
  { partition, range }: Pick<Plan, 'partition' | 'range'>,
): string | undefined => {
  if (!given) return undefined;
  const key = internItem(given);
  if (Object.keys(key).length !== keyNames.length || keyNames.some((name) => typeof key[name] !== 'string'))
    throw validation('The provided starting key is invalid');
  const sort = String(key[sortKey]);
  if (key[partitionKey] !== partition || !isWithin(sort, range))
    throw validation('The provided starting key is outside query boundaries based on provided conditions');
  return [sort, ...inIndex.map((name) => key[name])].join('\u0000');
};

const checkFilter = (filter: Condition, keys: readonly string[], scope: Scope): void => {
  checkCondition(filter, scope);
  if (pathsOf(filter).some((path) => keys.includes(resolve(path, scope)[0] as string)))
    throw validation('Filter Expression can only contain non-primary key attributes');
};

const planOf = (table: Table, input: QueryInput): Plan => {
  const { shape } = table;
  const index = input.IndexName === undefined ? undefined : table.indexOf(input.IndexName);
  assertKnown(input, index !== undefined);
  if (shape.sortKey === undefined) throw new Unsupported('The engine queries tables with a sort key.');
  const keys = index ? ([index.partitionKey, index.sortKey] as const) : ([shape.partitionKey, shape.sortKey] as const);
  const parsed = parseCondition(input.KeyConditionExpression);
  const filter = input.FilterExpression === undefined ? undefined : parseCondition(input.FilterExpression);
  const projection = input.ProjectionExpression === undefined ? undefined : parseProjection(input.ProjectionExpression);
  const scope = bind(input, parsed, filter, projection);
  checkCondition(parsed.tree, scope);
  if (filter) checkFilter(filter.tree, keys, scope);
  const wanted = readKeyCondition(parsed.tree, keys, scope);
  const keyNames = [...new Set([...table.keyNames, ...keys])];
  const start = startOf(input.ExclusiveStartKey, keyNames, keys, index ? table.keyNames : [], wanted);
  return {
    ...{ indexName: index?.name, ...wanted, keyNames, start },
    keep: (item) => !filter || holds(filter.tree, item, scope),
    show: (item) => copy(projection ? projected(item, projection.tree, scope) : item),
  };
};

/** Returns items up to the limit and a page's bytes, and whether one of these ended the page. */
const collect = (
  partition: Partition,
  places: readonly number[],
  limit: number,
  pageBytes: number,
): { readonly found: readonly Item[]; readonly cut: boolean } => {
  const found: Item[] = [];
  let bytes = 0;
  for (const place of places) {
    const item = partition.items.get(partition.order[place] as string) as Item;
    bytes += itemBytes(item);
    if (found.length > 0 && bytes > pageBytes) return { found, cut: true };
    found.push(item);
    if (found.length === limit) return { found, cut: true };
  }
  return { found, cut: false };
};

/** Returns the positions of a page's items in the order of reading, at most up to the limit. */
const placesOfPage = (partition: Partition, { range, start }: Plan, isForward: boolean, limit: number): readonly number[] => {
  const [least, greatest] = placesOf(partition, range);
  const from = start !== undefined && isForward ? Math.max(least, partition.place(`${start}\u0000`)) : least;
  const to = start !== undefined && !isForward ? Math.min(greatest, partition.place(start)) : greatest;
  const count = Math.max(0, Math.min(to - from, limit));
  return Array.from({ length: count }, (_, i) => (isForward ? from + i : to - 1 - i));
};

const partitionOf = (table: Table, { indexName, partition }: Plan, isConsistent: boolean, visibleMs: number): Partition | undefined => {
  if (indexName !== undefined) return table.indexPartition(indexName, partition, visibleMs);
  return isConsistent ? table.partition(partition) : table.partitionBehind(partition, visibleMs);
};

/**
 * Reads one page of a partition. A consistent read sees the whole table; any other read, and an
 * index, may lack changes after `visibleMs`.
 */
export const query = (table: Table, input: QueryInput, visibleMs: number, pageBytes: number): QueryOutput => {
  const plan = planOf(table, input);
  const { Select, Limit = Number.POSITIVE_INFINITY, ScanIndexForward: isForward = true } = input;
  const partition = partitionOf(table, plan, input.ConsistentRead === true, visibleMs);
  const { found, cut } = partition
    ? collect(partition, placesOfPage(partition, plan, isForward, Limit), Limit, pageBytes)
    : { found: [], cut: false };
  const last = cut ? found.at(-1) : undefined;
  const kept = found.filter(plan.keep);
  return {
    ...(Select ? {} : { Items: kept.map(plan.show) }),
    Count: kept.length,
    ScannedCount: found.length,
    ...(last ? { LastEvaluatedKey: Object.fromEntries(plan.keyNames.map((name) => [name, last[name]])) as Item } : {}),
  };
};
