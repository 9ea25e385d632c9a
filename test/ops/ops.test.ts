import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOwnEndpoints } from '../../local/gateway/own-endpoints.ts';
import { type Dashboard, startDashboard } from '../actions/dashboard.ts';
import { readyCalls } from '../actions/every-action.ts';
import { allItems } from '../support/person.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { serve } from '../support/serve.ts';
import { errorOf, type Run, run } from './command.ts';

let dashboard: Dashboard;
let receiver: Receiver;
let account: string;
let local: Server;
beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  account = await dashboard.openAccount();
  const { handle } = createOwnEndpoints({
    regions: ['us'],
    isReady: async () => true,
    invokeAction: (_region, call) => dashboard.call(call),
    localRegions: async () => [{ region: 'us', url: '', demo: null }],
  });
  local = createServer((request, response) => void handle(request.url ?? '', request, response, 'us')).listen(0, '127.0.0.1');
  await once(local, 'listening');
});
afterAll(async () => {
  local.close();
  local.closeAllConnections();
  await Promise.all([dashboard.stop(), receiver.stop()]);
});

const port = (): string => String((local.address() as AddressInfo).port);
const here = (): string[] => ['--region', 'us', '--port', port()];
const resultOf = ({ code, stdout, stderr }: Run): unknown => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('the local service', () => {
  test('ops prints the result as one JSON document on stdout', async () => {
    expect(resultOf(await run(['account.get', ...here(), '--account', account]))).toMatchObject({ id: account, name: 'Crumb' });
  });

  test('ops takes input in UTF-8 and UTF-16 unchanged from a file and from standard input', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ops-'));
    try {
      const file = join(folder, 'input.json');
      const json = JSON.stringify({ id: account, name: 'Früh & 🍞' });
      const marked = Buffer.from(`\uFEFF${json}\n`, 'utf16le');
      const texts = [Buffer.from(json), Buffer.from(`\uFEFF${json}`), marked, Buffer.from(marked).swap16()];
      const sources = texts.flatMap((text) => [`@${file}`, '-'].map((source) => ({ source, text })));
      for (const { source, text } of [{ source: json, text: '' }, { source: `\uFEFF${json}`, text: '' }, ...sources]) {
        await writeFile(file, text);
        const result = resultOf(await run(['account.update', ...here(), '--json', source], { stdin: text }));
        expect(result).toMatchObject({ id: account, name: 'Früh & 🍞' });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    ['settings.put', { payment_method: [] }, 'payment_method', 'Did you mean payment_methods?'],
    ['quick_sale.create', { items: [{ name: 'Bun' }, { name: 'Bun', quantiy: 2 }] }, 'items.1.quantiy', 'Did you mean quantity?'],
    [
      'settings.update',
      { checkout: { gateway: 'stripe', branding: { acent: '#fff' } } },
      'checkout.branding.acent',
      'Did you mean accent?',
    ],
    ['order.update', { id: 'ord_1', wholly: 1 }, 'wholly', 'bakery-ops order.update --help lists the fields.'],
    ['key.list', { page: 1 }, 'page', 'bakery-ops key.list --help lists the fields.'],
  ])('ops %s checks the names in %j before it calls, and suggests the nearest', async (action, input, field, hint) => {
    // No service listens at port 1.
    const rejected = await run([action, '--region', 'us', '--port', '1', '--account', account, '--json', JSON.stringify(input)]);
    expect(errorOf(rejected)).toEqual({
      type: 'validation_error',
      code: 'invalid_value',
      message: `${field} is not a field of ${action}. ${hint}`,
      field,
    });
  });

  test('ops passes free-form fields on, also those of old forms', async () => {
    const settings = { blocked_dates: [{ date: '2026-12-25', colour: { name: 'red' } }] };
    expect(resultOf(await run(['settings.update', ...here(), '--account', account, '--json', JSON.stringify(settings)]))).toEqual(settings);
  });

  test("ops prints a rejection as the standard envelope on stderr, in the service's words", async () => {
    const rejected = await run(['key.create', ...here(), '--account', account, '--json', '{"type":"public"}']);
    expect(errorOf(rejected)).toEqual({
      type: 'validation_error',
      code: 'invalid_value',
      message: 'type must be one of secret, publishable.',
      field: 'type',
    });
    expect(errorOf(await run(['no.such', ...here()]))).toMatchObject({ code: 'invalid_value', field: 'action' });
    expect(errorOf(await run(['key.list', ...here(), '--account', 'acct_none']))).toMatchObject({ code: 'not_found' });
  });

  test("ops prints the local service's rejection of a region that does not run", async () => {
    const error = errorOf(await run(['key.list', '--region', 'eu', '--port', port()]));
    expect(error).toMatchObject({ type: 'validation_error', code: 'invalid_value' });
  });

  test('ops says in one sentence that no service runs at the address', async () => {
    const { port, stop } = await serve(() => undefined);
    await stop();
    const error = errorOf(await run(['key.list', '--region', 'us', '--port', String(port)]));
    expect(error).toMatchObject({ code: 'internal_error', message: expect.stringContaining(`127.0.0.1:${port}`) });
  });

  test.each([['no JSON'], ['7'], ['{}'], ['{"ok":false}'], ['{"ok":false,"body":null}'], ['{"error":"flat"}']])(
    'ops says that the address is not the local service if it responds with %s',
    async (text) => {
      const { port, stop } = await serve((_request, response) => response.end(text));
      const error = errorOf(await run(['key.list', '--region', 'us', '--port', String(port)]));
      await stop();
      expect(error).toMatchObject({ code: 'internal_error' });
    },
  );
});

describe('invalid arguments', () => {
  test.each([
    ['no action', [], { code: 'invalid_value', field: 'action' }],
    ['a word that is no noun.verb, before its region is asked for', ['lisen'], { code: 'invalid_value', field: 'action' }],
    ['two actions', ['key.list', 'key.create', '--region', 'us'], { field: 'action', message: expect.stringContaining('second one') }],
    ['a stack without a region', ['key.list', '--stack'], { code: 'invalid_value', field: 'region' }],
    ['an unknown region', ['key.list', '--region', 'mars'], { code: 'invalid_value', field: 'region' }],
    ['an unknown option', ['key.list', '--region', 'us', '--force'], { code: 'invalid_value', field: 'force' }],
    ['a mistyped option', ['key.list', '--regoin', 'us'], { message: '--regoin is not an option. Did you mean --region?' }],
    ['a mistyped option of a command', ['tail', '--print-jsn'], { message: '--print-jsn is not an option. Did you mean --print-json?' }],
    ...['tail', 'listen'].map(
      (command) => [`--output of ${command}`, [command, '--output', 'json'], { code: 'invalid_value', field: 'output' }] as const,
    ),
    ['a port that is not a number', ['key.list', '--region', 'us', '--port', 'http'], { code: 'invalid_value', field: 'port' }],
    ['a port too high', ['key.list', '--region', 'us', '--port', '65536'], { code: 'invalid_value', field: 'port' }],
    ['two targets', ['key.list', '--region', 'us', '--port', '1', '--stack', 'x'], { code: 'invalid_value', field: 'port' }],
    ['a file that is not there', ['key.list', '--region', 'us', '--json', '@/no/such'], { code: 'invalid_value', field: 'json' }],
    ['input that is no JSON', ['key.list', '--region', 'us', '--json', '{'], { type: 'validation_error', code: 'invalid_json' }],
    ['empty standard input', ['key.list', '--region', 'us', '--json', '-'], { code: 'invalid_json' }],
  ])('ops rejects %s in the standard envelope', async (_name, args, expected) => {
    expect(errorOf(await run(args))).toMatchObject(expected);
  });
});

test('ops --help lists the actions and succeeds', async () => {
  for (const args of [['--help'], ['key.create', '-h']]) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('key.create');
  }
});

