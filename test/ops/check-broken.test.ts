import { describe, expect, test } from '@jest/globals';
import { check } from '../../ops/check.ts';
import { linkNames } from '../../ops/check-links.ts';
import { type CheckTimes, checkTimes } from '../../ops/check-times.ts';
import { visibly } from '../../ops/terminal.ts';
import { eventually } from '../support/journey.ts';
import { serve } from '../support/serve.ts';
import { checkedOf, useChecks } from './checks.ts';
import { run, startCommand } from './command.ts';
import { type Fault, type Front, type FrontRequest, startFront } from './front.ts';

const t = useChecks();
const rejection = { ok: false, status: 500, body: { error: { type: 'api_error', code: 'internal_error', message: 'Broken.' } } };
const section = 'See docs/runbook.md#a-check-of-a-stack-fails.';

describe('broken links', () => {
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
    ['a list fails', when(isGet(/\/expenses$/), 500), /^List: GET \/expenses was answered with 500 /],
    ['the log cannot be read', when(isGet(/\/events/), 403), /^Delivery: GET \/webhooks\/\{id\}\/events was answered with 403 /],
    [
      'the unknown path returns 200',
      when(({ path }) => path.startsWith('/ops-check/'), 200),
      /^Delivery: the delivery to the stack's own address ended with 200 \(delivered\) instead of 404\. /,
    ],
  ] as const)('a check names the broken link and erases its account if %s', async (_, fault, expected) => {
    t.front.fault = fault;
    const { code, message, accounts } = await t.runCheck(...(await t.useStack()));
    expect({ code, message }).toEqual({ code: 1, message: expect.stringMatching(expected) });
    expect(message).toContain(section);
    await t.expectErased(accounts);
  });

  test('a check names the address of the stack if nothing responds there', async () => {
    const gone = await startFront(t.runtime.urls.us);
    await gone.stop();
    const { code, links, message, accounts } = await t.runCheck(...(await t.useStack({ apiUrl: gone.url })));
    expect({ code, links, accounts }).toEqual({ code: 1, links: ['Address'], accounts: [] });
    expect(message).toMatch(/^Health: GET \/health failed: /);
  });

  test.each([
    ['fails', 503, '{}', /^Health: GET \/health failed: it returned 503\. /],
    ['answers for another region', 200, '{"region":"eu"}', /^Health: GET \/health returned the region "eu" instead of us\. /],
  ])('a check opens no account if the health check %s', async (_, status, body, expected) => {
    const other = await serve(async (_request, response) => void response.writeHead(status).end(body));
    try {
      const { code, message, accounts } = await t.runCheck(...(await t.useStack({ apiUrl: other.url })));
      expect({ code, message, accounts }).toEqual({ code: 1, message: expect.stringMatching(expected), accounts: [] });
    } finally {
      await other.stop();
    }
  });

  test.each([
    ['Secrets', 'checkout.check'],
    ['Redelivery', 'webhook.redeliver'],
    ['Sweep', 'delivery.requeue_overdue'],
    ['Parking', 'stream.check_parking'],
    ['Requests', 'request.list'],
  ])('a check names the link %s and erases its account if %s fails', async (link, broken) => {
    const stackOptions = await t.useStack({ instead: ({ action }) => (action === broken ? rejection : undefined) });
    const { code, message, accounts } = await t.runCheck(...stackOptions);
    expect({ code, message }).toEqual({ code: 1, message: `${link}: ${broken} failed: Broken. ${section}` });
    await t.expectErased(accounts);
  });

  test('a check erases its account if the key cannot be made', async () => {
    const stackOptions = await t.useStack({ instead: ({ action }) => (action === 'key.create' ? rejection : undefined) });
    const { code, links, message, accounts } = await t.runCheck(...stackOptions);
    expect({ code, links, message }).toEqual({
      code: 1,
      links: ['Address', 'Health'],
      message: `Actions: key.create failed: Broken. ${section}`,
    });
    await t.expectErased(accounts);
  });

  test('a check finds its account by token and erases it if the response that names it is lost', async () => {
    let calls = 0;
    const stackOptions = await t.useStack({
      instead: (call) =>
        call.action === 'account.create' && ++calls === 1 ? t.runtime.invokeAction('us', call).then(() => ({})) : undefined,
    });
    const { code, message, accounts } = await t.runCheck(...stackOptions);
    expect({ code, calls, message }).toEqual({ code: 1, calls: 2, message: expect.stringMatching(/^Actions: account\.create failed: /) });
    await t.expectErased(accounts);
  });

  test('a check reports that the stack does not exist', async () => {
    await t.useStack();
    const { code, message, accounts } = await t.runCheck('--stack', 'Other-us');
    expect({ code, accounts }).toEqual({ code: 1, accounts: [] });
    expect(message).toMatch(/^Address: the look-up failed: cloudformation:DescribeStacks failed with 400/);
  });

  test('a check that cannot erase its account prints the command to erase it', async () => {
    const stackOptions = await t.useStack({ instead: ({ action }) => (action === 'account.erase' ? rejection : undefined) });
    const { code, links, message, accounts } = await t.runCheck(...stackOptions);
    expect({ code, links }).toEqual({ code: 1, links: linkNames.filter((name) => name !== 'Erasure') });
    const args = ['account.erase', '--region', 'us', '--stack', 'BakeryCommerce-us', '--account', String(accounts[0])];
    expect(message).toBe(
      `Erasure: the account ${accounts[0]} could not be erased: Broken. Erase it: bakery-ops ${args.join(' ')}. ${section}`,
    );
    t.front.fault = when(isPost('/expenses'), 500);
    const both = await t.runCheck(...stackOptions);
    expect(both.message).toMatch(/^Write: .* Also, the account acct_\w+ could not be erased: Broken\. Erase it: bakery-ops /);
    await t.useStack();
    for (const account of [...accounts, ...both.accounts]) expect(await run(args.with(-1, account))).toMatchObject({ code: 0 });
    await t.expectErased([...accounts, ...both.accounts], 2);
  });
});

