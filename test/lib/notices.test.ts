import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { flatten, statementsOfRole } from './iam.ts';
import { propertiesOf, resourcesOf, synthesize, theOnly } from './synthesize.ts';

const schedulesOf = (template: Template) =>
  Object.values(resourcesOf(template, 'AWS::Scheduler::Schedule')).map(({ Properties }) => Properties);
/** Resources of statements that name PutEvents, by role. */
const senders = (template: Template): string[] =>
  Object.keys(resourcesOf(template, 'AWS::IAM::Role')).flatMap((role) =>
    statementsOfRole(template, role)
      .filter(({ Action }) => JSON.stringify(Action).includes('events:'))
      .map(({ Action, Resource }) => `${role.replace(/[0-9A-F]{8}$/, '')} ${Action} ${[Resource].flat().map(flatten)}`),
  );

test('only the sweep may put events with `notices`, on the default bus only, and it runs every minute', () => {
  const template = synthesize({ notices: true }).templates.us;
  expect(senders(template)).toEqual([
    expect.stringMatching(/^EventPipelineSweepRole events:PutEvents arn:.*:events:us-east-1:.*:event-bus\/default$/),
  ]);
  expect(schedulesOf(template)).toMatchObject([{ ScheduleExpression: 'rate(1 minute)' }]);
});

test("a rule sends the region's notices to an address, whose topic lets only EventBridge of this account publish", () => {
  const template = synthesize({ notices: true, 'noticesTo.us': 'platform@example.com' }).templates.us;
  const { EventPattern, Targets } = theOnly(template, 'AWS::Events::Rule');
  expect(EventPattern).toEqual({ source: ['bakery-commerce.us'] });
  expect(propertiesOf(template, 'AWS::SNS::Subscription')).toMatchObject([{ Protocol: 'email', Endpoint: 'platform@example.com' }]);
  const [topic] = Object.keys(resourcesOf(template, 'AWS::SNS::Topic'));
  const [{ Arn, InputTransformer }] = Targets as [{ Arn: unknown; InputTransformer: { InputTemplate: string } }];
  expect(Arn).toEqual({ Ref: topic });
  expect(JSON.parse(InputTransformer.InputTemplate)).toMatchObject({ version: '1.0', source: 'custom', id: '<id>' });
  const allowed = (theOnly(template, 'AWS::SNS::TopicPolicy') as any).PolicyDocument.Statement.filter((one: any) => one.Effect === 'Allow');
  expect(allowed).toMatchObject([
    {
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('a rule sends notices to an existing topic, and the stack has no rule without `noticesTo`', () => {
  const arn = 'arn:aws:sns:eu-west-1:123456789012:pager';
  const { us, eu } = synthesize({ notices: true, 'noticesTo.eu': arn }).templates;
  expect(theOnly(eu, 'AWS::Events::Rule')).toMatchObject({ Targets: [{ Arn: arn }] });
  expect([us, eu].flatMap((template) => propertiesOf(template, 'AWS::SNS::Topic'))).toEqual([]);
  expect(propertiesOf(us, 'AWS::Events::Rule')).toEqual([]);
});

test('no function may put events without `notices`, and the sweep runs every five minutes', () => {
  const template = synthesize().templates.us;
  expect(senders(template)).toEqual([]);
  expect(schedulesOf(template)).toMatchObject([{ ScheduleExpression: 'rate(5 minutes)' }]);
  const environments = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) => Properties['Environment']);
  expect(environments.filter((one) => JSON.stringify(one ?? {}).includes('"NOTICES"'))).toEqual([]);
});
