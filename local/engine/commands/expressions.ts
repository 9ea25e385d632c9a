import { validation } from './errors.ts';
import type { Condition, Operand, Parsed, Path, Update } from './parser.ts';
import { addDecimals, compare, type Item, internItem, isEqual, isMap, typeNameOf, Unsupported, type Value } from './values.ts';

/** Placeholders of a command's expressions. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/** The names and values of a command's placeholders. */
export interface Scope {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

const assertUsed = (what: string, definitions: object | undefined, expressions: readonly (Parsed<unknown> | undefined)[]): void => {
  if (!definitions) return;
  let count = 0;
  for (const name in definitions) {
    count += 1;
    if (!expressions.some((parsed) => parsed?.placeholders.has(name)))
      throw validation(`Value provided in ${what} unused in expressions: keys: {${name}}`);
  }
  if (count === 0) throw validation(`${what} must not be empty`);
};

/**
 * Binds the placeholders of all expressions of a command. Throws if one is not defined or not used.
 */
export const bind = (
  { ExpressionAttributeNames: names, ExpressionAttributeValues: attributeValues }: Placeholders,
  ...expressions: readonly (Parsed<unknown> | undefined)[]
): Scope => {
  assertUsed('ExpressionAttributeNames', names, expressions);
  assertUsed('ExpressionAttributeValues', attributeValues, expressions);
  for (const parsed of expressions)
    for (const placeholder of parsed?.placeholders ?? [])
      if ((placeholder.startsWith('#') ? names : attributeValues)?.[placeholder] === undefined)
        throw validation(`An expression uses ${placeholder}, which is not defined`);
  const values = attributeValues ? internItem(attributeValues) : {};
  return { names: names ?? {}, values };
};

/** Whether a part of a path is a position in a list, such as `[0]`. */
const isListIndex = (part: string): boolean => part.startsWith('[');
const nameOf = (part: string, { names }: Scope): string => (part.startsWith('#') ? (names[part] as string) : part);
export const resolve = (path: Path, scope: Scope): readonly string[] => path.map((part) => nameOf(part, scope));

const read = (item: Item | undefined, path: Path, scope: Scope): Value | undefined => {
  let value: Value | undefined = item;
  for (const part of path) {
    if (isListIndex(part)) {
      value = Array.isArray(value) ? value[Number(part.slice(1, -1))] : undefined;
      continue;
    }
    if (!isMap(value)) return undefined;
    const name = nameOf(part, scope);
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
};

export const boundTo = (scope: Scope, placeholder: string): Value => scope.values[placeholder] as Value;

const wrongType = (operator: string, value: Value): Error =>
  validation(`Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeNameOf(value)}`);

const orderable = (operator: string, value: Value): void => {
  if (typeof value !== 'string' && typeof value !== 'number') throw wrongType(operator, value);
};

const typeNames: ReadonlySet<unknown> = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'BOOL', 'NULL', 'L', 'M']);

/**
 * Throws for a condition that is invalid for every item: wrong types, or bounds in the wrong order.
 */