describe('the time of a check', () => {
  /** To its end, in less time than an operator has. */
  const checkIn = async (times: Partial<CheckTimes>, ...args: string[]) => {
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
    const never = () => ({ requested: new Promise<void>(() => {}), release: () => {} });
    try {
      await check(args, visibly(terminal), never, { ...checkTimes, ...times });
    } catch (error) {
      message = (error as Error).message;
    }
    return { ...checkedOf(message === '' ? 0 : 1, stdout, stderr), message };
  };

  test('a check takes two minutes at most, of which the erasure has 25 seconds', () => {
    expect(checkTimes).toMatchObject({ totalMs: 120_000, eraseMs: 25_000, deliveryMs: 60_000, scheduleMs: 75_000 });
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
      { totalMs: 27_000 },
      'Write: the 2 s for all links are over',
    ],
  ] as const)('%s: the link is named and the account is erased', async (_, fault, times, expected) => {
    t.front.fault = fault as Front['fault'];
    const { message, accounts } = await checkIn(times, ...(await t.useStack()));
    expect(message).toBe(`${expected}. ${section}`);
    await t.expectErased(accounts);
  });

  test.each([
    [
      'the schedule never fires',
      'webhook.redeliver',
      { not_before: '2999-01-01T00:00:00.000Z' },
      { scheduleMs: 2_000 },
      /^Schedule: the delivery has had no attempt after \d/,
    ],
    [
      'no request is found',
      'request.list',
      { data: [] },
      { logMs: 1_000 },
      /^Requests: request\.list has not shown POST \/expenses after 1 s/,
    ],
  ])('%s: the link is named and the account is erased', async (_, idle, result, times, expected) => {
    const stackOptions = await t.useStack({ instead: ({ action }) => (action === idle ? { ok: true, result } : undefined) });
    const { message, accounts } = await checkIn(times, ...stackOptions);
    expect(message).toMatch(expected);
    await t.expectErased(accounts);
  });

  test('^C ends a check, which erases its account', async () => {
    let hangs = false;
    t.front.fault = ({ path }) => {
      hangs ||= path === '/api/v2/expenses';
      return hangs ? 'hang' : undefined;
    };
    const running = await startCommand(['check', ...(await t.useStack())], /is erased at the end/);
    await eventually(
      () => hangs,
      (one) => one,
    );
    const { code, message, accounts } = checkedOf(await running.stop(), running.lines().join('\n'), running.stderr());
    expect({ code, message }).toEqual({ code: 1, message: `Write: the check was stopped. ${section}` });
    await t.expectErased(accounts);
  });
});
