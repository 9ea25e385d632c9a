import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { completed } from '../../ops/help.ts';
import { formatResult } from '../../ops/show.ts';
import { pretendNode } from '../support/service.ts';
import { errorOf, run } from './command.ts';

const nowMs = Date.parse('2026-11-23T12:00:00Z');
const keys = {
  data: [
    { id: 'key_01m84bbqey74hasze37ar6rfaj', name: 'Server', type: 'secret', group: 'fullAccess', last_used_on: null, expires_at: null },
    { id: 'key_01m84bbqeynkb8stj735h5thyv', name: 'Shop\x1b[31m', type: 'publishable', group: 'commerce', last_used_on: '2026-11-22' },
  ],
  next_cursor: 'abc',
};
const terminal = (columns: number, env: Record<string, string> = {}) => ({ env, columns }) as never;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is looked for
const colours = /\x1b\[\d+m/g;

describe('output on a terminal', () => {
  test('a list is a table with a row for each entry', () => {
    const lines = formatResult('key.list', keys, terminal(200), nowMs).replaceAll(colours, '').split('\n');
    expect(lines[0]?.split(/ {2,}/)).toEqual(['id', 'name', 'type', 'group', 'last used on', 'expires at']);
    expect(lines[1]?.split(/ {2,}/)).toEqual(['key_01m84bbqey74hasze37ar6rfaj', 'Server', 'secret', 'fullAccess', '–', '–']);
    expect(lines[3]).toBe(`More: --json '{"cursor":"abc"}'`);
    expect(formatResult('key.list', { ...keys, next_cursor: null }, terminal(200), nowMs)).not.toContain('More');
  });

  test('a page of a list says how to read the next one', () => {
    const page = { data: [{ id: 'ntc_1' }], pagination: { has_more: true, next_cursor: 'abc' } };
    expect(formatResult('delivery.list', page, terminal(80), nowMs)).toContain(`More: --json '{"cursor":"abc"}'`);
  });

  test.each([40, 60, 80, 120])('a table fits %i columns and names the fields that do not', (columns) => {
    const lines = formatResult('key.list', keys, terminal(columns), nowMs).replaceAll(colours, '').split('\n');
    expect(lines.filter(({ length }) => length > columns)).toEqual([]);
    const rest = lines.find((line) => line.startsWith('also: '));
    expect(rest === undefined).toBe(columns === 120);
    if (rest !== undefined) expect(lines.join(' ')).toContain('expires_at (--output json)');
  });

  test('a long cell is cut between characters', () => {
    const page = { data: [{ id: 'exp_1', name: 'aa🧁'.repeat(40) }] };
    const [, line = ''] = formatResult('expense.list', page, terminal(120, { NO_COLOR: '1' }), nowMs).split('\n');
    expect([line.isWellFormed(), [...line.trimEnd()].length]).toEqual([true, 'exp_1  '.length + 40]);
  });

  test.each([
    ['2026-11-23T11:57:00.000Z', '3 minutes ago (2026-11-23T11:57:00.000Z)'],
    ['2026-11-24T12:00:00Z', 'tomorrow (2026-11-24T12:00:00Z)'],
    ['2026-01-02T00:00:00Z', '2026-01-02 (2026-01-02T00:00:00Z)'],
    [true, 'yes'],
    [null, '–'],
    [[], 'none'],
    [['a', 'b'], 'a, b'],
  ])('a field with %j reads: %s', (value, text) => {
    expect(formatResult('x.get', { field: value }, terminal(80, { NO_COLOR: '1' }), nowMs)).toBe(`field  ${text}\n`);
  });

  test.each([
    ['key.create', 'key'],
    ['key.replace', 'key'],
    ['webhook.create', 'secret'],
    ['webhook.rotate_secret', 'secret'],
  ])('the result of %s begins with its %s, bold, which is shown once', (action, field) => {
    const text = formatResult(action, { id: 'id_1', [field]: 'value_1' }, terminal(80), nowMs);
    expect(text.split('\n').slice(0, 2)).toEqual(['\x1b[1mvalue_1\x1b[0m', 'Shown once: store it now.']);
    expect([text.match(/value_1/g)?.length, text.includes('id_1')]).toEqual([1, true]);
  });

  test('an empty list says so', () => {
    expect(formatResult('key.list', { data: [] }, terminal(80), nowMs)).toBe('Nothing found.\n');
  });

  test('NO_COLOR and a dumb terminal get no colour; a value never adds its own', () => {
    const escapes = (env: Record<string, string>) => formatResult('key.list', keys, terminal(120, env), nowMs).match(colours)?.length ?? 0;
    expect([escapes({ NO_COLOR: '1' }), escapes({ TERM: 'dumb' }), escapes({}) > 0]).toEqual([0, 0, true]);
    expect(formatResult('key.list', keys, terminal(120), nowMs)).toContain('Shop\\u001b[31m');
  });

  test('an error is one sentence without its code', async () => {
    const { code, stdout, stderr } = await run(['key.list', '--region', 'mars'], { columns: 80, env: { NO_COLOR: '1' } });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: --region must be one of us, au, eu.\n',
    });
  });

  test('a long message breaks between words', async () => {
    const { stderr } = await run(['key.list', '--region', 'mars'], { columns: 40, env: { NO_COLOR: '1' } });
    expect(stderr).toBe('Error: --region must be one of us, au,\neu.\n');
  });

  test('a long value breaks between words and stays in its column', () => {
    const text = formatResult('x.get', { scopes: ['orders:read', 'orders:write'] }, terminal(24, { NO_COLOR: '1' }), nowMs);
    expect(text).toBe('scopes  orders:read,\n        orders:write\n');
    const within = formatResult('x.get', { key: { scopes: ['orders:read', 'orders:all'] } }, terminal(32, { NO_COLOR: '1' }), nowMs);
    expect(within).toBe('key\n  scopes  orders:read,\n          orders:all\n');
  });

  test('with --output json an error is the envelope on a terminal too, also if the terminal is narrow', async () => {
    for (const option of [['--output', 'json'], ['--output=json']]) {
      const error = errorOf(await run(['key.list', '--region', 'mars', ...option], { columns: 30 }));
      expect(error).toMatchObject({ code: 'invalid_value', field: 'region' });
    }
  });

  test('an unknown action is named before a region that is missing', async () => {
    expect((await run(['key.creat'], { columns: 80, env: { NO_COLOR: '1' } })).stderr).toContain('Did you mean key.create?');
    expect((await run(['tail', '--region', 'mars'], { columns: 80, env: { NO_COLOR: '1' } })).stderr).toContain('--region must be');
  });

  test('help has bold headings in a terminal, and none in a pipe or with NO_COLOR', async () => {
    const stdoutOf = async (surroundings: object) => (await run(['key.create', '--help'], surroundings)).stdout;
    expect(await stdoutOf({ columns: 80 })).toContain('\x1b[1mUsage:\x1b[0m');
    for (const surroundings of [{}, { columns: 80, env: { NO_COLOR: '1' } }]) expect(await stdoutOf(surroundings)).not.toMatch(colours);
  });

  test('the command alone prints its help', async () => {
    expect((await run([], { columns: 80 })).stdout).toContain('Usage:');
  });
});

