import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { Db } from './client.ts';
import { partition } from './keys.ts';
import type { Write } from './write.ts';

export interface Counters {
  /** The account's next order number: rises, and leaves a gap where the order then fails. */
  nextOrderNumber(account: string): Promise<number>;
  /** Orders created in the UTC month (`YYYY-MM`). */
  ordersIn(account: string, month: string): Promise<number>;
  /** Counts one more order of the month; refuses with `limit_reached` where the plan's limit is reached. Null is no limit. */
  orderCountWrite(account: string, month: string, limit: number | null): Write;
}

const key = (account: string, counter: string) => ({ pk: partition('counter', account), sk: counter });
const monthKey = (account: string, month: string) => key(account, `orders_${month}`);

/** § Errors, `limit_reached`: retrying does not help until the month rolls or the plan changes. */
export const limitReached = (current: number, max: number): ApiError =>
  new ApiError('limit_reached', "The plan's order limit of this month is reached.", { extra: { limit: 'orders_per_month', current, max } });

export const openCounters = (db: Db): Counters => ({
  async nextOrderNumber(account) {
    const { Attributes } = await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: key(account, 'order_number'),
        UpdateExpression: 'ADD #value :one',
        ExpressionAttributeNames: { '#value': 'value' },
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return Attributes?.['value'] as number;
  },
  ordersIn: async (account, month) => ((await db.get(monthKey(account, month)))?.['value'] as number | undefined) ?? 0,
  orderCountWrite: (account, month, limit) => ({
    item: {
      Update: {
        TableName: db.table,
        Key: monthKey(account, month),
        UpdateExpression: 'ADD #value :one',
        ExpressionAttributeNames: { '#value': 'value' },
        ExpressionAttributeValues: { ':one': 1, ...(limit === null ? {} : { ':limit': limit }) },
        ...(limit === null
          ? {}
          : {
              // A limit of 0 lets not even the first one through.
              ConditionExpression: limit > 0 ? 'attribute_not_exists(#value) OR #value < :limit' : '#value < :limit',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
            }),
      },
    },
    ...(limit === null ? {} : { refuse: (old) => limitReached((old?.['value'] as number | undefined) ?? 0, limit) }),
  }),
});
