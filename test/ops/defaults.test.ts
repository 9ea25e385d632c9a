import { expect, test } from '@jest/globals';
import { startRuntime } from '../../local/runtime.ts';
import { shared } from '../support/shared.ts';
import { errorOf, run } from './command.ts';

const runtime = shared(() => startRuntime({ regions: ['us', 'eu'], seed: true }));
const ops = async (...args: string[]) => {
  const { code, stdout, stderr } = await run([...args, '--port', String(runtime.port)]);
  return { code, stderr, result: code === 0 ? JSON.parse(stdout) : undefined, error: code === 0 ? undefined : JSON.parse(stderr).error };
};
const demo = (region: 'us' | 'eu') => runtime.demo[region]?.account;

test.each([
  ['no option', [], 'us'],
  ['--region', ['--region', 'eu'], 'eu'],
] as const)('with %s, an action that only reads takes the first demo account and says so on stderr', async (_, args, region) => {
  const { result, stderr } = await ops('account.get', ...args);
  expect(result.id).toBe(demo(region));
  expect(stderr).toContain(`The account is ${demo(region)}`);
});

test('an action that only reads finds the region of --account, or of the id in its input', async () => {
  expect((await ops('account.get', '--account', String(demo('eu')))).result).toMatchObject({ id: demo('eu'), region: 'eu' });
  expect((await ops('account.get', '--json', JSON.stringify({ id: demo('eu') }))).result).toMatchObject({ region: 'eu' });
  expect((await ops('account.get', '--account', 'acct_none')).error).toMatchObject({ code: 'not_found' });
});

test('an action that only reads names the region in which it found --account', async () => {
  const { stderr } = await ops('account.get', '--account', String(demo('eu')));
  expect(stderr).toBe('The account is in region eu.\n');
});

test('an action on a region that only reads takes the first region', async () => {
  expect(await ops('queue.status')).toMatchObject({ code: 0, stderr: expect.stringContaining('The region is us') });
});

test.each([
  ['a region', ['key.create', '--json', '{"type":"secret"}'], 'region'],
  ['a region, although the action is on no account', ['queue.redrive', '--json', '{"queue":"delivery-dead-letters"}'], 'region'],
  ['an account', ['key.create', '--region', 'us', '--json', '{"type":"secret"}'], 'account'],
  ['a region', ['resend', 'evt_1'], 'region'],
  ['an account', ['resend', 'evt_1', '--region', 'us'], 'account'],
] as const)('what changes records needs %s: %j names the option and how to find its value', async (_, args, field) => {
  const { error } = await ops(...args);
  expect(error).toMatchObject({ code: 'invalid_value', field, message: expect.stringContaining(`--${field}`) });
  expect(error.message).toContain('npm start prints');
});

test.each([
  [['key.create', '--json', '{"type":"secret"}'], () => `--region us --account ${demo('us')}.`],
  [['key.create', '--region', 'eu', '--json', '{"type":"secret"}'], () => `Backstube am Markt has --account ${demo('eu')}.`],
  [['resend', 'evt_1'], () => `--region us --account ${demo('us')}.`],
] as const)('%j names the options of a demo account that can be added', async (args, options) => {
  expect((await ops(...args)).error.message).toContain(options());
});

test.each([
  [['resend', 'evt_1', '--stack'], 'region', 'Name the --region of the stack'],
  [['resend', 'evt_1', '--stack', '--region', 'us'], 'account', 'A deployed stack has no demo account'],
  [['account.create', '--json', '{}'], 'region', 'account.create changes records. Name --region: npm start prints the regions that run.'],
  [['prepare', '--table', 'x'], 'region', 'Name the --region: us, au or eu.'],
  [['key.list', '--port'], 'port', '--port needs a value.'],
  [['key.list', '--region', '--port', '4000'], 'region', '--region needs a value.'],
  [['key.list', '--help=3'], 'help', '--help takes no value.'],
  [['tail', '--zebra'], 'zebra', 'bakery-ops tail --help lists the options.'],
])('ops rejects %j by %s with: %s', async (args, field, message) => {
  expect(errorOf(await run(args))).toMatchObject({ code: 'invalid_value', field, message: expect.stringContaining(message) });
});

test('on a terminal, a rejected input names the help of its action', async () => {
  const args = ['delivery.list', '--port', String(runtime.port)];
  const { stderr } = await run(args, { columns: 200, env: { NO_COLOR: '1' } });
  expect(stderr).toBe('Error: endpoint_id is required. bakery-ops delivery.list --help shows the input.\n');
});

test('an error of a call on the account that was taken is alone on stderr', async () => {
  expect((await ops('delivery.get', '--json', '{"endpoint_id":"whe_none","event_id":"evt_none"}')).error).toMatchObject({
    code: 'not_found',
  });
});
