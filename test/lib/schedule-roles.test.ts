import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { connectScheduler } from '../../shared/providers/scheduler.ts';
import { type ApiServer, credentials, startApiServer } from '../providers/api-server.ts';
import { flatten, rightsOf, statementsOfRole } from './iam.ts';
import { resourcesOf, synthesize, theOnly } from './synthesize.ts';

let template: Template;
let api: ApiServer;
beforeAll(async () => {
  template = synthesize().templates.us;
  api = await startApiServer();
});
afterAll(() => api.stop());

interface Target {
  readonly Arn: string;
  readonly RoleArn: string;
  readonly Input: string;
}

const rightsOfRole = (arn: string): string[] => rightsOf(statementsOfRole(template, arn.replace(/^<(\w+)\.Arn>$/, '$1'))).sort();

/** Environment of deliver, as the template sets it. */
const deliver = (): Record<string, string> => {
  const { Environment } = theOnly(template, 'AWS::Lambda::Function', ({ FunctionName }) => FunctionName === 'BakeryCommerce-us-deliver');
  const { Variables } = Environment as { Variables: Record<string, unknown> };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, flatten(value)]));
};

test("the role of deliver's schedules allows exactly the call of their target", async () => {
  const { DELIVERY_QUEUE_URL: queueUrl = '', SCHEDULE_GROUP: groupName = '', SCHEDULER_ROLE_ARN: roleArn = '' } = deliver();
  api.script({ body: { ScheduleArn: 'arn' } });
  const client = { endpoint: api.endpoint, region: 'us-east-1', credentials };
  await connectScheduler({ queueUrl, groupName, roleArn, client }).schedule({ name: 'a', atMs: 0, body: '{}', groupId: 'acct_1' });
  const { Target } = JSON.parse(api.calls[0]?.body ?? '') as { Target: Target };
  // A universal target: Scheduler makes this SDK call with the role.
  const [, service, operation = ''] = /^arn:aws:scheduler:::aws-sdk:(\w+):(\w+)$/.exec(Target.Arn) ?? [];
  const { QueueUrl } = JSON.parse(Target.Input) as { QueueUrl: string };
  const action = `${service}:${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  expect(rightsOfRole(Target.RoleArn)).toEqual([`${action} ${QueueUrl.replace('>', '.Arn>')}`]);
});

test('the role of the sweep’s schedule may only invoke the sweep and send to its dead-letter queue', () => {
  const { Target } = theOnly(template, 'AWS::Scheduler::Schedule') as {
    Target: Target & { readonly DeadLetterConfig: { readonly Arn: unknown } };
  };
  expect(rightsOfRole(flatten(Target.RoleArn))).toEqual(
    [`lambda:InvokeFunction ${flatten(Target.Arn)}`, `sqs:SendMessage ${flatten(Target.DeadLetterConfig.Arn)}`].sort(),
  );
});

test('every role belongs to a function or a schedule', () => {
  const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) => flatten(Properties['Role']));
  const { RoleArn } = theOnly(template, 'AWS::Scheduler::Schedule')['Target'] as { RoleArn: unknown };
  const known = new Set([...functions, flatten(RoleArn), deliver()['SCHEDULER_ROLE_ARN']]);
  const roles = Object.keys(resourcesOf(template, 'AWS::IAM::Role')).map((id) => `<${id}.Arn>`);
  expect(roles.filter((role) => !known.has(role))).toEqual([]);
  // None has managed or inline policies in addition.
  for (const { Properties } of Object.values(resourcesOf(template, 'AWS::IAM::Role'))) {
    expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(Properties).not.toHaveProperty('Policies');
  }
});
