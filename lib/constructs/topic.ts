import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** Creates a topic that mails what the service of AWS publishes for this AWS account. */
export const createMailTopic = (here: Construct, email: string, service: string): Topic => {
  const topic = new Topic(here, 'Topic', { enforceSSL: true });
  topic.addSubscription(new EmailSubscription(email));
  // The topic's policy for TLS replaces the default policy, which allows the account to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(service)],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(here).account } },
    }),
  );
  return topic;
};