export const checkCondition = (condition: Condition, scope: Scope): void => {
  if (condition.kind === 'and' || condition.kind === 'or') {
    checkCondition(condition.left, scope);
    checkCondition(condition.right, scope);
  } else if (condition.kind === 'not') checkCondition(condition.of, scope);
  else if (condition.kind === 'begins') {
    const prefix = boundTo(scope, condition.value);
    if (typeof prefix !== 'string') throw wrongType('begins_with', prefix);
  } else if (condition.kind === 'typed') {
    const name = boundTo(scope, condition.value);
    if (!typeNames.has(name)) throw validation(`Invalid attribute type name found; type: ${String(name)}`);
  } else if (condition.kind === 'compare' && condition.by !== '=' && condition.by !== '<>')
    orderable(condition.by, boundTo(scope, condition.value));
  else if (condition.kind === 'between') {
    const [least, greatest] = [boundTo(scope, condition.least), boundTo(scope, condition.greatest)];
    orderable('BETWEEN', least);
    orderable('BETWEEN', greatest);
    const order = compare(least, greatest);
    if (order === undefined) throw validation('The BETWEEN operator requires same data type for lower and upper bounds');
    if (order > 0) throw validation('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
};

const sizeOf = (value: Value | undefined): number | undefined => {
  if (Array.isArray(value)) return value.length;
  if (value === undefined || typeof value === 'number' || typeof value === 'boolean' || value === null) return undefined;
  if (!isMap(value)) throw new Unsupported('The engine knows the size of lists and maps.');
  return Object.keys(value).length;
};

const meets = (order: number | undefined, by: '<' | '<=' | '>' | '>='): boolean => {
  if (order === undefined) return false;
  if (by === '<') return order < 0;
  if (by === '<=') return order <= 0;
  return by === '>' ? order > 0 : order >= 0;
};

export const holds = (condition: Condition, item: Item | undefined, scope: Scope): boolean => {
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, item, scope) && holds(condition.right, item, scope);
    case 'or':
      return holds(condition.left, item, scope) || holds(condition.right, item, scope);
    case 'not':
      return !holds(condition.of, item, scope);
    case 'exists':
      return read(item, condition.path, scope) !== undefined;
    case 'missing':
      return read(item, condition.path, scope) === undefined;
    case 'begins': {
      const value = read(item, condition.path, scope);
      return typeof value === 'string' && value.startsWith(boundTo(scope, condition.value) as string);
    }
    case 'typed': {
      const value = read(item, condition.path, scope);
      return value !== undefined && typeNameOf(value) === boundTo(scope, condition.value);
    }
    case 'between': {
      const value = read(item, condition.path, scope);
      if (value === undefined) return false;
      return (
        meets(compare(value, boundTo(scope, condition.least)), '>=') && meets(compare(value, boundTo(scope, condition.greatest)), '<=')
      );
    }
    case 'compare': {
      const found = read(item, condition.path, scope);
      const value = condition.sized ? sizeOf(found) : found;
      const other = boundTo(scope, condition.value);
      if (condition.by === '=') return value !== undefined && isEqual(value, other);
      if (condition.by === '<>') return (value !== undefined || !condition.sized) && !isEqual(value, other);
      return value !== undefined && meets(compare(value, other), condition.by);
    }
  }
};

const badType = (): Error => validation('An operand in the update expression has an incorrect data type');

/** Returns the value of the right side of an assignment, from the item before the update. */
const evaluate = (operand: Operand, item: Item, scope: Scope): Value => {
  switch (operand.kind) {
    case 'value':
      return boundTo(scope, operand.value);
    case 'path': {
      const value = read(item, operand.path, scope);
      if (value === undefined) throw validation('The provided expression refers to an attribute that does not exist in the item');
      return value;
    }
    case 'ifNotExists': {
      const value = read(item, operand.path, scope);
      return value === undefined ? evaluate(operand.otherwise, item, scope) : value;
    }
    case 'append': {
      const [left, right] = [evaluate(operand.left, item, scope), evaluate(operand.right, item, scope)];
      if (!Array.isArray(left) || !Array.isArray(right)) throw badType();
      return [...left, ...right];
    }
    default: {
      const [left, right] = [evaluate(operand.left, item, scope), evaluate(operand.right, item, scope)];
      if (typeof left !== 'number' || typeof right !== 'number') throw badType();
      return addDecimals(left, operand.kind === '+' ? right : -right);
    }
  }
};

/** Throws for types that are invalid for every item. */
const checkOperand = (operand: Operand, scope: Scope, parent?: '+' | '-' | 'append'): void => {
  if (operand.kind === 'value' && parent) {
    const value = boundTo(scope, operand.value);
    if (parent === 'append' ? !Array.isArray(value) : typeof value !== 'number') throw wrongType(parent, value);
  }
  if (operand.kind === 'ifNotExists') checkOperand(operand.otherwise, scope);
  if (operand.kind !== 'append' && operand.kind !== '+' && operand.kind !== '-') return;
  checkOperand(operand.left, scope, operand.kind);
  checkOperand(operand.right, scope, operand.kind);
};

