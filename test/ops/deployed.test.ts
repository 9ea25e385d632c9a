import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { actIn, eventually } from '../support/journey.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Run, run, startCommand } from './command.ts';
import { type Stack, startStack } from './stack.ts';

let runtime: Runtime;
let receiver: Receiver;
let stack: Stack;
let account: string;
beforeAll(async () => {
  [runtime, receiver] = await Promise.all([startRuntime({ regions: ['us'], allowLoopbackWebhooks: true }), startReceiver()]);
  stack = await startStack(runtime, 'us');
  Object.assign(process.env, { AWS_ENDPOINT_URL: stack.url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  account = (await actIn(runtime, 'us', 'account.create', { name: 'Far away', plan: 'business' })).id;
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([runtime.stop(), receiver.stop()]);
});

const act = (action: string, input: unknown = {}) => actIn(runtime, 'us', action, input, account);
const there = (): string[] => ['--stack', '--region', 'us', '--account', account];
const errorOf = ({ code, stdout, stderr }: Run) => {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return JSON.parse(stderr).error;
};

describe('trigger on a stack', () => {
  test('asks the API at its address with a key that is revoked, and names what it leaves', async () => {
    const { code, stdout, stderr } = await run(['trigger', 'payment.refunded', ...there()]);
    const { made, ...rest } = JSON.parse(stdout);
    expect({ code, rest }).toEqual({ code: 0, rest: { event: 'payment.refunded', region: 'us', account } });
    const [{ id, revoked_at }] = (await act('key.list')).data;
    expect(revoked_at).not.toBeNull();
    expect(stderr).toBe(`Far away keeps: ${[made.order, made.payment, made.refund].join(', ')}, the revoked key ${id}.\n`);
  });

  test('is reported if its address cannot be read, with the right that it needs', async () => {
    const args = ['--stack', 'Other', '--region', 'us', '--account', account];
    expect(errorOf(await run(['trigger', 'order.created', ...args])).message).toMatch(/cloudformation:DescribeStacks failed with 400/);
  });
});

test('resend works on a stack', async () => {
  const hook = receiver.hook();
  const { id: endpoint } = await act('webhook.create', { url: hook.url, events: ['expense.created'] });
  await run(['trigger', 'expense.created', ...there()]);
  const [first] = await eventually(
    () => hook.requests,
    ({ length }) => length === 1,
  );
  const event = String(first?.headers['x-webhook-id']);
  expect(JSON.parse((await run(['resend', event, ...there()])).stdout)).toEqual({ event, resent: [endpoint], disabled: [] });
  await eventually(
    () => hook.requests,
    ({ length }) => length === 2,
  );
});

describe('tail of a stack', () => {
  test('follows its log group: every page, each line once, late ones too, and no line of anything else', async () => {
    const tail = await startCommand(['tail', ...there(), '--print-json'], /Following/);
    const log = (rid: string, timestamp: number, line: object) =>
      stack.logged.push({ timestamp, message: JSON.stringify({ rid, account, key: 'key_1', ...line }) });
    const nowMs = systemClock.now();
    log('a', nowMs, { op: 'createOrder', status: 201, ms: 7 });
    log('b', nowMs + 5, { op: 'retrieveOrder', status: 404, ms: 3, code: 'not_found' });
    log('x', nowMs + 6, { op: 'action' });
    log('z', nowMs + 7, { op: 'createOrder', status: 201, ms: 7, account: 'acct_other' });
    stack.logged.push({ timestamp: nowMs, message: 'REPORT RequestId: …' });
    await eventually(tail.lines, ({ length }) => length === 2);
    log('c', nowMs + 1, { op: 'createOrder', status: 201, ms: 1, replay: true });
    const lines = await eventually(tail.lines, ({ length }) => length === 3);
    expect(await tail.stop()).toBe(0);
    const time = new Date(nowMs).toISOString();
    const first = {
      time,
      method: 'POST',
      route: '/orders',
      status: 201,
      ms: 7,
      request_id: 'a',
      key: 'key_1',
      code: null,
      replayed: false,
    };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      first,
      expect.objectContaining({ method: 'GET', route: '/orders/{id}', status: 404, request_id: 'b', code: 'not_found' }),
      expect.objectContaining({ request_id: 'c', replayed: true }),
    ]);
    expect(stack.filters[0]).toMatchObject({
      logGroupName: '/aws/lambda/BakeryCommerce-us-api',
      filterPattern: `{ $.account = "${account}" }`,
      startTime: expect.any(Number),
    });
  });
});

test.each([
  ['no region', ['--stack'], 'region'],
  ['no account', ['--stack', '--region', 'us'], 'account'],
  ['two targets', ['--stack', '--region', 'us', '--account', 'acct_1', '--port', '4000'], 'port'],
])('%s is a rejection of all three', async (_, args, field) => {
  for (const command of [['tail'], ['trigger', 'order.created'], ['resend', 'evt_1']])
    expect(errorOf(await run([...command, ...args]))).toMatchObject({ code: 'invalid_value', field });
});
