import { slotsPerEndpoint } from '../shared/domain/webhook/record.ts';
import { slotAttribute } from '../shared/table/endpoints.ts';
import { partition } from '../shared/table/keys.ts';
import { decodeMessage } from '../shared/webhooks/message.ts';
import { type Engine, engineCalls } from './engine/dynamodb.ts';

/**
 * Releases the slots of the attempts of a killed run. A deployed queue returns such a message only
 * after the leases end; here it is due at once, and no other process can hold the slots.
 */
export const releaseLeases = async (client: Engine['client'], tableName: string, bodies: readonly string[]): Promise<void> => {
  const messages = bodies.flatMap((body) => decodeMessage(body) ?? []);
  if (messages.length === 0) return;
  const { call, close } = engineCalls(client, 'DynamoDB_20120810');
  const slots = Array.from({ length: slotsPerEndpoint }, (_, slot) => slotAttribute(slot));
  const endpoints = new Map(messages.map(({ account, endpoint }) => [`${account}#${endpoint}`, { account, endpoint }]));
  try {
    for (const { account, endpoint } of endpoints.values()) {
      const input = {
        TableName: tableName,
        Key: { pk: { S: partition('endpoint', account) }, sk: { S: endpoint } },
        UpdateExpression: `REMOVE ${slots.join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
      };
      await call('UpdateItem', input).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
      });
    }
  } finally {
    close();
  }
};
