import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  InternalServerError,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** What DynamoDB refuses with, in the SDK's classes. */

type Item = Readonly<Record<string, unknown>>;

const about = (httpStatusCode = 400) => ({ $metadata: { httpStatusCode } });

/** It has no class in the SDK: callers know it by its name. */
export const validation = (message: string): Error =>
  new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, ...about() });

export const conditionFailed = (old: Item | undefined): Error =>
  new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    ...about(),
    ...(old ? { Item: marshall(old) } : {}),
  });

/** Why one write of a transaction kept all of them from being done. */
export interface Reason {
  readonly Code: 'None' | 'ConditionalCheckFailed' | 'TransactionConflict' | 'ValidationError' | 'ThrottlingError';
  readonly Message?: string;
  /** Where the write asked for it. */
  readonly old?: Item | undefined;
}

export const cancelled = (reasons: readonly Reason[]): Error =>
  new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    ...about(),
    CancellationReasons: reasons.map(({ old, ...reason }) => ({ ...reason, ...(old ? { Item: marshall(old) } : {}) })),
  });

export const otherRequest = (): Error =>
  new IdempotentParameterMismatchException({ message: 'The token was used with other parameters.', ...about() });

/** A single write that met a transaction. */
export const conflict = (): Error => new TransactionConflictException({ message: 'Transaction is ongoing for the item', ...about() });

export const throttled = (): Error => new ThrottlingException({ message: 'Throughput exceeds the current capacity.', ...about() });

export const unavailable = (): Error => new InternalServerError({ message: 'Internal server error', ...about(500) });
