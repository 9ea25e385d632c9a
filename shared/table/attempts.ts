import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Endpoint } from '../domain/webhook.ts';
import type { Db } from './client.ts';
import { type AttemptOutcome, type AttemptRef, decodeDelivery } from './deliveries.ts';
import { type HistoryEntry, historyAttribute, historyEntry, keptRuns } from './delivery-history.ts';
import { deliveryKey } from './delivery-keys.ts';
import { decodeEndpoint, endpointKey } from './endpoints.ts';
import { eventKey } from './events.ts';
import { isExpired } from './keys.ts';
import type { Item } from './write.ts';

/** What a request is made of. */
export interface AttemptParts {
  /** As it stands at that moment; undefined once it is deleted. */
  readonly endpoint: Endpoint | undefined;
  /** The event's; undefined once the retention has passed. */
  readonly body: string | undefined;
}

export interface Attempts {
  /** Endpoint and body in one call, consistent. */
  read(ref: Pick<AttemptRef, 'account' | 'endpoint' | 'event'>): Promise<AttemptParts>;
  /** Keeps an attempt in the history of its run that a redelivery ended meanwhile, once; false where its place was taken otherwise. */
  keepSuperseded(ref: AttemptRef, outcome: AttemptOutcome): Promise<boolean>;
}

export const openAttempts = (db: Db): Attempts => ({
  async read({ account, endpoint, event }) {
    let Keys = [endpointKey({ account, id: endpoint }), eventKey(account, event)];
    const found = new Map<string, Item>();
    while (Keys.length > 0) {
      const { Responses, UnprocessedKeys } = await db.client.send(
        new BatchGetCommand({ RequestItems: { [db.table]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[db.table] ?? []) found.set(item['sk'] as string, item);
      Keys = (UnprocessedKeys?.[db.table]?.Keys ?? []) as typeof Keys;
    }
    const [registered, stored] = [found.get(endpoint), found.get(event)];
    return {
      endpoint: registered && decodeEndpoint(registered),
      body: stored && !isExpired(stored, db.clock.now()) ? (stored['body'] as string) : undefined,
    };
  },
  async keepSuperseded(ref, outcome) {
    const entry = historyEntry(ref.attempt, outcome);
    const history = historyAttribute(ref.run);
    try {
      await db.client.send(
        new UpdateCommand({
          TableName: db.table,
          Key: deliveryKey(ref),
          UpdateExpression: `SET ${history} = list_append(if_not_exists(${history}, :none), :entry)`,
          // An attempt has as many before it as its number says: one that is kept already is not kept again.
          ConditionExpression: `#view.#run > :run AND #view.#run < :dropped AND (attribute_not_exists(${history}) OR size(${history}) <= :attempt)`,
          ExpressionAttributeNames: { '#view': 'view', '#run': 'run' },
          ExpressionAttributeValues: {
            ':run': ref.run,
            ':dropped': ref.run + keptRuns,
            ':attempt': ref.attempt,
            ':none': [],
            ':entry': [entry],
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const item = error.Item && unmarshall(error.Item);
      if (!item || decodeDelivery(item).run <= ref.run) return false;
      // Its run is no longer kept; or it was kept, and only the answer was lost.
      const kept = item[history] as readonly HistoryEntry[] | undefined;
      return decodeDelivery(item).run >= ref.run + keptRuns || isDeepStrictEqual(kept?.[ref.attempt], entry);
    }
  },
});
