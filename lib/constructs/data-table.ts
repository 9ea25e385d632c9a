import { AttributeType, BillingMode, type ITable, ProjectionType, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bucketsSchema, indexKeys, indexNames, schema } from '../../shared/table/schema.ts';
import { acknowledge } from '../acknowledge.ts';

/** What functions and graphs need of a table, of the stack's own or another. */
export interface ServedTable extends Pick<ITable, 'tableName' | 'tableArn' | 'metric'> {
  readonly tableStreamArn?: string | undefined;
}

export interface DataTables {
  readonly key: Key;
  /** What is served: the stack's own table, or the one that was restored from it. */
  readonly table: ServedTable;
  readonly buckets: Table;
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

const restored = (here: Construct, tableStreamArn: string, encryptionKey: Key): ServedTable =>
  Table.fromTableAttributes(here, 'Restored', {
    tableArn: tableStreamArn.replace(/\/stream\/.*$/, ''),
    tableStreamArn,
    encryptionKey,
  });

/** The table of everything kept, its key, and the table of rate buckets. The own table stays, and stays protected, where a restored one is served. */
export const createDataTables = (scope: Construct, restoredTableStreamArn?: string): DataTables => {
  const here = new Construct(scope, 'Data');
  const key = new Key(here, 'Key', {
    description: 'Customer data: table, stream, parked stream records',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const table = new Table(here, 'Table', {
    partitionKey: text(schema.partitionKey),
    sortKey: text(schema.sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    stream: StreamViewType[schema.streamViewType],
    timeToLiveAttribute: schema.ttlAttribute,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  // All in the creating deployment: CloudFormation adds one index an update, each a backfill of its own.
  for (const indexName of indexNames) {
    const { pk, sk } = indexKeys(indexName);
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: text(pk),
      sortKey: text(sk),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [schema.viewAttribute],
    });
  }
  // Counters that live for minutes: nothing to recover, nothing to stream. The AWS-owned key, because a customer-managed one would put
  // a KMS call's price and limit on the busiest table to guard hashes and numbers.
  const buckets = new Table(here, 'Buckets', {
    partitionKey: text(bucketsSchema.partitionKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: bucketsSchema.ttlAttribute,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(buckets, {
    'AwsSolutions-DDB3': 'Rate buckets live for minutes and are rebuilt by the next request: there is no point in time to recover to.',
  });
  return { key, table: restoredTableStreamArn ? restored(here, restoredTableStreamArn, key) : table, buckets };
};
