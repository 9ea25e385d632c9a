import { bucketsSchema, indexKeys, indexNames, schema } from '../../shared/table/schema.ts';
import type { TableShape } from './storage.ts';

/** The names of one region's tables. */
export interface Tables {
  readonly tableName: string;
  readonly bucketsTableName: string;
}

/** Returns a region's two tables, as they are deployed. */
export const shapesOf = ({ tableName, bucketsTableName }: Tables): readonly TableShape[] => [
  {
    name: tableName,
    partitionKey: schema.partitionKey,
    sortKey: schema.sortKey,
    ttlAttribute: schema.ttlAttribute,
    streamed: true,
    indexes: indexNames.map((name) => ({
      name,
      partitionKey: indexKeys(name).pk,
      sortKey: indexKeys(name).sk,
      carries: [schema.viewAttribute],
    })),
  },
  { name: bucketsTableName, partitionKey: bucketsSchema.partitionKey, ttlAttribute: bucketsSchema.ttlAttribute },
];
