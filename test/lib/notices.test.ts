import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { flatten, statementsOfRole } from './iam.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

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

test('no function may put events without `notices`, and the sweep runs every five minutes', () => {
  const template = synthesize().templates.us;
  expect(senders(template)).toEqual([]);
  expect(schedulesOf(template)).toMatchObject([{ ScheduleExpression: 'rate(5 minutes)' }]);
  const environments = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) => Properties['Environment']);
  expect(environments.filter((one) => JSON.stringify(one ?? {}).includes('"NOTICES"'))).toEqual([]);
});
