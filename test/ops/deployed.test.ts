import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ActionCall } from '../../local/region.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { actIn, eventually } from '../support/journey.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { errorOf, run, startCommand } from './command.ts';
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

describe('trigger on a stack', () => {
  test("ops trigger calls a stack's API with a key that it revokes, and names the records that it leaves", async () => {
    const { code, stdout, stderr } = await run(['trigger', 'payment.refunded', ...there()]);
    const { made, ...rest } = JSON.parse(stdout);
    expect({ code, rest }).toEqual({ code: 0, rest: { event: 'payment.refunded', region: 'us', account } });
    const [{ id, revoked_at }] = (await act('key.list')).data;
    expect(revoked_at).not.toBeNull();
    expect(stderr).toBe(`Far away keeps: ${[made.order, made.payment, made.refund].join(', ')}, the revoked key ${id}.\n`);
  });

  test('ops trigger reports the missing right if it cannot read the address of a stack', async () => {
    const args = ['--stack', 'Other', '--region', 'us', '--account', account];
    expect(errorOf(await run(['trigger', 'order.created', ...args])).message).toMatch(/cloudformation:DescribeStacks failed with 400/);
  });
});

test('ops resend works on a stack', async () => {
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

test('ops tail follows a stack by request.list: it shows late requests, and each request once', async () => {
  const searched: object[] = [];
  const entries: object[] = [];
  const nowMs = systemClock.now();
  const page = (call: ActionCall) => {
    if (call.action !== 'request.list') return undefined;
    searched.push(call.input as object);
    const found = 'since' in (call.input as object) ? [...entries].reverse() : [];
    const result = { data: found, pagination: { has_more: false, next_cursor: null }, searched_until: new Date(nowMs).toISOString() };
    return { ok: true, result };
  };
  const quiet = await startStack(runtime, 'us', { instead: page });
  Object.assign(process.env, { AWS_ENDPOINT_URL: quiet.url });
  const entry = (request_id: string, timeMs: number) => ({
    ...{ time: new Date(timeMs).toISOString(), method: 'POST', route: '/orders', status: 201, error_code: null, duration_ms: 7 },
    ...{ key_id: 'key_1', key_name: 'Server', request_id },
  });
  try {
    entries.push(entry('a', nowMs), entry('c', nowMs + 5));
    const tail = await startCommand(['tail', ...there(), '--print-json'], /Following/);
    await eventually(tail.lines, ({ length }) => length === 2);
    entries.splice(1, 0, entry('b', nowMs + 1));
    const lines = await eventually(tail.lines, ({ length }) => length === 3);
    expect(await tail.stop()).toBe(0);
    expect(lines.map((line) => JSON.parse(line))).toEqual([entry('a', nowMs), entry('c', nowMs + 5), entry('b', nowMs + 1)]);
    expect(searched.slice(0, 2)).toEqual([{ limit: 1 }, { limit: 100, since: new Date(nowMs).toISOString() }]);
  } finally {
    await quiet.stop();
    Object.assign(process.env, { AWS_ENDPOINT_URL: stack.url });
  }
});

test.each([
  ['no region', ['--stack'], 'region'],
  ['no account', ['--stack', '--region', 'us'], 'account'],
  ['two targets', ['--stack', '--region', 'us', '--account', 'acct_1', '--port', '4000'], 'port'],
])('%s is a rejection of all three', async (_, args, field) => {
  for (const command of [['tail'], ['trigger', 'order.created'], ['resend', 'evt_1']])
    expect(errorOf(await run([...command, ...args]))).toMatchObject({ code: 'invalid_value', field });
});
