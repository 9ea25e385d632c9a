import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { startRuntime } from '../../local/runtime.ts';
import { linkNames } from '../../ops/check-links.ts';
import { propertiesOf, synthesize } from '../lib/synthesize.ts';
import { eventually } from '../support/journey.ts';
import { createMeter, deployedFilters } from '../support/metric-filters.ts';
import { useChecks } from './checks.ts';
import { run } from './command.ts';

const t = useChecks();

describe('a check of a service that works', () => {
  test.each([
    ['the local service', async () => ['--port', String(t.runtime.port)]],
    ['a stack', t.useStack],
  ])('a check of %s proves each link in order, and erases its account', async (_, useTarget) => {
    const { code, links, message, accounts } = await t.runCheck(...(await useTarget()));
    expect({ code, links, message }).toEqual({ code: 0, links: [...linkNames], message: '' });
    await t.expectErased(accounts);
  });

  test('a check with --output json prints its links as one JSON document', async () => {
    const { code, stdout, message } = await t.runCheck('--port', String(t.runtime.port), '--output', 'json');
    expect({ code, message }).toEqual({ code: 0, message: '' });
    expect(JSON.parse(stdout)).toEqual({ links: linkNames.map((name) => ({ name, text: expect.any(String) })) });
  });

  test('a check opens an account named after the check, and writes one expense', async () => {
    const names: unknown[] = [];
    const stackOptions = await t.useStack({ instead: ({ action, input }) => void (action === 'account.create' && names.push(input)) });
    const { stdout } = await t.runCheck(...stackOptions);
    expect(names).toEqual([{ name: 'Temporary: ops check', plan: 'business' }]);
    expect(stdout).toContain('"Temporary: ops check"');
    const written = t.logged.filter(({ op, status }) => op === 'createExpense' && status === 201);
    expect(written.map(({ replay }) => replay)).toEqual([undefined, true]);
  });

  test('a check fires no alarm, also if its retry falls due after the erasure', async () => {
    const { accounts } = await t.runCheck('--port', String(t.runtime.port));
    await eventually(
      () => t.logged,
      (lines) => lines.some(({ account, abandoned }) => account === accounts[0] && abandoned === 1),
    );
    const { us } = synthesize().templates;
    const alarmed = propertiesOf(us, 'AWS::CloudWatch::Alarm').flatMap(({ MetricName, Namespace }) =>
      Namespace === 'BakeryCommerce-us' ? [String(MetricName)] : [],
    );
    expect(alarmed.length).toBeGreaterThan(0);
    const meter = createMeter(deployedFilters(us));
    for (const source of ['expenses', 'webhooks', 'fallback', 'actions', 'fan-out', 'deliver', 'checkout-page', 'sweep'])
      meter.observe(source, t.logged);
    expect(meter.observed).toContain('Attempts/pending');
    expect([...meter.observed].filter((name) => alarmed.includes(name.split('/')[0] ?? ''))).toEqual([]);
    // Lines that fire an alarm: server errors, crashes, and messages or changes that are repeated
    // or parked.
    const bad = ({ status, message, retry, unreadable, parked }: Record<string, any>) =>
      Number(status) >= 500 || [message, retry, unreadable, parked].some((one) => one !== undefined);
    expect(t.logged.filter(bad)).toEqual([]);
    await t.expectErased(accounts);
  });
});

test('a local service without --allow-loopback-webhooks is one sentence that names the option', async () => {
  const strict = await startRuntime({ regions: ['us'] });
  try {
    const { code, message, accounts } = await t.runCheck('--port', String(strict.port));
    expect({ code, message }).toEqual({
      code: 1,
      message:
        'The local service delivers to public https:// addresses only; stop it and start it with: npm start -- --allow-loopback-webhooks',
    });
    const response = await strict.invokeAction('us', { action: 'account.get', account: accounts[0] ?? '' });
    expect(response).toMatchObject({ result: { status: 'closed', name: '' } });
  } finally {
    await strict.stop();
  }
});

describe('invalid arguments', () => {
  test.each([
    ['a stack name that does not end with a region', ['--stack', 'Mine'], 'region'],
    ['a bare --stack', ['--stack'], 'region'],
    ['an unknown region', ['--region', 'mars'], 'region'],
    ['an account', ['--account', 'acct_1'], 'account'],
    ['two targets', ['--stack', 'BakeryCommerce-us', '--port', '4000'], 'port'],
    ['a word', ['us'], 'check'],
  ])('ops check rejects %s before it opens anything', async (_, args, field) => {
    const { code, stdout, stderr } = await run(['check', ...args]);
    expect({ code, stdout, error: JSON.parse(stderr).error }).toMatchObject({
      code: 1,
      stdout: '',
      error: { code: 'invalid_value', field },
    });
  });
});

test('ops check --help says what the check does', async () => {
  const { code, stdout } = await run(['check', '--help']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Temporary: ops check') });
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

test('the runbook has a row for each link, under the heading that errors name', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const [, text = ''] = /^### A check of a stack fails\n(.*?)^### /ms.exec(runbook) ?? [];
  expect([...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual([...linkNames]);
});
