import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Concurrency, workQueue } from '../event-sources.ts';
import { createWorkQueue } from './delivery-queue.ts';
import { createServiceFunction, type FunctionContext } from './service-function.ts';

/** Where changed products wait, apart from deliveries: other people's engines never hold up webhooks. */
export interface SearchQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

export const createSearchQueue = (scope: Construct): SearchQueue => createWorkQueue(new Construct(scope, 'SearchQueue'));

/** Queue → search-sync → the account's search engine. */
export const createSearchSync = (
  scope: Construct,
  context: FunctionContext,
  concurrency: Concurrency,
  { queue }: SearchQueue,
): LambdaFunction => {
  const here = new Construct(scope, 'SearchSync');
  const searchSync = createServiceFunction(here, 'search-sync', context, {
    statements: [
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [queue.queueArn],
      }),
    ],
  });
  new EventSourceMapping(here, 'Products', {
    target: searchSync,
    eventSourceArn: queue.queueArn,
    batchSize: workQueue.batchSize,
    maxBatchingWindow: Duration.seconds(0),
    reportBatchItemFailures: true,
    maxConcurrency: concurrency.searchSync,
  });
  return searchSync;
};
