import { Client, type ClientConfig, type Service, ServiceException } from './client.ts';

/** In the place of `@aws-sdk/client-dynamodb`. */
export class ConditionalCheckFailedException extends ServiceException {
  declare readonly Item?: Readonly<Record<string, never>>;
}

export class TransactionCanceledException extends ServiceException {
  declare readonly CancellationReasons?: readonly object[];
}

const dynamodb: Service = {
  name: 'dynamodb',
  variable: 'DYNAMODB',
  retryBaseMs: 25,
  errors: { ConditionalCheckFailedException, TransactionCanceledException },
};

export class DynamoDBClient extends Client {
  constructor(config: ClientConfig = {}) {
    super(dynamodb, config);
  }
}
