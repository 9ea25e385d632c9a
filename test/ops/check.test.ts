import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, startEngine } from '../../local/engine/dynamodb.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { check } from '../../ops/check.ts';
import { linkNames } from '../../ops/check-links.ts';
import { type CheckTimes, checkTimes } from '../../ops/check-time.ts';
import { propertiesOf, synthesize } from '../lib/synthesize.ts';
import { eventually } from '../support/journey.ts';
import { createMeter, deployedFilters } from '../support/metric-filters.ts';
import { allItems } from '../support/person.ts';
import { run, startCommand } from './command.ts';
import { type Fault, type Front, type FrontRequest, startFront } from './front.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

let engine: Engine;
let runtime: Runtime;
let front: Front;
let stack: Stack | undefined;
const logged: Record<string, any>[] = [];

beforeAll(async () => {
  engine = await startEngine();
  const locate = () => ({ kind: 'endpoint', url: engine.client.endpoint }) as const;
  const log = (line: object) => void logged.push(line);
  // A retry that was arranged falls due after 3 s.
  runtime = await startRuntime({ regions: ['us'], allowLoopbackWebhooks: true, timeScale: 100, locate, log });
  front = await startFront(runtime.urls.us);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
});
beforeEach(() => {
  front.fault = () => undefined;
  logged.length = 0;
});
afterEach(() => stack?.stop());
afterAll(async () => {
  front.stop();
  await runtime.stop();
  await engine.stop();
});

const useStack = async (options: StackOptions = {}): Promise<string[]> => {
  stack = await startStack(runtime, 'us', { apiUrl: front.url, ...options });
  process.env['AWS_ENDPOINT_URL'] = stack.url;
  return ['--stack', 'BakeryCommerce-us'];
};

interface Checked {
  readonly code: number;
  readonly links: readonly string[];
  readonly stdout: string;
  /** Of the error; empty if there is none. */
  readonly message: string;
  /** The accounts that were opened. */
  readonly accounts: readonly string[];
}

