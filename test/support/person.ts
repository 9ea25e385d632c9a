import { inflateRawSync } from 'node:zlib';
import { DynamoDBClient, unmarshall } from '../../local/client/dynamodb.ts';
import { textsOf } from '../contract/inputs.ts';
import type { World } from './world.ts';

/** A person with unique details, so that a search finds what is left of them. */
export const person = {
  first_name: 'Zerlinde',
  last_name: 'Quastenfloss',
  email: 'Zerlinde.Q@quastenfloss.example',
  phone: '+49 30 5550199',
  company: 'Atelier Nachtfalter',
} as const;

export const details = {
  address: { line1: 'Irrgartenweg 7', city: 'Hinterwinkel' },
  notes: 'Marzipanfeindin, bitte klingeln',
  external_id: 'crm-geheim-77',
  metadata: { referrer: 'tante-kunigunde' },
} as const;

/** Lower-case texts. Each detail above contains one of them. */
export const traces = [
  'zerlinde',
  'quastenfloss',
  '5550199',
  'nachtfalter',
  'irrgartenweg',
  'hinterwinkel',
  'marzipanfeindin',
  'crm-geheim',
  'tante-kunigunde',
  'visa-der-dame',
];

/** Fills every text field of a body that is not given. */
export const marked = <Given extends object>(schema: object, given: Given): Given => ({
  ...Object.fromEntries(textsOf(schema).flatMap((field) => (/\./.test(field) ? [] : [[field, `Zerlinde ${field}`]]))),
  ...given,
});

export interface StoredItem {
  readonly key: string;
  readonly item: Record<string, unknown>;
}

type Engine = Pick<World, 'engine' | 'tables'>;

interface Scanned {
  readonly Items?: readonly Parameters<typeof unmarshall>[0][];
  readonly LastEvaluatedKey?: object;
}

/**
 * Returns all stored items of both tables directly from the engine, or those with the account in
 * their key. It uses the client of the local service: that of the SDK takes several times as long.
 */
export const allItems = async ({ engine, tables }: Engine, account?: string): Promise<readonly StoredItem[]> => {
  const client = new DynamoDBClient(engine.client);
  const ofAccount = account !== undefined && {
    FilterExpression: 'contains(pk, :account)',
    ExpressionAttributeValues: { ':account': { S: account } },
  };
  const found: StoredItem[] = [];
  try {
    for (const TableName of [tables.tableName, tables.bucketsTableName]) {
      let start: object | undefined;
      do {
        const input = { TableName, ConsistentRead: true, ...ofAccount, ...(start ? { ExclusiveStartKey: start } : {}) };
        const { Items = [], LastEvaluatedKey } = (await client.call('DynamoDB_20120810.Scan', JSON.stringify(input))) as Scanned;
        for (const raw of Items) {
          const item = unmarshall(raw);
          found.push({ key: [item['pk'], item['sk']].filter(Boolean).join(' '), item });
        }
        start = LastEvaluatedKey;
      } while (start);
    }
  } finally {
    client.destroy();
  }
  return found;
};

/** Returns deflated values as text. */
const inflated = (_name: string, value: unknown): unknown => (value instanceof Uint8Array ? inflateRawSync(value).toString() : value);

const textOf = (item: StoredItem): string => JSON.stringify(item, inflated).toLowerCase();

/** Returns the keys of the items that contain any of the texts, in any case. */
export const placesOf = (items: readonly StoredItem[], texts: readonly string[]): readonly string[] =>
  items.filter((item) => texts.some((text) => textOf(item).includes(text.toLowerCase()))).map(({ key }) => key);

/** Returns texts about the person with their place: `ord#acct_1 ord_1: irrgartenweg`. */
export const tracesIn = (items: readonly StoredItem[]): string[] =>
  items.flatMap((stored) => {
    const { key } = stored;
    const text = textOf(stored);
    return traces.filter((trace) => text.includes(trace)).map((trace) => `${key}: ${trace}`);
  });

/** Returns the kinds of items with details of the person, by key prefix. */
export const kindsWithTraces = (items: readonly StoredItem[]): string[] =>
  [...new Set(tracesIn(items).map((trace) => trace.split('#')[0] ?? ''))].sort();
