import { Construct } from 'constructs';
import type { RegionSettings } from '../regions.ts';
import { createMailTopic, createRuleToTopics, eventBridge } from './topic.ts';

/** Sends the region's notices from the default bus to an address or to a topic. */
export const createNoticeRule = (scope: Construct, { region, stackName }: RegionSettings, target: string): void => {
  const here = new Construct(scope, 'Notices');
  const arn = target.startsWith('arn:') ? target : createMailTopic(here, target, eventBridge).topicArn;
  createRuleToTopics(here, [arn], {
    description: `Notices of ${stackName} to the platform`,
    eventPattern: { source: [`bakery-commerce.${region}`] },
    paths: {
      ...{ type: '$.detail-type', id: '$.detail.id', account: '$.detail.account' },
      ...{ reason: '$.detail.reason', time: '$.detail.time' },
    },
    id: '<id>',
    title: '<type>: <account>',
    text: `<reason> at <time>. Details: ops notice.list --region ${region} --stack ${stackName} --account <account>`,
  });
};
