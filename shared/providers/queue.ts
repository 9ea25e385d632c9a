import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

/** One message on the delivery queue. */
export interface QueuedMessage {
  readonly body: string;
  /** The account: SQS fair queues keep one tenant's backlog from delaying another's. */
  readonly groupId: string;
  /** Whole seconds, 0 to 900. */
  readonly delaySeconds?: number;
}

export interface Queue {
  /** Resolves when every message is stored; rejects with the first failure otherwise. */
  send(messages: readonly QueuedMessage[]): Promise<void>;
}

export interface QueueOptions {
  readonly queueUrl: string;
  readonly client?: SQSClient;
}

const batchSize = 10;

export const connectQueue = ({ queueUrl, client = new SQSClient({}) }: QueueOptions): Queue => ({
  async send(messages) {
    for (let start = 0; start < messages.length; start += batchSize) {
      const entries = messages.slice(start, start + batchSize).map((message, i) => ({
        Id: String(i),
        MessageBody: message.body,
        MessageGroupId: message.groupId,
        ...(message.delaySeconds ? { DelaySeconds: message.delaySeconds } : {}),
      }));
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
      if (Failed.length > 0)
        throw new Error(`${Failed.length} of ${entries.length} messages refused by SQS: ${Failed[0]?.Code ?? 'unknown'}`);
    }
  },
});
