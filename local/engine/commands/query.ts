import type { Entry, Index, Range, RangeRead, Storage, TableShape } from '../storage.ts';
import type { Meter } from './capacity.ts';
import { validation } from './errors.ts';
import { bind, boundTo, checkCondition, holds, type Placeholders, pathsOf, projected, resolve, type Scope } from './expressions.ts';
import { indexOf, keyNamesOf, valuesOfKey } from './keys.ts';
import { type Condition, parseCondition, parseProjection } from './parser.ts';
import { compareText, type Item, internItem, itemBytes, Unsupported } from './values.ts';

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

export const maxPageBytes = 1024 * 1024;
const lastCharacter = '\u{10ffff}';

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

/** A parsed and checked query. */
interface Plan {
  readonly index: Index | undefined;
  readonly partition: string;
  readonly range: Range;
  /** Key attributes of the table, and of the queried index. */
  readonly keyNames: readonly string[];
  readonly start: RangeRead['start'];
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
  shape: TableShape,
  startKey: QueryInput['ExclusiveStartKey'],
  keyNames: readonly string[],
  [partitionKey, sortKey]: readonly [string, string],
  { partition, range }: Pick<Plan, 'partition' | 'range'>,
): RangeRead['start'] => {
  if (!startKey) return undefined;
  const key = internItem(startKey);
  if (Object.keys(key).length !== keyNames.length || keyNames.some((name) => typeof key[name] !== 'string'))
    throw validation('The provided starting key is invalid');
  const sort = String(key[sortKey]);
  if (key[partitionKey] !== partition || !isWithin(sort, range))
    throw validation('The provided starting key is outside query boundaries based on provided conditions');
  return { sort, item: valuesOfKey(shape, key) };
};

/** Throws for a filter by a key, or by an attribute that the index does not project. */
const checkFilter = (filter: Condition, shape: TableShape, index: Index | undefined, keys: readonly string[], scope: Scope): void => {
  checkCondition(filter, scope);
  const names = pathsOf(filter).map((path) => resolve(path, scope)[0] as string);
  if (names.some((name) => keys.includes(name))) throw validation('Filter Expression can only contain non-primary key attributes');
  const hidden = index && names.find((name) => !index.carries.includes(name) && !keyNamesOf(shape).includes(name));
  if (hidden !== undefined) throw validation(`One or more parameter values were invalid: the index does not project ${hidden}`);
};

const planOf = (shape: TableShape, input: QueryInput): Plan => {
  const index = input.IndexName === undefined ? undefined : indexOf(shape, input.IndexName);
  assertKnown(input, index !== undefined);
  if (shape.sortKey === undefined) throw new Unsupported('The engine queries tables with a sort key.');
  const keys = index ? ([index.partitionKey, index.sortKey] as const) : ([shape.partitionKey, shape.sortKey] as const);
  const parsed = parseCondition(input.KeyConditionExpression);
  const filter = input.FilterExpression === undefined ? undefined : parseCondition(input.FilterExpression);
  const projection = input.ProjectionExpression === undefined ? undefined : parseProjection(input.ProjectionExpression);
  const scope = bind(input, parsed, filter, projection);
  checkCondition(parsed.tree, scope);
  if (filter) checkFilter(filter.tree, shape, index, keys, scope);
  const keyRange = readKeyCondition(parsed.tree, keys, scope);
  const keyNames = [...new Set([...keyNamesOf(shape), ...keys])];
  return {
    ...{ index, ...keyRange, keyNames },
    start: startOf(shape, input.ExclusiveStartKey, keyNames, keys, keyRange),
    keep: (item) => !filter || holds(filter.tree, item, scope),
    show: (item) => (projection ? projected(item, projection.tree, scope) : item),
  };
};

/** Returns items up to the limit and a page's bytes, and whether one of these ended the page. */
const collect = (
  entries: Iterable<Entry>,
  limit: number,
  pageBytes: number,
): { readonly found: readonly Item[]; readonly isCut: boolean } => {
  const found: Item[] = [];
  let bytes = 0;
  let isMeasured = false;
  for (const { item, maxBytes } of entries) {
    bytes += isMeasured ? itemBytes(item) : maxBytes;
    if (!isMeasured && bytes > pageBytes) {
      isMeasured = true;
      bytes = found.reduce((sum, one) => sum + itemBytes(one), itemBytes(item));
    }
    if (found.length > 0 && bytes > pageBytes) return { found, isCut: true };
    found.push(item);
    if (found.length === limit) return { found, isCut: true };
  }
  return { found, isCut: false };
};

/** Reads one page of a partition. */
export const query = (storage: Storage, shape: TableShape, input: QueryInput, pageBytes: number, meter: Meter | undefined): QueryOutput => {
  const plan = planOf(shape, input);
  const { Select, Limit: limit = Number.POSITIVE_INFINITY, ScanIndexForward: isForward = true } = input;
  const isConsistent = input.ConsistentRead === true;
  const { found, isCut } = collect(storage.range(shape, { ...plan, isForward, isConsistent, limit }), limit, pageBytes);
  meter?.read(
    shape,
    plan.index,
    found.reduce((sum, item) => sum + itemBytes(item), 0),
    isConsistent,
  );
  const last = isCut ? found.at(-1) : undefined;
  const matching = found.filter(plan.keep);
  return {
    ...(Select ? {} : { Items: matching.map(plan.show) }),
    Count: matching.length,
    ScannedCount: found.length,
    ...(last ? { LastEvaluatedKey: Object.fromEntries(plan.keyNames.map((name) => [name, last[name]])) as Item } : {}),
  };
};
