import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { batchesOf, batchSize } from '../core/aws-calls.ts';
import { connectSqs, type Queue, type QueueOptions, queueOver } from './queue.ts';

/** Number of messages in a queue. SQS counts approximately. */
export interface QueueDepth {
  /** Messages that can be received now. */
  readonly waiting: number;
  /** Messages that were received and are neither removed nor visible again. */
  readonly in_flight: number;
  readonly delayed: number;
}

/** A message that an operator holds: it is invisible to other receivers for a while. */
export interface ReceivedMessage {
  readonly id: string;
  /** Identifies this receive when the message is removed or released. */
  readonly receipt: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly sentMs: number;
  readonly receiveCount: number;
}

/** A queue with the operations of an operator. */
export interface OperatedQueue extends Queue {
  depth(): Promise<QueueDepth>;
  /** Receives up to 10 messages and holds them for a minute. Returns none if the queue is empty. */
  receive(): Promise<readonly ReceivedMessage[]>;
  remove(messages: readonly ReceivedMessage[]): Promise<void>;
  /** Makes the messages visible again at once. */
  release(messages: readonly ReceivedMessage[]): Promise<void>;
}

const holdSeconds = 60;
/** Long polling asks all servers of the queue, so an empty result means an empty queue. */
const waitSeconds = 1;

const toReceivedMessage = ({ MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} }: Message): ReceivedMessage => ({
  id: MessageId,
  receipt: ReceiptHandle,
  body: Body,
  groupId: Attributes.MessageGroupId,
  sentMs: Number(Attributes.SentTimestamp ?? 0),
  receiveCount: Number(Attributes.ApproximateReceiveCount ?? 0),
});

const entryOf = ({ receipt }: ReceivedMessage, i: number) => ({ Id: String(i), ReceiptHandle: receipt });

const assertAll = (failed: readonly { readonly Code?: string | undefined }[] = [], what: string): void => {
  if (failed.length > 0) throw new Error(`${failed.length} messages not ${what} by SQS: ${failed[0]?.Code ?? 'unknown'}`);
};

export const connectOperatedQueue = ({ queueUrl, client }: QueueOptions): OperatedQueue => {
  const sqs = connectSqs(client);
  const QueueUrl = queueUrl;
  return {
    ...queueOver(sqs, queueUrl),
    async depth() {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', 'ApproximateNumberOfMessagesDelayed'],
        }),
      );
      return {
        waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
        in_flight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
        delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
      };
    },
    async receive() {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: batchSize,
          VisibilityTimeout: holdSeconds,
          WaitTimeSeconds: waitSeconds,
          MessageSystemAttributeNames: ['MessageGroupId', 'SentTimestamp', 'ApproximateReceiveCount'],
        }),
      );
      return Messages.map(toReceivedMessage);
    },
    async remove(messages) {
      for (const batch of batchesOf(messages)) {
        const { Failed } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: batch.map(entryOf) }));
        assertAll(Failed, 'removed');
      }
    },
    async release(messages) {
      for (const batch of batchesOf(messages)) {
        const Entries = batch.map((message, i) => ({ ...entryOf(message, i), VisibilityTimeout: 0 }));
        const { Failed } = await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
        assertAll(Failed, 'released');
      }
    },
  };
};