test('ops --output accepts json only', async () => {
  const error = errorOf(await run(['key.list', '--region', 'us', '--output', 'yaml']));
  expect(error).toMatchObject({ code: 'invalid_value', field: 'output' });
});

describe('completion', () => {
  test('the completion of zsh offers every command and action', async () => {
    const { stdout } = await run(['completion', 'zsh']);
    expect(stdout).toContain('#compdef bakery-ops');
    expect(stdout).toContain(completed().join(' '));
  });

  test('the completion of fish offers every command and action with its summary, and the values of options', async () => {
    const { stdout } = await run(['completion', 'fish']);
    expect([...stdout.matchAll(/ -a (\S+) -d '/g)].map(([, name]) => name)).toEqual(completed());
    expect(stdout).toContain(" -a key.revoke -d 'Ends an API key at once.");
    expect(stdout).toContain(" -d 'Changes an API key\\'s name, rights or end.'\n");
    expect(stdout).toContain(" -l region -x -a 'us au eu'\n");
  });

  test('the completion of another shell is an error', async () => {
    expect(errorOf(await run(['completion', 'tcsh']))).toMatchObject({ field: 'shell' });
  });
});

describe.each(['ops', 'start'])('bin/%s.mjs', (program) => {
  const onNode = (version: string) =>
    spawnSync(process.execPath, [...pretendNode(version), `bin/${program}.mjs`, '--help'], { encoding: 'utf8' });

  test(`bin/${program}.mjs says in one sentence what a Node before 18 lacks`, () => {
    const { status, stdout, stderr } = onNode('16.20.2');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Bakery Commerce needs Node 18 .* Node 16\.20\.2\. .*\n$/);
  });

  test(`bin/${program}.mjs runs in the project’s own Node 24 if another Node from 18 on starts it`, () => {
    const { status, stdout } = onNode('18.20.0');
    expect(status).toBe(0);
    expect(stdout).toMatch(/Usage|--port/);
  });
});

test('bin/ops.mjs ends quietly if its reader closes the pipe', () => {
  const script = `{ "${process.execPath}" bin/ops.mjs --help; echo "code $?" >&2; } | :`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'code 0\n' });
});
