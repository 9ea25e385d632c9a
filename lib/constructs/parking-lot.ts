import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../permissions.ts';
import { createDeadLetterQueue } from './delivery-queue.ts';

/** Stream records that no retry can make readable, whole, and a notice of each. */
export interface ParkingLot {
  readonly bucket: Bucket;
  readonly notices: Queue;
}

export const createParkingLot = (scope: Construct, key: Key | undefined): ParkingLot => {
  const here = new Construct(scope, 'ParkingLot');
  // A queue, so that the alarm stays on until an operator has dealt with each record, whoever parked it: fan-out or Lambda.
  const notices = createDeadLetterQueue(here, 'Notices');
  const { account } = Stack.of(here);
  // By account, not by bucket: the bucket's notification needs this policy first.
  notices.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [notices.queueArn],
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  const bucket = new Bucket(here, 'Bucket', {
    // Parked records are whole items: the table's key where it has one, with one data key a bucket and day rather than one an object.
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    // As long as event bodies are kept: afterwards there is nothing left to replay into.
    lifecycleRules: [{ expiration: Duration.days(30), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  acknowledge(bucket, {
    'AwsSolutions-S1':
      'Holds rare records for 30 days, written and read by two functions: a second bucket of access logs would hold nothing CloudTrail data events do not.',
  });
  // Set on the resource itself: the construct’s notifications bring a custom resource with its own function and account-wide rights.
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = { queueConfigurations: [{ event: 's3:ObjectCreated:*', queue: notices.queueArn }] };
  resource.node.addDependency(notices);
  return { bucket, notices };
};
