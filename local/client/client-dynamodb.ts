/** In the place of `@aws-sdk/client-dynamodb`, as far as the service uses it. */
export { Client as DynamoDBClient, ConditionalCheckFailedException, TransactionCanceledException } from './call.ts';
