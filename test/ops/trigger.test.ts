import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { actIn, eventually } from '../support/journey.ts';
import { run as runCommand } from './command.ts';
import { type Listener, startListener } from './listener.ts';

let runtime: Runtime;
let listener: Listener;
beforeAll(async () => {
  runtime = await startRuntime({ regions: ['us', 'au'], seed: true, allowLoopbackWebhooks: true });
  listener = await startListener(runtime.port, '--print-json');
});
afterAll(async () => {
  await listener.stop();
  await runtime.stop();
});

const on = () => ['--port', String(runtime.port)];
const run = (...args: string[]) => runCommand(['trigger', ...args, ...on()]);
const triggered = async (...args: string[]): Promise<any> => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};
const errorOf = async (...args: string[]): Promise<any> => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return JSON.parse(stderr).error;
};
const act = (action: string, input: unknown, account?: string) => actIn(runtime, 'us', action, input, account);

test.each(eventTypes)('%s: its event arrives at a listener, about the record that was named last', async (type) => {
  const { made, ...rest } = await triggered(type);
  expect(rest).toEqual({ event: type, region: 'us', account: runtime.demo.us?.account });
  const id = Object.values(made).at(-1);
  await eventually(
    () => listener.lines().map((line) => JSON.parse(line)),
    (events) => events.some((event) => event.type === type && event.data.object.id === id),
  );
});

test('payment.refunded makes an order, its completed payment and a refund of that', async () => {
  const { made } = await triggered('payment.refunded');
  expect(Object.keys(made)).toEqual(['order', 'payment', 'refund']);
  const events = await eventually(
    () => listener.lines().map((line) => JSON.parse(line).data.object),
    (objects) => objects.some(({ id }) => id === made.refund),
  );
  expect(events.find(({ id }) => id === made.refund)).toMatchObject({ original_payment_id: made.payment, amount: 30 });
  expect(events.find(({ id }) => id === made.payment)).toMatchObject({ order_id: made.order });
});

describe('other accounts', () => {
  test('ops trigger uses the demo account of --region', async () => {
    expect(await triggered('quick_sale.created', '--region', 'au')).toMatchObject({ region: 'au', account: runtime.demo.au?.account });
  });

  test('ops trigger makes a key for an account without one, and revokes it', async () => {
    const { id: account } = await act('account.create', { name: 'Corner', plan: 'business' });
    expect(await triggered('order.created', '--account', account)).toMatchObject({ account, made: { order: expect.any(String) } });
    const [key, ...others] = (await act('key.list', {}, account)).data;
    expect([key, others]).toMatchObject([{ name: 'ops trigger', revoked_at: expect.any(String), expires_at: expect.any(String) }, []]);
    // If the command had been killed before it revoked the key, the key would expire.
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBeLessThan(6 * 60_000);
  });

  test('ops trigger works for a demo account with a revoked key', async () => {
    const account = runtime.demo.us?.account;
    const { data } = await act('key.list', {}, account);
    const { id } = data.find(({ name }: { name: string }) => name === 'Demo server key');
    await act('key.revoke', { id }, account);
    expect(await triggered('customer.created')).toMatchObject({ made: { customer: expect.any(String) } });
  });

  test('ops trigger prints an error of the API in its words', async () => {
    const { id: account } = await act('account.create', { name: 'Small', plan: 'starter' });
    expect(await errorOf('order.created', '--account', account)).toMatchObject({ code: 'plan_required' });
  });
});

describe('invalid arguments', () => {
  test.each([
    ['no type', []],
    ['an unknown type', ['order.eaten']],
    ['a type without subscribers', ['webhook.test']],
    ['two types', ['order.created', 'order.updated']],
  ])('ops trigger rejects %s and names the event type', async (_, args) => {
    expect(await errorOf(...args)).toMatchObject({ type: 'validation_error', code: 'invalid_value', field: 'event type' });
  });
});

test('ops trigger names the nearest type for a mistyped one', async () => {
  expect((await errorOf('expense.creatd')).message).toBe('"expense.creatd" is not an event type. Did you mean expense.created?');
  expect((await errorOf('something')).message).toBe('"something" is not an event type. trigger --help lists them.');
});

test('ops trigger and ops resend print text on a terminal, and JSON with --output json', async () => {
  const terminal = { columns: 80, env: { NO_COLOR: '1' } };
  const { stdout } = await runCommand(['trigger', 'expense.created', ...on()], terminal);
  expect(stdout).toMatch(/^event +expense\.created\nregion +us\naccount +acct_\w+\nmade\n {2}expense +exp_\w+\n$/);
  const made = /exp_\w+/.exec(stdout)?.[0];
  const [event] = await eventually(
    () =>
      listener
        .lines()
        .map((line) => JSON.parse(line))
        .filter(({ data }) => data.object.id === made),
    ({ length }) => length > 0,
  );
  const resent = await runCommand(['resend', event.id, ...on()], terminal);
  expect(resent.stdout).toMatch(/^event +evt_\w+\nresent +whe_\w+\ndisabled +none\n$/);
  const json = await runCommand(['trigger', 'expense.created', '--output', 'json', ...on()], terminal);
  expect(JSON.parse(json.stdout)).toMatchObject({ event: 'expense.created', made: { expense: expect.stringMatching(/^exp_/) } });
});

test('ops trigger --help lists the types', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  for (const type of eventTypes) expect(stdout).toContain(`  ${type}\n`);
});
