import { readdirSync, readFileSync } from 'node:fs';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { TestEngine } from '../support/engine.ts';

/** Formats that a deployed version wrote, in test/fixtures/formats; never edited. */
const root = new URL('../fixtures/formats/', import.meta.url);
export const formatVersions: readonly string[] = readdirSync(root).sort();

export const readFormat = (version: string, name: string): string => readFileSync(new URL(`${version}/${name}.json`, root), 'utf8').trim();

/** The body that a schedule puts on the queue. */
export const scheduledBody = (version: string): string =>
  (JSON.parse(readFormat(version, 'schedule')) as { MessageBody: string }).MessageBody;

type StoredItem = Record<string, AttributeValue>;

/** The records of the version, as they were stored, with the hosts of the test in their places. */
export const storedRecords = (version: string, hosts: { readonly receiver: string; readonly search: string }): readonly StoredItem[] =>
  JSON.parse(
    readFormat(version, 'records').replaceAll('{{receiver}}', hosts.receiver).replaceAll('{{search}}', hosts.search),
  ) as StoredItem[];

export const putRecords = async (
  { client }: Pick<TestEngine, 'client'>,
  tableName: string,
  items: readonly StoredItem[],
): Promise<void> => {
  for (const item of items) await client.send(new PutCommand({ TableName: tableName, Item: unmarshall(item) }));
};
