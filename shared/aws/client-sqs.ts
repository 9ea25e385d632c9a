import { Client, type ClientConfig, jsonCall, parseJson, type Service } from './client.ts';

const sqs: Service = { name: 'sqs', variable: 'SQS', retryBaseMs: 50, errors: {} };

interface QueueInput {
  readonly QueueUrl: string;
}

class Command {
  readonly operation: string;
  readonly input: QueueInput;

  constructor(operation: string, input: QueueInput) {
    this.operation = operation;
    this.input = input;
  }
}

const command = (operation: string) =>
  class extends Command {
    constructor(input: QueueInput) {
      super(operation, input);
    }
  };

/** In the place of `@aws-sdk/client-sqs`, as far as this service speaks it. */
export const SendMessageBatchCommand = command('SendMessageBatch');
export const ReceiveMessageCommand = command('ReceiveMessage');
export const DeleteMessageBatchCommand = command('DeleteMessageBatch');
export const ChangeMessageVisibilityBatchCommand = command('ChangeMessageVisibilityBatch');
export const GetQueueAttributesCommand = command('GetQueueAttributes');

export class SQSClient extends Client {
  constructor(config: ClientConfig = {}) {
    super(sqs, config);
  }

  async send({ operation, input }: Command): Promise<unknown> {
    // A queue is reached at the address that its URL names.
    const origin = new URL(input.QueueUrl).origin;
    return parseJson(await this.call(jsonCall(`AmazonSQS.${operation}`, JSON.stringify(input), origin)));
  }
}
