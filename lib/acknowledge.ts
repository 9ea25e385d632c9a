import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type CfnElement, Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** cdk-nag rule id, with `[finding]` where the rule reports several, to the reason why it is right here. */
export type Reasons = Readonly<Record<string, string>>;

/** The finding on rights to every object of a bucket. */
export const everyObjectOf = (bucket: Bucket): string =>
  `AwsSolutions-IAM5[Resource::<${Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*]`;

/** Accepts cdk-nag findings on a construct. */
export const acknowledge = (construct: IConstruct, reasons: Reasons): void => {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
};
