import { CfnRule } from 'aws-cdk-lib/aws-events';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { RegionSettings } from '../regions.ts';
import { createMailTopic } from './topic.ts';

/**
 * Sends the region's notices to an address or to a topic, from the default bus. The message has the
 * form of a custom notification, which Amazon Q Developer shows in a chat; mail and pagers show its text.
 */
export const createNoticeRule = (scope: Construct, { region, stackName }: RegionSettings, to: string): void => {
  const here = new Construct(scope, 'Notices');
  const arn = to.startsWith('arn:') ? to : createMailTopic(here, to, 'events.amazonaws.com').topicArn;
  const fields = {
    type: '$.detail-type',
    id: '$.detail.id',
    account: '$.detail.account',
    reason: '$.detail.reason',
    time: '$.detail.time',
  };
  const command = `ops notice.list --region ${region} --stack ${stackName} --account <account>`;
  const message = {
    version: '1.0',
    source: 'custom',
    id: '<id>',
    content: { title: '<type>: <account>', description: `<reason> at <time>. Details: ${command}` },
  };
  new CfnRule(here, 'Rule', {
    description: `Notices of ${Stack.of(here).stackName} to the platform`,
    eventPattern: { source: [`bakery-commerce.${region}`] },
    targets: [{ arn, id: 'Topic', inputTransformer: { inputPathsMap: fields, inputTemplate: JSON.stringify(message) } }],
  });
};
