import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

type Item = Readonly<Record<string, unknown>>;

/** Returns an error of DynamoDB, as its client throws it. */
export const serviceError = (name: string, message: string, fields: object = {}, httpStatusCode = 400): Error =>
  Object.assign(new Error(message), {
    name,
    $fault: httpStatusCode < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode },
    ...fields,
  });

const as = (known: { readonly prototype: object }, error: Error): Error => Object.setPrototypeOf(error, known.prototype);

export const validation = (message: string): Error => serviceError('ValidationException', message);

export const conditionFailed = (old: Item | undefined): Error =>
  as(
    ConditionalCheckFailedException,
    serviceError('ConditionalCheckFailedException', 'The conditional request failed', old ? { Item: marshall(old) } : {}),
  );

/** Why one write of a transaction cancelled it. */
export interface Reason {
  readonly Code: 'None' | 'ConditionalCheckFailed' | 'TransactionConflict' | 'ValidationError' | 'ThrottlingError';
  readonly Message?: string;
  /** Present if the write requested it. */
  readonly old?: Item | undefined;
}

export const cancelled = (reasons: readonly Reason[]): Error =>
  as(
    TransactionCanceledException,
    serviceError(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
      { CancellationReasons: reasons.map(({ old, ...reason }) => ({ ...reason, ...(old ? { Item: marshall(old) } : {}) })) },
    ),
  );

export const otherRequest = (): Error => serviceError('IdempotentParameterMismatchException', 'The token was used with other parameters.');
