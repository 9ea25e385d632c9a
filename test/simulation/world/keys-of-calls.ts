import { kinds, schema } from '../../../shared/table/schema.ts';

type Part = { readonly Key?: Readonly<Record<string, unknown>>; readonly Item?: Readonly<Record<string, unknown>> };

const partitionOf = ({ Key, Item }: Part): readonly string[] => {
  const found = (Key ?? Item)?.[schema.partitionKey];
  return typeof found === 'string' ? [found] : [];
};

/** Returns the partitions of a call of the table, including those of a queried index. */
export const partitionsOf = (operation: string, input: object): readonly string[] => {
  if (operation === 'Query') {
    const { ExpressionAttributeValues = {} } = input as { readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> };
    const named = ExpressionAttributeValues[':pk'];
    return typeof named === 'string' ? [named] : [];
  }
  if (operation === 'BatchGet') {
    const { RequestItems } = input as { readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly Part['Key'][] }>> };
    return Object.values(RequestItems).flatMap(({ Keys }) => Keys.flatMap((Key) => (Key ? partitionOf({ Key }) : [])));
  }
  if (operation === 'TransactWrite') {
    const { TransactItems } = input as { readonly TransactItems: readonly Readonly<Record<string, Part>>[] };
    return TransactItems.flatMap((write) => Object.values(write).flatMap(partitionOf));
  }
  return partitionOf(input as Part);
};

/** Kinds without an account, or that are read before the account is known. */
const ofNobody: readonly string[] = [kinds.apiKey, kinds.idempotency, kinds.due, kinds.heartbeat].map(({ prefix }) => prefix);
const ofAccounts: ReadonlySet<string> = new Set(Object.values(kinds).flatMap(({ prefix }) => (ofNobody.includes(prefix) ? [] : [prefix])));

/**
 * Whether a partition belongs to none of the accounts. Rate buckets are in another table and belong
 * to keys and addresses.
 */
export const isForeign = (partition: string, accounts: ReadonlySet<string>): boolean => {
  const [kind = '', owner = ''] = partition.split('#');
  if (owner.startsWith('acct_')) return !accounts.has(owner);
  // Partition keys of an index contain the account's id without its prefix.
  return ofAccounts.has(kind) && !accounts.has(`acct_${owner}`);
};
