import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { timeOfId } from '../core/ids.ts';
import { isoFromMs } from '../core/time.ts';
import type { ApiKey } from '../domain/account/record.ts';
import { openOutcomes } from './attempts.ts';
import type { Db, Item } from './client.ts';
import { attemptOf, decodeDelivery } from './delivery-items.ts';
import { type Expression, expr, openScope } from './expressions.ts';
import { kindOf, ownerOf } from './keys.ts';
import { orderNumberKey } from './orders.ts';
import { dueIndex, indexKeys, type Kind, kinds } from './schema.ts';
import { sendAlone, updateItem } from './write.ts';

interface ScannedPage<Found> {
  /** Number of records that the page has read. */
  readonly records: number;
  readonly found: readonly Found[];
}

/** Reads a segment of a table page by page, each when the caller asks for it. */
export type Scan<Found> = (segment: number, segments: number) => AsyncGenerator<ScannedPage<Found>>;

const isOf = (kind: Kind) => expr`begins_with(pk, ${`${kinds[kind].prefix}#`})`;

/** Returns the scan of the items that match one of the filters. */
const scanOf = <Found>(db: Db, filters: readonly Expression[], decode: (item: Item) => readonly Found[]): Scan<Found> => {
  const { write, placeholders } = openScope();
  const request = {
    TableName: db.table,
    FilterExpression: filters.map((filter) => `(${write(filter)})`).join(' OR '),
    ProjectionExpression: write(expr`pk, sk, view, data`),
    ...placeholders(),
  };
  return async function* (Segment, TotalSegments) {
    let ExclusiveStartKey: Item | undefined;
    do {
      const page = await db.client.send(new ScanCommand({ ...request, Segment, TotalSegments, ExclusiveStartKey }));
      yield { records: page.ScannedCount ?? 0, found: (page.Items ?? []).flatMap(decode) };
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  };
};

/** A record of a restored table that must change before a stack uses the table. */
interface Repair {
  readonly account: string;
  /** Names the record in an error. */
  readonly record: string;
  /** Changes the record. Returns what it was; undefined if it is done. */
  readonly run: () => Promise<'order_numbers' | 'first_attempts' | undefined>;
}

/**
 * Returns the scan of what a table needs that DynamoDB has restored. `ahead` is added to each account's
 * last order number, so that no number is given twice. That is 0 without an order: the lost ones may be
 * its first.
 */
export const scanRestored = async (db: Db, ahead: number): Promise<Scan<Repair>> => {
  const { Table } = await db.client.send(new DescribeTableCommand({ TableName: db.table }));
  if (Table?.TableId === undefined) throw new Error(`DescribeTable returned no id of the table ${db.table}.`);
  // Every restore makes a table with an id of its own, so an order number moves once per restore. Another
  // `ahead` moves it again: the first was too small.
  const move = `${Table.TableId} ${ahead}`;
  const { makeDueAt } = openOutcomes(db);
  const notMoved = expr`attribute_not_exists(moved_in) OR moved_in <> ${move}`;
  // A delivery in no index waits for its first attempt. Its message is lost.
  const notFound = expr([`attribute_not_exists(${indexKeys(dueIndex).pk})`]);
  const filters = [
    expr`${isOf('account')} AND attribute_not_exists(data.erased_at)`,
    expr`${isOf('deliveryRecord')} AND view.status = ${'pending'} AND ${notFound}`,
  ];
  return scanOf<Repair>(db, filters, (item) => {
    const account = ownerOf(String(item['pk']));
    if (kindOf(item['pk']) === 'account') {
      const write = updateItem(db, orderNumberKey(account), { set: { moved_in: move }, add: { value: ahead }, where: notMoved });
      const run = async () => ((await sendAlone(db, write)).done ? 'order_numbers' : undefined);
      return [{ account, record: 'the order numbers', run }];
    }
    const attempt = attemptOf(decodeDelivery(item));
    const record = `the delivery of ${attempt.event} to ${attempt.endpoint}`;
    const run = async () => ((await makeDueAt(attempt, timeOfId(attempt.event))) ? 'first_attempts' : undefined);
    return [{ account, record, run }];
  });
};

/** An erasure, or the end of a key, that a restore has undone. */
export interface Undone {
  readonly kind: 'accounts_erased' | 'customers_erased' | 'keys_ended';
  readonly account: string;
  /** Id of the account, customer or key. */
  readonly id: string;
  /** End of a key that has not ended, for example because it was replaced and works for a week. */
  readonly ends_at?: string;
}

const undoneKinds = { account: 'accounts_erased', customer: 'customers_erased', apiKey: 'keys_ended' } as const;

/** Longest time from the decision of a write, which its record shows, to its commit. */
const commitMs = 120_000;

/** Returns the scan of the erasures, and of the keys that got an end, since a time, in the table of before a restore. */
export const scanReplaced = (db: Db, sinceMs: number): Scan<Undone> => {
  const since = isoFromMs(sinceMs - commitMs);
  const filters = [
    expr`${isOf('account')} AND data.erased_at >= ${since}`,
    expr`${isOf('customer')} AND view.erased_at >= ${since}`,
    expr`${isOf('apiKey')} AND begins_with(sk, ${'key_'}) AND data.updated_at >= ${since}`,
  ];
  return scanOf<Undone>(db, filters, ({ pk, sk, data }) => {
    const kind = undoneKinds[kindOf(pk) as keyof typeof undoneKinds];
    const account = ownerOf(String(pk));
    if (kind !== 'keys_ended') return [{ kind, account, id: kind === 'accounts_erased' ? account : String(sk) }];
    const { id, revoked_at, expires_at } = data as ApiKey;
    const ends_at = revoked_at ?? expires_at;
    if (ends_at === null) return [];
    return [{ kind, account, id, ...(Date.parse(ends_at) > db.clock.now() && { ends_at }) }];
  });
};