const checkedOf = (code: number, stdout: string, stderr: string): Checked => {
  const [, error] = /^(\{.*)/ms.exec(stderr) ?? [];
  return {
    code,
    links: [...stdout.matchAll(/^(\w+) +ok {2}/gm)].map(([, name = '']) => name),
    stdout,
    message: error === undefined ? '' : JSON.parse(error).error.message,
    accounts: [...stderr.matchAll(/^The account (acct_\w+) is erased at the end\.$/gm)].map(([, id = '']) => id),
  };
};

/** Runs until it ends by itself. */
const runCheck = async (...args: string[]): Promise<Checked> => {
  const running = await startCommand(['check', ...args], /(?!)/);
  return checkedOf(await running.ended, running.lines().join('\n'), running.stderr());
};

/** Everything that the region's table holds; rate buckets, which are gone after a minute, are in another one. */
const keysLeft = async (): Promise<string[]> => {
  const tables = { tableName: 'bakery-us', bucketsTableName: 'bakery-us' };
  return [...new Set((await allItems({ engine, tables } as never)).map(({ key }) => key))].filter((key) => !key.startsWith('hbt#')).sort();
};

/** Of each account the tombstone and the mark are left, and of all checks nothing else. */
const expectErased = async (accounts: readonly string[], count = 1): Promise<void> => {
  expect(accounts).toHaveLength(count);
  const keys = await keysLeft();
  for (const account of accounts) {
    expect(keys.filter((key) => key.includes(account))).toEqual([`acc#${account} account`, `era#${account} *`]);
    expect(await runtime.invokeAction('us', { action: 'account.get', account })).toMatchObject({ result: { status: 'closed', name: '' } });
  }
  expect(keys.filter((key) => !/^(acc#acct_\w+ account|era#acct_\w+ \*)$/.test(key))).toEqual([]);
};

const section = 'See docs/runbook.md#a-check-of-a-stack-fails.';

describe('a check of a service that works', () => {
  test.each([
    ['the local service', async () => ['--port', String(runtime.port)]],
    ['a stack', useStack],
  ])('of %s proves each link in order, and erases its account', async (_, place) => {
    const { code, links, message, accounts } = await runCheck(...(await place()));
    expect({ code, links, message }).toEqual({ code: 0, links: [...linkNames], message: '' });
    await expectErased(accounts);
  });

  test('opens an account whose name tells what it is, and writes one expense', async () => {
    const names: unknown[] = [];
    const place = await useStack({ instead: ({ action, input }) => void (action === 'account.create' && names.push(input)) });
    const { stdout } = await runCheck(...place);
    expect(names).toEqual([{ name: 'Temporary: ops check', plan: 'business' }]);
    expect(stdout).toContain('"Temporary: ops check"');
    const written = logged.filter(({ op, status }) => op === 'createExpense' && status === 201);
    expect(written.map(({ replay }) => replay)).toEqual([undefined, true]);
  });

  test('fires no alarm, also when the retry that was arranged falls due after the erasure', async () => {
    const { accounts } = await runCheck('--port', String(runtime.port));
    await eventually(
      () => logged,
      (lines) => lines.some(({ account, abandoned }) => account === accounts[0] && abandoned === 1),
    );
    const { us } = synthesize().templates;
    const alarmed = propertiesOf(us, 'AWS::CloudWatch::Alarm').flatMap(({ MetricName, Namespace }) =>
      Namespace === 'BakeryCommerce-us' ? [String(MetricName)] : [],
    );
    expect(alarmed.length).toBeGreaterThan(0);
    const meter = createMeter(deployedFilters(us));
    for (const source of ['expenses', 'webhooks', 'fallback', 'actions', 'fan-out', 'deliver', 'checkout-page', 'sweep'])
      meter.observe(source, logged);
    expect(meter.observed).toContain('Attempts/pending');
    expect([...meter.observed].filter((name) => alarmed.includes(name.split('/')[0] ?? ''))).toEqual([]);
    // Alarms on what AWS counts: server errors, crashes, and messages or changes that come back or are set aside.
    const bad = ({ status, message, retry, unreadable, parked }: Record<string, any>) =>
      Number(status) >= 500 || [message, retry, unreadable, parked].some((one) => one !== undefined);
    expect(logged.filter(bad)).toEqual([]);
    await expectErased(accounts);
  });
});

describe('a broken link is named first, and the account is erased', () => {
  const isPost = (path: string) => (request: FrontRequest) => request.method === 'POST' && request.path === `/api/v2${path}`;
  const isGet = (pattern: RegExp) => (request: FrontRequest) => request.method === 'GET' && pattern.test(request.path);
  const withoutKey = (request: FrontRequest): Fault => {
    const { 'idempotency-key': _, ...headers } = request.headers;
    return { ...request, headers };
  };
  const when =
    (matches: (request: FrontRequest) => boolean, fault: Fault | ((request: FrontRequest) => Fault)) => (request: FrontRequest) => {
      if (!matches(request)) return undefined;
      return typeof fault === 'function' ? fault(request) : fault;
    };

  test.each([
    ['the registration of a webhook fails', when(isPost('/webhooks'), 500), /^Webhook: POST \/webhooks was answered with 500 /],
    ['a write fails', when(isPost('/expenses'), 500), /^Write: POST \/expenses was answered with 500 /],
    ['an Idempotency-Key is lost', when(isPost('/expenses'), withoutKey), /^Replay: the second POST .* wrote another expense, exp_\w+\. /],
    ['a read finds nothing', when(isGet(/\/expenses\/exp_/), 404), /^Read: GET \/expenses\/exp_\w+ was answered with 404 /],
    ['the log cannot be read', when(isGet(/\/events/), 403), /^Delivery: GET \/webhooks\/\{id\}\/events was answered with 403 /],
    [
      'the unknown path returns 200',
      when(({ path }) => path.startsWith('/ops-check/'), 200),
      /^Delivery: the delivery to the stack's own address ended with 200 \(delivered\) instead of 404\. /,
    ],
  ] as const)('%s', async (_, fault, expected) => {
    front.fault = fault;
    const { code, message, accounts } = await runCheck(...(await useStack()));
    expect({ code, message }).toEqual({ code: 1, message: expect.stringMatching(expected) });
    expect(message).toContain(section);
    await expectErased(accounts);
  });

  test('nothing answers at the address of the stack', async () => {
    const gone = await startFront(runtime.urls.us);
    gone.stop();
    const { code, links, message, accounts } = await runCheck(...(await useStack({ apiUrl: gone.url })));
    expect({ code, links }).toEqual({ code: 1, links: ['Address', 'Actions'] });
    expect(message).toMatch(new RegExp(`^Webhook: POST /webhooks failed: No whole answer came from ${gone.url}/api/v2`));
    await expectErased(accounts);
  });

  test('the key cannot be made', async () => {
    const refusal = { ok: false, status: 500, body: { error: { type: 'api_error', code: 'internal_error', message: 'Broken.' } } };
    const place = await useStack({ instead: ({ action }) => (action === 'key.create' ? refusal : undefined) });
    const { code, links, message, accounts } = await runCheck(...place);
    expect({ code, links, message }).toEqual({ code: 1, links: ['Address'], message: `Actions: key.create failed: Broken. ${section}` });
    await expectErased(accounts);
  });

  test('the answer that names the account is lost: its token finds it, and it is erased', async () => {
    let asked = 0;
    const place = await useStack({
      instead: (call) =>
        call.action === 'account.create' && ++asked === 1 ? runtime.invokeAction('us', call).then(() => ({})) : undefined,
    });
    const { code, message, accounts } = await runCheck(...place);
    expect({ code, asked, message }).toEqual({ code: 1, asked: 2, message: expect.stringMatching(/^Actions: account\.create failed: /) });
    await expectErased(accounts);
  });

  test('the stack does not exist', async () => {
    await useStack();
    const { code, message, accounts } = await runCheck('--stack', 'Other-us');
    expect({ code, accounts }).toEqual({ code: 1, accounts: [] });
    expect(message).toMatch(/^Address: the look-up failed: cloudformation:DescribeStacks was refused with 400/);
  });

  test('the account cannot be erased: the command to erase it is in the error', async () => {
    const refusal = { ok: false, status: 500, body: { error: { type: 'api_error', code: 'internal_error', message: 'Broken.' } } };
    const place = await useStack({ instead: ({ action }) => (action === 'account.erase' ? refusal : undefined) });
    const { code, links, message, accounts } = await runCheck(...place);
    expect({ code, links }).toEqual({ code: 1, links: linkNames.filter((name) => name !== 'Erasure') });
    const args = ['account.erase', '--region', 'us', '--stack', 'BakeryCommerce-us', '--account', String(accounts[0])];
    expect(message).toBe(
      `Erasure: the account ${accounts[0]} could not be erased: Broken. Erase it: npm run --silent ops -- ${args.join(' ')}. ${section}`,
    );
    front.fault = when(isPost('/expenses'), 500);
    const both = await runCheck(...place);
    expect(both.message).toMatch(/^Write: .* Also, the account acct_\w+ could not be erased: Broken\. Erase it: npm run /);
    stack?.stop();
    await useStack();
    for (const account of [...accounts, ...both.accounts])
      expect(await run(args.with(-1, account).filter((arg) => arg !== '--silent'))).toMatchObject({ code: 0 });
    await expectErased([...accounts, ...both.accounts], 2);
  });
});

describe('a check ends in time', () => {
  /** To its end, in less time than an operator has. */
  const checkIn = async (times: Partial<CheckTimes>, ...args: string[]): Promise<Checked> => {
    let [stdout, stderr, message] = ['', '', ''];
    const terminal = {
      env: {},
      stdin: (async function* () {})(),
      stdout: (text: string) => {
        stdout += text;
      },
      stderr: (text: string) => {
        stderr += text;
      },
    };
    const never = () => ({ asked: new Promise<void>(() => {}), release: () => {} });
    try {
      await check(args, terminal, never, { ...checkTimes, ...times });
    } catch (error) {
      message = (error as Error).message;
    }
    return { ...checkedOf(message === '' ? 0 : 1, stdout, stderr), message };
  };

  test('takes two minutes at most, of which the erasure has thirty seconds', () => {
    expect(checkTimes).toMatchObject({ totalMs: 120_000, eraseMs: 30_000, deliveryMs: 60_000 });
  });

  test.each([
    [
      'the change never becomes an event',
      ({ path, ...request }: FrontRequest) =>
        path === '/api/v2/webhooks' ? { ...request, path, body: request.body.replace('expense.created', 'order.deleted') } : undefined,
      { deliveryMs: 1_000 },
      "Delivery: the endpoint's delivery record does not exist after 1 s",
    ],
    [
      'the delivery is never attempted',
      ({ path }: FrontRequest) => (path.startsWith('/ops-check/') ? 'hang' : undefined),
      { deliveryMs: 1_000 },
      'Delivery: the delivery has had no attempt after 1 s',
    ],
    [
      'a request is never answered',
      ({ path }: FrontRequest) => (path === '/api/v2/expenses' ? 'hang' : undefined),
      { callMs: 1_000 },
      'Write: POST /expenses has no answer after 1 s',
    ],
    [
      'the time of all links is over',
      ({ path }: FrontRequest) => (path === '/api/v2/expenses' ? 'hang' : undefined),
      { totalMs: 32_000 },
      'Write: the 2 s for all links are over',
    ],
  ] as const)('%s: the link is named and the account is erased', async (_, fault, times, expected) => {
    front.fault = fault as Front['fault'];
    const { message, accounts } = await checkIn(times, ...(await useStack()));
    expect(message).toBe(`${expected}. ${section}`);
    await expectErased(accounts);
  });

  test('^C ends it: the account is erased', async () => {
    let hangs = false;
    front.fault = ({ path }) => {
      hangs ||= path === '/api/v2/expenses';
      return hangs ? 'hang' : undefined;
    };
    const running = await startCommand(['check', ...(await useStack())], /is erased at the end/);
    await eventually(
      () => hangs,
      (one) => one,
    );
    const { code, message, accounts } = checkedOf(await running.stop(), running.lines().join('\n'), running.stderr());
    expect({ code, message }).toEqual({ code: 1, message: `Write: the check was stopped. ${section}` });
    await expectErased(accounts);
  });
});

test('a local service without --allow-loopback-webhooks is one sentence that names the option', async () => {
  const strict = await startRuntime({ regions: ['us'] });
  try {
    const { code, message, accounts } = await runCheck('--port', String(strict.port));
    expect({ code, message }).toEqual({
      code: 1,
      message:
        'The local service delivers to public https:// addresses only; stop it and start it with: npm start -- --allow-loopback-webhooks',
    });
    const answer = await strict.invokeAction('us', { action: 'account.get', account: accounts[0] ?? '' });
    expect(answer).toMatchObject({ result: { status: 'closed', name: '' } });
  } finally {
    await strict.stop();
  }
});

describe('bad usage', () => {
  test.each([
    ['a stack whose name does not end with a region', ['--stack', 'Mine'], 'region'],
    ['a bare --stack', ['--stack'], 'region'],
    ['an unknown region', ['--region', 'mars'], 'region'],
    ['an account', ['--account', 'acct_1'], 'account'],
    ['two targets', ['--stack', 'BakeryCommerce-us', '--port', '4000'], 'port'],
    ['a word', ['us'], 'check'],
  ])('%s is rejected before anything is opened', async (_, args, field) => {
    const { code, stdout, stderr } = await run(['check', ...args]);
    expect({ code, stdout, error: JSON.parse(stderr).error }).toMatchObject({
      code: 1,
      stdout: '',
      error: { code: 'invalid_value', field },
    });
  });
});

test('--help says what it does', async () => {
  const { code, stdout } = await run(['check', '--help']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Temporary: ops check') });
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

test('the runbook has a row for each link, under the heading that errors name', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const [, text = ''] = /^### A check of a stack fails\n(.*?)^### /ms.exec(runbook) ?? [];
  expect([...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual([...linkNames]);
});
