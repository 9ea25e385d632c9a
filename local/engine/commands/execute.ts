import type { Storage, TableShape } from '../storage.ts';
import { Meter } from './capacity.ts';
import { validation } from './errors.ts';
import { bind, type Placeholders, projected } from './expressions.ts';
import { checkFields, type Input } from './input.ts';
import { keyOf, valuesOfKey } from './keys.ts';
import { parseProjection } from './parser.ts';
import { maxPageBytes, type QueryInput, query } from './query.ts';
import { transact } from './transaction.ts';
import { type Item, internItem, itemBytes, Unsupported } from './values.ts';
import { type TableOf, writeOne } from './write.ts';

interface CommandOptions {
  readonly storage: Storage;
  readonly tables: readonly TableShape[];
  /** The size in bytes at which a page of a query without a limit ends; default 1 MB. */
  readonly pageBytes?: number | undefined;
}

/** Executes a command of the document client at once. Throws the errors of the SDK. */
export type Execute = (operation: string, input: object) => object;

const maxBatchKeys = 100;

const get = (storage: Storage, tableOf: TableOf, input: Input, meter: Meter | undefined): { readonly Item?: Item } => {
  const shape = tableOf(input['TableName']);
  if (input['ConsistentRead'] !== true) throw new Unsupported('The engine reads tables consistently.');
  const projection = input['ProjectionExpression'] === undefined ? undefined : parseProjection(String(input['ProjectionExpression']));
  const scope = bind(input as Placeholders, projection);
  const item = storage.get(shape, valuesOfKey(shape, keyOf(shape, internItem(input['Key'] as object), true)));
  meter?.read(shape, undefined, item ? itemBytes(item) : 0, true);
  if (!item) return {};
  return { Item: projection ? projected(item, projection.tree, scope) : item };
};

const batchGet = (storage: Storage, tableOf: TableOf, raw: object, meter: Meter | undefined): object => {
  const requested = checkFields('BatchGet', raw)['RequestItems'] as Readonly<Record<string, Input>>;
  const Responses: Record<string, Item[]> = {};
  for (const [name, part] of Object.entries(requested)) {
    const { Keys, ...how } = checkFields('BatchGetKeys', part) as { readonly Keys: readonly object[] } & Input;
    if (Keys.length === 0 || Keys.length > maxBatchKeys) throw validation(`A batch has 1 to ${maxBatchKeys} keys.`);
    if (new Set(Keys.map((key) => JSON.stringify(Object.entries(key).sort()))).size < Keys.length)
      throw validation('Provided list of item keys contains duplicates');
    Responses[name] = Keys.flatMap((Key) => {
      const { Item } = get(storage, tableOf, { ...how, TableName: name, Key }, meter);
      return Item ? [Item] : [];
    });
  }
  return { Responses, UnprocessedKeys: {} };
};

const meterOf = (input: object): Meter | undefined => {
  const { ReturnConsumedCapacity: capacityMode } = input as { readonly ReturnConsumedCapacity?: string };
  if (capacityMode !== undefined && capacityMode !== 'INDEXES') throw new Unsupported(`ReturnConsumedCapacity ${capacityMode}`);
  return capacityMode === undefined ? undefined : new Meter();
};

export const createExecute = ({ storage, tables: shapes, pageBytes = maxPageBytes }: CommandOptions): Execute => {
  const tables = new Map(shapes.map((shape) => [shape.name, shape]));
  const tableOf = (name: unknown): TableShape => {
    const found = tables.get(String(name));
    if (!found) throw new Unsupported(`The engine has no table ${String(name)}.`);
    return found;
  };
  const run = (operation: string, input: object, meter: Meter | undefined): object => {
    switch (operation) {
      case 'Get':
        return get(storage, tableOf, checkFields('Get', input), meter);
      case 'Put':
      case 'Update':
      case 'Delete':
        return writeOne(storage, tableOf, operation, input, meter);
      case 'Query': {
        const checked = checkFields('Query', input);
        return query(storage, tableOf(checked['TableName']), checked as unknown as QueryInput, pageBytes, meter);
      }
      case 'BatchGet':
        return batchGet(storage, tableOf, input, meter);
      case 'TransactWrite':
        return transact(storage, tableOf, input, meter);
      default:
        throw new Unsupported(`The engine knows no command ${operation}.`);
    }
  };
  return (operation, input) => {
    const meter = meterOf(input);
    const output = run(operation, input, meter);
    if (!meter) return output;
    const isList = operation === 'BatchGet' || operation === 'TransactWrite';
    return { ...output, ConsumedCapacity: isList ? meter.consumed : meter.consumed[0] };
  };
};