describe('the program', () => {
  const program = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
    new Promise((resolve) => {
      execFile(process.execPath, ['bin/ops.mjs', ...args], { env: { PATH: process.env['PATH'], ...env } }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });

  test('ops exits 0 with a result and 1 with an error', async () => {
    expect(resultOf(await program(['key.list', ...here(), '--account', account]))).toEqual({ data: [], next_cursor: null });
    expect(errorOf(await program(['key.list', ...here()]))).toMatchObject({ field: 'account' });
  });

  test.each([
    ['an action', () => ['key.list', ...here(), '--account', account]],
    ['--help', () => ['--help']],
  ])('%s loads ten files of ours, no package, and of Node no fetch: npm and the start of Node are most of its time', async (_, args) => {
    const seen = `process.on('exit', () => { const { stderr, moduleLoadList } = process;
        stderr.write(JSON.stringify({ files, fetch: moduleLoadList.some((name) => /undici/.test(name)) })); });
      const files = []; const { registerHooks } = process.getBuiltinModule('node:module');
      registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files.push(url); return next(url, context); } });`;
    const { code, stderr } = await program(args(), { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(seen)}` });
    const { files, fetch } = JSON.parse(stderr) as { files: string[]; fetch: boolean };
    expect({ code, fetch, packages: files.filter((file) => file.includes('/node_modules/')) }).toEqual({
      code: 0,
      fetch: false,
      packages: [],
    });
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThanOrEqual(10);
  });

  describe('a deployed stack', () => {
    const awsAt = (url: string) => ({ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_ENDPOINT_URL_LAMBDA: url });
    /** A server that answers as Lambda's Invoke API does. */
    const invoke = async (
      args: readonly string[],
      stackResponse: { body: string; status?: number; headers?: Record<string, string> },
      env = {},
    ) => {
      const seen: { url: string | undefined; region: string | undefined; event: unknown }[] = [];
      const { url, stop } = await serve((request, response, body) => {
        const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '')?.[1];
        seen.push({ url: request.url, region, event: JSON.parse(String(body)) });
        response
          .writeHead(stackResponse.status ?? 200, { 'content-type': 'application/json', ...stackResponse.headers })
          .end(stackResponse.body);
      });
      const outcome = await program(args, { ...awsAt(url), ...env });
      await stop();
      return { outcome, seen };
    };

    test("ops invokes the stack's actions function in the region's AWS region", async () => {
      const args = ['key.list', '--region', 'au', '--account', 'acct_1', '--json', '{}', '--stack'];
      const { outcome, seen } = await invoke(args, { body: '{"ok":true,"result":{"data":[]}}' });
      expect(resultOf(outcome)).toEqual({ data: [] });
      expect(seen).toEqual([
        {
          url: '/2015-03-31/functions/BakeryCommerce-au-actions/invocations',
          region: 'ap-southeast-2',
          event: { action: 'key.list', account: 'acct_1', input: {}, token: expect.stringMatching(/^[\w-]{36}$/) },
        },
      ]);
    });

    test('ops accepts another stack and AWS region', async () => {
      const args = ['--stack', 'Mine', 'account.get', '--region', 'us'];
      const { seen } = await invoke(args, { body: '{"ok":true,"result":{}}' }, { AWS_REGION: 'us-west-2' });
      expect(seen).toMatchObject([
        { url: expect.stringContaining('/Mine-actions/'), region: 'us-west-2', event: { action: 'account.get' } },
      ]);
    });

    test.each([
      ['payment.refund', 3],
      ['webhook.redeliver', 2],
    ])('ops carries out %s once if its response is lost until try %i, and prints the result', async (action, tries) => {
      const { account: owner = '', input } = (await readyCalls[action]?.({ dashboard, receiver })) ?? { input: {} };
      const events: { token: string }[] = [];
      const lambda = await serve(async (request, response, body) => {
        events.push(JSON.parse(String(body)));
        const text = JSON.stringify(await dashboard.call(JSON.parse(String(body))));
        if (events.length < tries) request.socket.destroy();
        else response.end(text);
      });
      const landedBefore = (await allItems(dashboard)).filter(({ key }) => key.includes(owner)).length;
      const args = [action, '--region', 'us', '--account', owner, '--json', JSON.stringify(input), '--stack'];
      const aws = awsAt(lambda.url);
      const result = resultOf(await program(args, aws));
      expect([events.length, new Set(events.map(({ token }) => token)).size]).toEqual([tries, 1]);
      // By hand, as the error of a call that was lost for good says.
      expect(resultOf(await program([...args, '--token', events[0]?.token ?? ''], aws))).toEqual(result);
      await lambda.stop();
      const made = (await allItems(dashboard)).filter(({ key }) => key.includes(owner)).length - landedBefore;
      // One item is the stored response. A refund also stores its record and the item that finds
      // it.
      expect(made).toBe(action === 'payment.refund' ? 3 : 1);
      if (action === 'webhook.redeliver') expect(dashboard.messages).toHaveLength(1);
    });

    test('ops prints a rejection of a stack as the envelope', async () => {
      const rejection = {
        ok: false,
        status: 404,
        body: { error: { type: 'not_found', code: 'not_found', message: 'Account not found.' } },
      };
      const { outcome } = await invoke(['key.list', '--region', 'us', '--stack'], { body: JSON.stringify(rejection) });
      expect(errorOf(outcome)).toEqual(rejection.body.error);
    });

    test('ops prints a crash, a missing function and other responses of a stack as the envelope', async () => {
      const args = ['key.list', '--region', 'us', '--stack'];
      const crash = await invoke(args, { body: '{"errorMessage":"boom"}', headers: { 'x-amz-function-error': 'Unhandled' } });
      expect(errorOf(crash.outcome)).toMatchObject({ code: 'internal_error', message: expect.stringContaining('Unhandled') });
      const missing = await invoke(args, {
        status: 404,
        body: '{"Message":"Function not found"}',
        headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
      });
      expect(errorOf(missing.outcome)).toMatchObject({ code: 'internal_error', message: expect.stringContaining('Function not found') });
      const other = await invoke(args, { body: 'null' });
      expect(errorOf(other.outcome)).toMatchObject({ code: 'internal_error' });
    });
  });
});
