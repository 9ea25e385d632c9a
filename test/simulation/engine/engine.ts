import { cancelled, conditionFailed, conflict, otherRequest, type Reason, throttled, unavailable, validation } from './errors.ts';
import { applyUpdate, bind, checkCondition, checkUpdate, holds, type Placeholders, projected, type Scope } from './expressions.ts';
import { parseCondition, parseProjection, parseUpdate } from './parser.ts';
import { mostPageBytes, type QueryInput, type QueryOutput, query } from './query.ts';
import { Table, type TableShape } from './table.ts';
import { copy, type Item, internItem, Unsupported } from './values.ts';

/** Faults that replace the execution of a call. */
export type Fault =
  /** Rejected because of other traffic on its items. */
  | 'conflict'
  /** The range of the first key is throttled. */
  | 'hot'
  /** The table is throttled. */
  | 'throttled'
  /** A 5xx. */
  | 'unavailable'
  /** A batch leaves its last key unprocessed. Other calls do nothing. */
  | 'unprocessed';

export interface EngineOptions {
  readonly tables: readonly TableShape[];
  readonly now: () => number;
  /**
   * The lag of an index at a read, in ms; called at every read. An index never shows an older state
   * again.
   */
  readonly indexLagMs?: () => number;
  /** The size in bytes at which a page of a query without a limit ends; default 1 MB. */
  readonly pageBytes?: number;
}

export interface Engine {
  /** Executes a command of the document client at once. Throws the errors of the SDK. */
  execute(operation: string, input: object, fault?: Fault): object;
  table(name: string): Table;
}

type Input = Readonly<Record<string, unknown>>;

