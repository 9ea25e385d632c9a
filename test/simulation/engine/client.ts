import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientOf } from '../../../local/engine/client.ts';
import type { Engine } from './engine.ts';

/** Returns a client that executes each command at once, without faults. */
export const promptClient = (engine: Engine): DynamoDBDocumentClient =>
  clientOf(async (operation, input) => engine.execute(operation, input)) as DynamoDBDocumentClient;
