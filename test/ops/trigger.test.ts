import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { actIn, eventually } from '../support/journey.ts';
import { errorOf, run as runCommand } from './command.ts';
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
  expect({ code, stderr }).toEqual({ code: 0, stderr: args.includes('--account') ? '' : expect.stringContaining('The account is') });
  return JSON.parse(stdout);
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
    expect(errorOf(await run('order.created', '--account', account))).toMatchObject({ code: 'plan_required' });
  });
});

describe('invalid arguments', () => {
  test.each([
    ['no type', []],
    ['an unknown type', ['order.eaten']],
    ['a type without subscribers', ['webhook.test']],
    ['two types', ['order.created', 'order.updated']],
  ])('ops trigger rejects %s and names the event type', async (_, args) => {
    expect(errorOf(await run(...args))).toMatchObject({ type: 'validation_error', code: 'invalid_value', field: 'event type' });
  });
});

test('ops trigger names the nearest type for a mistyped one', async () => {
  expect(errorOf(await run('expense.creatd')).message).toBe('"expense.creatd" is not an event type. Did you mean expense.created?');
  expect(errorOf(await run('something')).message).toBe('"something" is not an event type. trigger --help lists them.');
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
  const resent = await runCommand(['resend', event.id, ...on(), '--region', 'us', '--account', String(runtime.demo.us?.account)], terminal);
  expect(resent.stdout).toMatch(/^event +evt_\w+\nresent +whe_\w+\ndisabled +none\n$/);
  const json = await runCommand(['trigger', 'expense.created', '--output', 'json', ...on()], terminal);
  expect(JSON.parse(json.stdout)).toMatchObject({ event: 'expense.created', made: { expense: expect.stringMatching(/^exp_/) } });
});

describe('--json', () => {
  const eventOf = async (type: string, id: string) => {
    const events = () => listener.lines().map((line) => JSON.parse(line));
    const find = () => events().find((event) => event.type === type && event.data.object.id === id);
    return (await eventually(find, (event) => event !== undefined)).data.object;
  };
  const triggeredWith = async (type: string, json: unknown) => {
    const { made } = await triggered(type, '--json', JSON.stringify(json));
    return eventOf(type, String(Object.values(made).at(-1)));
  };

  test.each(eventTypes)("%s: the fields of the help's sample are in the delivered event", async (type) => {
    const { stdout } = await run('--help');
    const sample = new RegExp(`^  ${type} +({.+})$`, 'm').exec(stdout)?.[1] ?? '';
    expect(await triggeredWith(type, JSON.parse(sample))).toMatchObject(JSON.parse(sample));
  });

  test('ops trigger merges an object at every depth, and an object with an id replaces the object of the sample', async () => {
    const { made } = await triggered('customer.created', '--json', '{"last_name":"Berg","address":{"city":"Graz"}}');
    const named = await triggeredWith('order.created', { customer: { last_name: 'Berg' } });
    expect(named).toMatchObject({ customer_name: 'Jonas Berg', customer_email: 'jonas@example.com' });
    expect(await triggeredWith('order.created', { customer: { id: made.customer } })).toMatchObject({ customer_id: made.customer });
  });

  test('a field that the changing write does not take is part of the record that is changed', async () => {
    const fields = { status: 'cancelled', discount: 2 };
    expect(await triggeredWith('order.status_changed', fields)).toMatchObject(fields);
  });

  test('a payment with an order_id belongs to that order, and no other order is made', async () => {
    const { made } = await triggered('order.created');
    const { made: more } = await triggered('payment.created', '--json', JSON.stringify({ order_id: made.order }));
    expect(Object.keys(more)).toEqual(['payment']);
    expect(await eventOf('payment.created', more.payment)).toMatchObject({ order_id: made.order });
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFF{"location":"Zürich"}', 'utf16le')],
    ['UTF-8 with a byte order mark', '\uFEFF{"location":"Zürich"}'],
  ])('--json - reads %s', async (_, stdin) => {
    const { stdout } = await runCommand(['trigger', 'quick_sale.created', '--json', '-', ...on()], { stdin });
    expect(await eventOf('quick_sale.created', JSON.parse(stdout).made.quick_sale)).toMatchObject({ location: 'Zürich' });
  });

  test.each([
    ['expense.created', { amuont: 1 }, 'amuont', 'amuont is not a field of expense.created. Did you mean amount?'],
    ['order.created', { items: [{ nmae: 'x' }] }, 'items.0.nmae', 'items.0.nmae is not a field of order.created. Did you mean name?'],
    ['order.created', { total: 5 }, 'total', 'total is not a field of order.created. trigger order.created --help lists the fields.'],
    ['order.created', { customer: { idd: 'x' } }, 'customer.idd', 'customer.idd is not a field of order.created. Did you mean id?'],
    ['expense.updated', { id: 'exp_1' }, 'id', 'trigger sets id of expense.updated. Leave it out.'],
    ['payment.completed', { status: 'failed' }, 'status', 'trigger sets status of payment.completed. Leave it out.'],
    ['payment.refunded', { status: 'failed' }, 'status', 'trigger sets status of payment.refunded. Leave it out.'],
    ['inventory.low', [], 'json', '--json must be an object.'],
    ['inventory.low', null, 'json', '--json must be an object.'],
  ])('%s with %j is rejected before any call, with the name of the field', async (type, json, field, message) => {
    // No service listens on this port.
    const error = errorOf(await runCommand(['trigger', type, '--json', JSON.stringify(json), '--port', '1']));
    expect(error).toMatchObject({ code: 'invalid_value', field, message });
  });

  test('a value that the service rejects is named in its words', async () => {
    expect(errorOf(await run('expense.created', '--json', '{"amount":-1}'))).toMatchObject({ code: 'invalid_value', field: 'amount' });
  });

  test('ops trigger TYPE --help lists the fields of the type', async () => {
    const { stdout } = await run('order.status_changed', '--help');
    expect(stdout).toMatch(/^ {2}items, status, payment_status, .*metadata/ms);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
