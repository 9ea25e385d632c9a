import { expect, test } from '@jest/globals';
import { connectScheduler } from '../../shared/providers/scheduler.ts';
import { shared } from '../support/shared.ts';
import { credentials, startApiServer } from './api-server.ts';

const api = shared(startApiServer);
const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/deliveries';
const roleArn = 'arn:aws:iam::000000000000:role/scheduler';
const scheduler = () =>
  connectScheduler({ queueUrl, groupName: 'deliveries', roleArn, client: { endpoint: api.endpoint, region: 'us-east-1', credentials } });
const message = { name: 'a1b2', atMs: Date.parse('2026-03-10T09:30:00.001Z'), body: '{"v":1}', groupId: 'acct_1' };
const made = { body: { ScheduleArn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/deliveries/a1b2' } };
const failure = (status: number, name: string) => ({ status, headers: { 'x-amzn-errortype': name }, body: { Message: name } });

test('a schedule sends its message with its group, once and not before its time, and deletes itself', async () => {
  api.script(made);
  await scheduler().schedule(message);
  const [{ method, url, body } = { method: '', url: '', body: '{}' }] = api.calls;
  expect([method, url]).toEqual(['POST', '/schedules/a1b2']);
  const { Target, ...schedule } = JSON.parse(body);
  expect(schedule).toEqual({
    GroupName: 'deliveries',
    ScheduleExpression: 'at(2026-03-10T09:30:01)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    ClientToken: expect.any(String),
  });
  expect({ ...Target, Input: JSON.parse(Target.Input) }).toEqual({
    Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
    RoleArn: roleArn,
    Input: { QueueUrl: queueUrl, MessageBody: '{"v":1}', MessageGroupId: 'acct_1' },
  });
});

test('creating a schedule that already exists succeeds', async () => {
  api.script(failure(409, 'ConflictException'));
  await expect(scheduler().schedule(message)).resolves.toBeUndefined();
});

test('a throttled call is repeated', async () => {
  api.script(failure(429, 'ThrottlingException'), made);
  await scheduler().schedule(message);
  expect(api.calls).toHaveLength(2);
});

test.each([
  [400, 'ValidationException'],
  [402, 'ServiceQuotaExceededException'],
  [404, 'ResourceNotFoundException'],
])('%i %s is an error', async (status, name) => {
  api.script(failure(status, name));
  await expect(scheduler().schedule(message)).rejects.toThrow(name);
});
