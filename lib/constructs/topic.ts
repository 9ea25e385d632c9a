import { CfnRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** Creates a topic that mails what these services of AWS publish for this AWS account. */
export const createMailTopic = (here: Construct, email: string, ...services: readonly string[]): Topic => {
  const topic = new Topic(here, 'Topic', { enforceSSL: true });
  topic.addSubscription(new EmailSubscription(email));
  // The topic's policy for TLS replaces the default policy, which allows the account to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: services.map((service) => new ServicePrincipal(service)),
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(here).account } },
    }),
  );
  return topic;
};

/** The service that publishes what a rule matches. */
export const eventBridge = 'events.amazonaws.com';

interface RuleToTopics {
  readonly description: string;
  readonly eventPattern: object;
  /** JSON paths of the event by the name that `<name>` in the texts stands for. */
  readonly paths: Readonly<Record<string, string>>;
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Sends events of the default bus to topics. The message has the form of a custom notification, which
 * Amazon Q Developer shows in a chat; mail and pagers show its text.
 */
export const createRuleToTopics = (
  here: Construct,
  topicArns: readonly string[],
  { description, eventPattern, paths, id, title, text }: RuleToTopics,
): void => {
  const message = { version: '1.0', source: 'custom', id, content: { title, description: text } };
  const inputTransformer = { inputPathsMap: paths, inputTemplate: JSON.stringify(message) };
  const targets = topicArns.map((arn, i) => ({ arn, id: `Topic${i}`, inputTransformer }));
  new CfnRule(here, 'Rule', { description, eventPattern, targets });
};
