import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DocumentClient } from '../../../local/engine/client.ts';
import { usesPrograms } from '../../support/programs.ts';

interface Consumed {
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

/** Returns the units of a call: of the table, and of each index. */
const unitsOf = (consumed: Consumed | readonly Consumed[] | undefined) =>
  [consumed ?? []].flat().map(({ CapacityUnits, Table, GlobalSecondaryIndexes = {} }) => ({
    all: CapacityUnits,
    table: Table?.CapacityUnits ?? 0,
    ...Object.fromEntries(Object.entries(GlobalSecondaryIndexes).map(([name, units]) => [name, units.CapacityUnits])),
  }));

type Items = readonly Readonly<Record<string, unknown>>[];
const nameOf = ({ pk, sk }: Items[number]): string => `${pk} ${sk}`;
const byKey = (a: Items[number], b: Items[number]): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** Sorts entries of an index with the same sort key, because DynamoDB defines no order for them. */
const withoutTies = (items: Items, sortKey: string): Items => {
  const groups = Map.groupBy(items, (item) => item[sortKey]);
  return [...groups.values()].flatMap((group) => group.toSorted(byKey));
};

/** Returns a response or an error without the engine's wording. */
export const seen = async (client: DocumentClient, command: object): Promise<unknown> => {
  try {
    const { $metadata: _, ConsumedCapacity, ...output } = (await client.send(command as never)) as Record<string, unknown>;
    // DynamoDB Local counts the old and the new item of a write in a transaction, where AWS counts the
    // larger, and nothing for a read without results.
    const isOdd = [TransactWriteCommand, QueryCommand, BatchGetCommand].some((kind) => command instanceof kind);
    if (!usesPrograms || !isOdd) output['units'] = unitsOf(ConsumedCapacity as Consumed);
    const { Responses, Items } = output as { readonly Responses?: Readonly<Record<string, Items>>; readonly Items?: Items };
    // A batch has no order.
    if (Responses) output['Responses'] = Object.values(Responses).map((items) => items.toSorted(byKey));
    const { IndexName } = (command as { readonly input: { readonly IndexName?: string } }).input;
    if (Items && IndexName) output['Items'] = withoutTies(Items, `sk${IndexName.slice('gsi'.length)}`);
    return Object.fromEntries(Object.entries(output).filter(([, value]) => value !== undefined));
  } catch (error) {
    const { name, Item, CancellationReasons } = error as {
      name: string;
      Item?: Record<string, never>;
      CancellationReasons?: readonly { readonly Code: string; readonly Item?: Record<string, never> }[];
    };
    // For an invalid write, some engines reject the transaction and others cancel it.
    if (name === 'ValidationException' || CancellationReasons?.some(({ Code }) => Code === 'ValidationError')) return { name: 'invalid' };
    return {
      name,
      ...(Item ? { item: unmarshall(Item) } : {}),
      ...(CancellationReasons ? { reasons: CancellationReasons.map(({ Code, Item: old }) => [Code, old && unmarshall(old)]) } : {}),
    };
  }
};
