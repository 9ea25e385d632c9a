import type { KeyValues, Storage, TableShape } from '../storage.ts';
import type { Meter } from './capacity.ts';
import { conditionFailed, validation } from './errors.ts';
import { applyUpdate, bind, checkCondition, checkUpdate, holds, type Placeholders, projected, type Scope } from './expressions.ts';
import { checkFields, type Input } from './input.ts';
import { checkItem, keyNamesOf, keyOf, valuesOfKey } from './keys.ts';
import { parseCondition, parseUpdate } from './parser.ts';
import { type Item, internItem, isEqual, Unsupported } from './values.ts';

/** Returns the shape of the table with this name. */
export type TableOf = (name: unknown) => TableShape;

interface Conditional extends Placeholders {
  readonly ConditionExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A parsed write that passed all checks for which the stored item is not needed. */
export interface Prepared {
  readonly shape: TableShape;
  readonly key: Item;
  readonly values: KeyValues;
  readonly holds: (stored: Item | undefined) => boolean;
  /** Returns the stored item if the write asks for it when its condition fails. */
  readonly shown: (stored: Item | undefined) => Item | undefined;
  /** Returns the item to store; undefined deletes it. Throws if the write is invalid. */
  readonly outcome: (stored: Item | undefined) => Item | undefined;
}

const outcomeOf = (kind: WriteKind, shape: TableShape, input: Input, named: Item, scope: Scope): Prepared['outcome'] => {
  if (kind === 'Put') {
    checkItem(shape, named);
    return () => named;
  }
  if (kind === 'Delete') return () => undefined;
  if (kind === 'ConditionCheck') return (stored) => stored;
  const { tree } = parseUpdate(String(input['UpdateExpression']));
  checkUpdate(tree, scope, keyNamesOf(shape));
  return (stored) => {
    const changed = applyUpdate(tree, stored ?? named, scope);
    checkItem(shape, changed);
    return changed;
  };
};

const shownOf = ({ ReturnValuesOnConditionCheckFailure: returnValues }: Conditional): Prepared['shown'] => {
  if (returnValues !== undefined && returnValues !== 'ALL_OLD' && returnValues !== 'NONE')
    throw new Unsupported(`ReturnValuesOnConditionCheckFailure ${returnValues}`);
  return (stored) => (returnValues === 'ALL_OLD' ? stored : undefined);
};

export const prepare = (tableOf: TableOf, kind: WriteKind, input: Input): Prepared => {
  const shape = tableOf(input['TableName']);
  const written = input as Conditional;
  const condition = written.ConditionExpression === undefined ? undefined : parseCondition(written.ConditionExpression);
  if (kind === 'ConditionCheck' && !condition) throw validation('A condition check needs a condition.');
  const update = kind === 'Update' ? parseUpdate(String(input['UpdateExpression'])) : undefined;
  const scope = bind(written, condition, update);
  if (condition) checkCondition(condition.tree, scope);
  const named = internItem(input[kind === 'Put' ? 'Item' : 'Key'] as object);
  const key = keyOf(shape, named, kind !== 'Put');
  return {
    shape,
    key,
    values: valuesOfKey(shape, key),
    shown: shownOf(written),
    holds: (stored) => !condition || holds(condition.tree, stored, scope),
    outcome: outcomeOf(kind, shape, input, named, scope),
  };
};

/** Stores the outcome of a write. A write that changes nothing is stored and recorded nowhere. */
export const store = (storage: Storage, { shape, key }: Prepared, before: Item | undefined, after: Item | undefined): void => {
  if (!isEqual(before, after)) storage.write(shape, { key, before, after });
};

/** Returns the attributes that an update names, with their new values. */
const updated = (input: Input, after: Item): Item => {
  const { tree } = parseUpdate(String(input['UpdateExpression']));
  const paths = [...tree.set, ...tree.add].map(({ path }) => path);
  return projected(after, paths, { names: (input as Placeholders).ExpressionAttributeNames ?? {}, values: {} });
};

export const writeOne = (storage: Storage, tableOf: TableOf, kind: WriteKind, raw: object, meter: Meter | undefined): object => {
  const input = checkFields(kind, raw, 'ReturnValues', 'ReturnConsumedCapacity');
  const returned = input['ReturnValues'];
  const isKnown = returned === undefined || (kind === 'Update' && (returned === 'UPDATED_NEW' || returned === 'ALL_NEW'));
  if (!isKnown) throw new Unsupported(`ReturnValues ${String(returned)}`);
  const write = prepare(tableOf, kind, input);
  return storage.atomically(() => {
    const before = storage.get(write.shape, write.values);
    if (!write.holds(before)) throw conditionFailed(write.shown(before));
    const after = write.outcome(before);
    store(storage, write, before, after);
    meter?.write(write.shape, before, after, false);
    if (returned === undefined || !after) return {};
    return { Attributes: returned === 'ALL_NEW' ? after : updated(input, after) };
  });
};
