import { serviceError } from '../../../local/engine/commands/errors.ts';

/** The error of a single write that conflicts with a transaction. */
export const conflict = (): Error => serviceError('TransactionConflictException', 'Transaction is ongoing for the item');

/** The error of a throttled table; of a throttled range of keys with `isHot`. */
export const throttled = (isHot: boolean): Error =>
  serviceError('ThrottlingException', 'Throughput exceeds the current capacity.', {
    throttlingReasons: [{ reason: isHot ? 'TableWriteKeyRangeThroughputExceeded' : 'TableWriteAccountLimitExceeded' }],
  });

export const unavailable = (): Error => serviceError('InternalServerError', 'Internal server error', {}, 500);