interface Conditional extends Placeholders {
  readonly ConditionExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

/** A parsed write that passed all checks for which the stored item is not needed. */
interface Prepared {
  readonly table: Table;
  readonly key: Item;
  readonly conditional: Conditional;
  readonly holds: (standing: Item | undefined) => boolean;
  /** Returns the item to store; undefined deletes it. Throws if the write is invalid. */
  readonly outcome: (standing: Item | undefined) => Item | undefined;
}

type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

const placeholders = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
const conditional = ['ConditionExpression', ...placeholders, 'ReturnValuesOnConditionCheckFailure'] as const;

/** The fields of each input that the engine supports. */
const members: Readonly<Record<string, readonly string[]>> = {
  Get: ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'],
  Put: ['TableName', 'Item', ...conditional],
  Update: ['TableName', 'Key', 'UpdateExpression', ...conditional],
  Delete: ['TableName', 'Key', ...conditional],
  ConditionCheck: ['TableName', 'Key', ...conditional],
  Query: [
    ...['TableName', 'IndexName', 'KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'],
    ...['ConsistentRead', 'ExclusiveStartKey', 'Limit', 'ScanIndexForward', 'Select'],
    ...placeholders,
  ],
  BatchGet: ['RequestItems'],
  BatchGetKeys: ['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'],
  TransactWrite: ['TransactItems', 'ClientRequestToken'],
};

/** Returns the input. Throws if it has an unsupported field. */
const given = (kind: string, input: object, ...besides: readonly string[]): Input => {
  const known = members[kind];
  if (!known) throw new Unsupported(`The engine knows no command ${kind}.`);
  for (const name in input) {
    const isKnown = known.includes(name) || besides.includes(name) || (input as Input)[name] === undefined;
    if (!isKnown) throw new Unsupported(`The engine knows no ${name} of ${kind}.`);
  }
  return input as Input;
};

const maxTransactWrites = 100;
const maxBatchKeys = 100;
const tokenLifeMs = 600_000;

export const createEngine = ({ tables: shapes, now, indexLagMs = () => 0, pageBytes = mostPageBytes }: EngineOptions): Engine => {
  const tables = new Map(shapes.map((shape) => [shape.name, new Table(shape)]));
  const tokens = new Map<string, { readonly text: string; readonly untilMs: number }>();

  const tableOf = (name: unknown): Table => {
    const found = tables.get(String(name));
    if (!found) throw new Unsupported(`The engine has no table ${String(name)}.`);
    return found;
  };

  const outcomeOf = (kind: WriteKind, table: Table, input: Input, key: Item, scope: Scope): Prepared['outcome'] => {
    if (kind === 'Put') {
      const item = internItem(input['Item'] as object);
      table.check(item);
      return () => item;
    }
    if (kind === 'Delete') return () => undefined;
    if (kind === 'ConditionCheck') return (standing) => standing;
    const { tree } = parseUpdate(String(input['UpdateExpression']));
    checkUpdate(tree, scope, table.keyNames);
    return (standing) => {
      const changed = applyUpdate(tree, standing ?? key, scope);
      table.check(changed);
      return changed;
    };
  };

  const prepare = (kind: WriteKind, input: Input): Prepared => {
    const table = tableOf(input['TableName']);
    const written = input as Conditional;
    const condition = written.ConditionExpression === undefined ? undefined : parseCondition(written.ConditionExpression);
    if (kind === 'ConditionCheck' && !condition) throw validation('A condition check needs a condition.');
    const update = kind === 'Update' ? parseUpdate(String(input['UpdateExpression'])) : undefined;
    const scope = bind(written, condition, update);
    if (condition) checkCondition(condition.tree, scope);
    const named = internItem(input[kind === 'Put' ? 'Item' : 'Key'] as object);
    const key = table.keyOf(named, kind !== 'Put');
    return {
      table,
      key,
      conditional: written,
      holds: (standing) => !condition || holds(condition.tree, standing, scope),
      outcome: outcomeOf(kind, table, input, key, scope),
    };
  };

  const oldIfAsked = ({ ReturnValuesOnConditionCheckFailure: asked }: Conditional, standing: Item | undefined): Item | undefined => {
    if (asked !== undefined && asked !== 'ALL_OLD' && asked !== 'NONE')
      throw new Unsupported(`ReturnValuesOnConditionCheckFailure ${asked}`);
    return asked === 'ALL_OLD' ? standing : undefined;
  };

  /** Returns the attributes that an update names, with their new values. */
  const updated = (input: Input, after: Item): Item => {
    const { tree } = parseUpdate(String(input['UpdateExpression']));
    const paths = [...tree.set, ...tree.add].map(({ path }) => path);
    return projected(after, paths, bindNames(input));
  };
  const bindNames = (input: Input): Scope => ({ names: (input as Placeholders).ExpressionAttributeNames ?? {}, values: {} });

  const writeOne = (kind: WriteKind, raw: object): object => {
    const input = given(kind, raw, 'ReturnValues');
    const returned = input['ReturnValues'];
    const isKnown = returned === undefined || (kind === 'Update' && (returned === 'UPDATED_NEW' || returned === 'ALL_NEW'));
    if (!isKnown) throw new Unsupported(`ReturnValues ${String(returned)}`);
    const write = prepare(kind, input);
    const standing = write.table.get(write.key);
    if (!write.holds(standing)) throw conditionFailed(oldIfAsked(write.conditional, standing));
    const after = write.outcome(standing);
    write.table.write(write.key, after, now());
    if (returned === undefined || !after) return {};
    return { Attributes: copy(returned === 'ALL_NEW' ? after : updated(input, after)) };
  };

  const judge = (write: Prepared): { readonly reason: Reason; readonly after?: Item | undefined } => {
    const standing = write.table.get(write.key);
    if (!write.holds(standing))
      return {
        reason: {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          old: oldIfAsked(write.conditional, standing),
        },
      };
    try {
      return { reason: { Code: 'None' }, after: write.outcome(standing) };
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ValidationException') throw error;
      return { reason: { Code: 'ValidationError', Message: error.message } };
    }
  };

  const writesOf = (items: readonly Readonly<Record<string, object>>[]): readonly Prepared[] => {
    if (items.length === 0 || items.length > maxTransactWrites) throw validation(`A transaction has 1 to ${maxTransactWrites} writes.`);
    const writes = items.map((item) => {
      const [kind, ...others] = Object.keys(item).filter((name) => item[name] !== undefined);
      if (kind === undefined || others.length > 0) throw validation('TransactItems can only contain one of Check, Put, Update or Delete');
      return prepare(kind as WriteKind, given(kind, item[kind] as object));
    });
    const named = writes.map(({ table, key }) => JSON.stringify([table.shape.name, ...Object.values(key)]));
    if (new Set(named).size < named.length) throw validation('Transaction request cannot include multiple operations on one item');
    return writes;
  };

  const transact = (raw: object): object => {
    const input = given('TransactWrite', raw);
    const items = input['TransactItems'] as readonly Readonly<Record<string, object>>[];
    const token = input['ClientRequestToken'] as string | undefined;
    const text = JSON.stringify(items, (_, value) => (value instanceof Set ? [...value] : value));
    const known = token === undefined ? undefined : tokens.get(token);
    if (known && known.untilMs > now()) {
      if (known.text !== text) throw otherRequest();
      return {};
    }
    const writes = writesOf(items);
    const judged = writes.map(judge);
    if (judged.some(({ reason }) => reason.Code !== 'None')) throw cancelled(judged.map(({ reason }) => reason));
    writes.forEach(({ table, key }, i) => {
      table.write(key, judged[i]?.after, now());
    });
    if (token !== undefined) tokens.set(token, { text, untilMs: now() + tokenLifeMs });
    return {};
  };

  const get = (input: Input): object => {
    const table = tableOf(input['TableName']);
    if (input['ConsistentRead'] !== true) throw new Unsupported('The engine reads tables consistently.');
    const projection = input['ProjectionExpression'] === undefined ? undefined : parseProjection(String(input['ProjectionExpression']));
    const scope = bind(input as Placeholders, projection);
    const item = table.get(table.keyOf(internItem(input['Key'] as object), true));
    if (!item) return {};
    return { Item: copy(projection ? projected(item, projection.tree, scope) : item) };
  };

  const batchGet = (raw: object, unprocessed: boolean): object => {
    const asked = given('BatchGet', raw)['RequestItems'] as Readonly<Record<string, Input>>;
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, object> = {};
    for (const [name, part] of Object.entries(asked)) {
      const { Keys, ...how } = given('BatchGetKeys', part) as { readonly Keys: readonly object[] } & Input;
      if (Keys.length === 0 || Keys.length > maxBatchKeys) throw validation(`A batch has 1 to ${maxBatchKeys} keys.`);
      if (new Set(Keys.map((key) => JSON.stringify(Object.entries(key).sort()))).size < Keys.length)
        throw validation('Provided list of item keys contains duplicates');
      const left = unprocessed && Keys.length > 1 ? Keys.slice(-1) : [];
      if (left.length > 0) UnprocessedKeys[name] = { ...how, Keys: left };
      const read = Keys.slice(0, Keys.length - left.length).map((Key) => get({ ...how, TableName: name, Key }) as { Item?: Item });
      Responses[name] = read.flatMap(({ Item }) => (Item ? [Item] : []));
    }
    return { Responses, UnprocessedKeys };
  };

  /** Returns the error that a fault causes, if any. */
  const refusal = (operation: string, input: object, fault: Fault | undefined): Error | undefined => {
    if (fault === 'throttled' || fault === 'hot') return throttled(fault === 'hot');
    if (fault === 'unavailable') return unavailable();
    if (fault !== 'conflict' || operation === 'Get' || operation === 'Query' || operation === 'BatchGet') return undefined;
    if (operation !== 'TransactWrite') return conflict();
    const { TransactItems = [] } = input as { readonly TransactItems?: readonly object[] };
    return cancelled(TransactItems.map((_, i) => ({ Code: i === 0 ? 'TransactionConflict' : 'None' })));
  };

  return {
    table: tableOf,
    execute(operation, input, fault) {
      const refused = refusal(operation, input, fault);
      if (refused) throw refused;
      switch (operation) {
        case 'Get':
          return get(given('Get', input));
        case 'Put':
        case 'Update':
        case 'Delete':
          return writeOne(operation, input);
        case 'Query': {
          const asked = given('Query', input);
          return query(tableOf(asked['TableName']), asked as unknown as QueryInput, now() - indexLagMs(), pageBytes) satisfies QueryOutput;
        }
        case 'BatchGet':
          return batchGet(input, fault === 'unprocessed');
        case 'TransactWrite':
          return transact(input);
        default:
          throw new Unsupported(`The engine knows no command ${operation}.`);
      }
    },
  };
};
