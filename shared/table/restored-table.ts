import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { timeOfId } from '../core/ids.ts';
import { openOutcomes } from './attempts.ts';
import type { Db, Item } from './client.ts';
import { attemptOf, decodeDelivery } from './delivery-items.ts';
import { expr, openScope } from './expressions.ts';
import { kindOf, ownerOf } from './keys.ts';
import { orderNumberKey } from './orders.ts';
import { dueIndex, indexKeys, kinds } from './schema.ts';
import { sendAlone, updateItem } from './write.ts';

/** A record of a restored table that must change before a stack uses the table. */
export interface Repair {
  readonly kind: 'order_numbers' | 'first_attempts';
  readonly account: string;
  /** Names the record in an error. */
  readonly record: string;
  /** Changes the record. A repeated call changes nothing. */
  readonly write: () => Promise<unknown>;
}

interface ScannedPage {
  /** Number of records that the page has read. */
  readonly records: number;
  readonly repairs: readonly Repair[];
}

/**
 * Opens a table that DynamoDB has restored. `ahead` is added to each account's last order number, so
 * that no number is given twice.
 */
export const openRestoredTable = async (db: Db, ahead: number) => {
  const { Table } = await db.client.send(new DescribeTableCommand({ TableName: db.table }));
  // Every restore makes a table with an id of its own, so an order number moves once per restore.
  const id = Table?.TableId;
  if (id === undefined) throw new Error(`DescribeTable returned no id of the table ${db.table}.`);
  const { findFrom } = openOutcomes(db);
  const notMoved = expr`attribute_not_exists(moved_in) OR moved_in <> ${id}`;
  const { sk: numbers } = orderNumberKey('');
  const { write, placeholders } = openScope();
  // A delivery in no index waits for its first attempt. Its message is lost.
  const notFound = expr([`attribute_not_exists(${indexKeys(dueIndex).pk})`]);
  const filters = [
    expr`begins_with(pk, ${`${kinds.counter.prefix}#`}) AND sk = ${numbers} AND (${notMoved})`,
    expr`begins_with(pk, ${`${kinds.deliveryRecord.prefix}#`}) AND view.status = ${'pending'} AND ${notFound}`,
  ];
  const request = {
    TableName: db.table,
    FilterExpression: write(expr`(${filters[0]}) OR (${filters[1]})`),
    ProjectionExpression: write(expr`pk, sk, view`),
    ...placeholders(),
  };

  const repairOf = (item: Item): Repair => {
    const account = ownerOf(String(item['pk']));
    if (kindOf(item['pk']) === 'counter') {
      const move = updateItem(db, orderNumberKey(account), { set: { moved_in: id }, add: { value: ahead }, where: notMoved });
      return { kind: 'order_numbers', account, record: 'the order numbers', write: () => sendAlone(db, move) };
    }
    const attempt = attemptOf(decodeDelivery(item));
    const record = `the delivery of ${attempt.event} to ${attempt.endpoint}`;
    return { kind: 'first_attempts', account, record, write: () => findFrom(attempt, timeOfId(attempt.event)) };
  };

  return {
    /** Reads a segment page by page, each when the caller asks for it. Leaves out records that are done. */
    async *pages(Segment: number, TotalSegments: number): AsyncGenerator<ScannedPage> {
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await db.client.send(new ScanCommand({ ...request, Segment, TotalSegments, ExclusiveStartKey }));
        yield { records: page.ScannedCount ?? 0, repairs: (page.Items ?? []).map(repairOf) };
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    },
  };
};

export type RestoredTable = Awaited<ReturnType<typeof openRestoredTable>>;