/** Throws for an update that is invalid for every item. `keys` are the table's key attributes. */
export const checkUpdate = ({ set, remove, add: added }: Update, scope: Scope, keys: readonly string[]): void => {
  const paths = [...set, ...added].map(({ path }) => path).concat(remove);
  if (paths.some((path) => path.some(isListIndex))) throw new Unsupported('The engine changes whole lists only.');
  const targets = paths.map((path) => resolve(path, scope));
  targets.forEach((target, i) => {
    if (keys.includes(target[0] as string)) throw validation(`Cannot update attribute ${target[0]}. This attribute is part of the key`);
    const overlaps = targets.slice(0, i).some((other) => other.every((name, at) => at >= target.length || name === target[at]));
    if (overlaps) throw validation('Invalid UpdateExpression: Two document paths overlap with each other');
  });
  for (const { to } of set) checkOperand(to, scope);
  for (const { value } of added) {
    const amount = boundTo(scope, value);
    if (typeof amount !== 'number' && !(amount instanceof Set)) throw wrongType('ADD', amount);
  }
};

const invalidPath = (): Error => validation('The document path provided in the update expression is invalid for update');

/**
 * Returns a copy of the item with one value set or removed. It shares all other values with the
 * item.
 */
const withField = (item: Item, [name = '', ...rest]: readonly string[], value: Value | undefined): Item => {
  if (rest.length > 0) {
    const inner = item[name];
    if (!isMap(inner)) throw invalidPath();
    return { ...item, [name]: withField(inner, rest, value) };
  }
  if (value !== undefined) return { ...item, [name]: value };
  const { [name]: _, ...others } = item;
  return others;
};

/** Returns the item after an update. Every right side reads the item before it. */
export const applyUpdate = ({ set, remove, add: added }: Update, item: Item, scope: Scope): Item => {
  const values = set.map(({ to }) => evaluate(to, item, scope));
  const sums = added.map(({ path, value }) => {
    const [current, amount] = [read(item, path, scope), boundTo(scope, value)];
    if (current === undefined) return amount;
    if (typeof current === 'number' && typeof amount === 'number') return addDecimals(current, amount);
    if (current instanceof Set && amount instanceof Set) return new Set([...current, ...amount]);
    throw badType();
  });
  let changed = item;
  for (const path of remove) changed = withField(changed, resolve(path, scope), undefined);
  set.forEach(({ path }, i) => {
    changed = withField(changed, resolve(path, scope), values[i]);
  });
  added.forEach(({ path }, i) => {
    changed = withField(changed, resolve(path, scope), sums[i]);
  });
  return changed;
};

/**
 * Returns an item with one more projected value of another item. It shares no maps with that item.
 */
const withProjected = (item: Item, [name = '', ...rest]: readonly string[], value: Value): Item => {
  if (rest.length === 0) return { ...item, [name]: value };
  const inner = item[name];
  return { ...item, [name]: withProjected(isMap(inner) ? inner : {}, rest, value) };
};

/** Returns the projected attributes and fields of maps. */
export const projected = (item: Item, paths: readonly Path[], scope: Scope): Item => {
  if (paths.some((path) => path.some(isListIndex))) throw new Unsupported('The engine projects no entries of lists.');
  let found: Item = {};
  for (const path of paths) {
    const value = read(item, path, scope);
    if (value !== undefined) found = withProjected(found, resolve(path, scope), value);
  }
  return found;
};

/** Returns every path in a condition. */
export const pathsOf = (condition: Condition): readonly Path[] => {
  if ('left' in condition) return [...pathsOf(condition.left), ...pathsOf(condition.right)];
  return 'of' in condition ? pathsOf(condition.of) : [condition.path];
};
