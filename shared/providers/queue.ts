import { SendMessageBatchCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { batchesOf, callLimits, withCallLimit } from '../core/aws-calls.ts';
import { limitParallel } from '../core/promises.ts';

/** One message on the delivery queue. */
export interface QueuedMessage {
  readonly body: string;
  /**
   * The account id. SQS fair queues use it, so that one account's backlog does not delay another
   * account's deliveries.
   */
  readonly groupId: string;
  /** Delay in whole seconds, 0 to 900. */
  readonly delaySeconds?: number;
}

export interface Queue {
  /** Resolves when every message is stored; rejects with the first failure otherwise. */
  send(messages: readonly QueuedMessage[]): Promise<void>;
}

export interface QueueOptions {
  readonly queueUrl: string;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: SQSClientConfig;
}

const batchesAtOnce = 8;

export const connectSqs = (client: SQSClientConfig = {}): SQSClient => withCallLimit(new SQSClient({ ...callLimits, ...client }));

export const connectQueue = ({ queueUrl, client }: QueueOptions): Queue => queueOver(connectSqs(client), queueUrl);

/** Returns a queue over a client that other queues may share. */
export function queueOver(sqs: SQSClient, queueUrl: string): Queue {
  return {
    async send(messages) {
      const sendBatch = async (batch: readonly QueuedMessage[]): Promise<void> => {
        const entries = batch.map((message, i) => ({
          Id: String(i),
          MessageBody: message.body,
          MessageGroupId: message.groupId,
          ...(message.delaySeconds ? { DelaySeconds: message.delaySeconds } : {}),
        }));
        const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
        if (Failed.length > 0)
          throw new Error(`${Failed.length} of ${entries.length} messages refused by SQS: ${Failed[0]?.Code ?? 'unknown'}`);
      };
      const withinLimit = limitParallel(batchesAtOnce);
      const results = await Promise.allSettled(batchesOf(messages).map((batch) => withinLimit(() => sendBatch(batch))));
      // Waits for all calls, because Lambda freezes running calls when the function returns.
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}
