import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { actionTable } from '../../functions/actions/index.ts';
import { describeActions, describeInput } from '../../ops/describe.ts';
import { completed, help } from '../../ops/help.ts';
import { money, oneOf, openRecord, orNull, partial, record, tags, text } from '../../shared/core/fields.ts';
import { errorOf, run } from './command.ts';

describe('describeInput', () => {
  test('describeInput names every field, whether it may be absent or null, and its type', () => {
    const schema = record({
      name: text(),
      plan: v.exactOptional(oneOf(['a', 'b'])),
      amount: orNull(money()),
      tags: tags(),
      flag: v.nullable(v.boolean()),
      days: v.array(v.number()),
      any: v.optional(v.unknown()),
      either: v.union([v.number(), text()]),
      block: record(partial({ id: text() })),
      open: openRecord({ id: text() }, v.boolean()),
      free: v.record(v.string(), v.number()),
      line: v.lazy((value) => (typeof value === 'string' ? text() : v.record(v.string(), v.nullable(text())))),
    });
    expect(describeInput(schema)).toEqual([
      'name: string',
      'plan?: "a" | "b"',
      'amount?: number | null',
      'tags?: [string] | null',
      'flag: boolean | null',
      'days: [number]',
      'any?: any',
      'either: number | string',
      'block: { id?: string }',
      'open: { id: string, …: boolean }',
      'free: { …: number }',
      'line: string | { …: string | null }',
    ]);
  });

  test('describeInput describes the type of every field of every action', () => {
    const types = Object.values(actionTable).flatMap(({ input }) => describeInput(input));
    expect(types.filter((type) => /: \[?(custom|undefined|unknown|object|any|lazy|record)/.test(type))).toEqual([]);
  });
});

describe('help', () => {
  const described = describeActions();
  const { nouns, actions } = described;

  test('ops help is generated from the present actions; if this fails, run npm run tables', () => {
    expect(JSON.parse(readFileSync('ops/actions.json', 'utf8'))).toEqual(described);
  });

  test('ops help is one screen with the verbs of each noun', async () => {
    const text = await help(undefined, false);
    expect(text.split('\n').length).toBeLessThanOrEqual(55);
    const listed = [...text.matchAll(/^ {2}([a-z_]+) +([a-z_]+(?:,\s+[a-z_]+)*)$/gm)].flatMap(([, noun, verbs = '']) =>
      verbs.split(/,\s+/).map((verb) => `${noun}.${verb}`),
    );
    expect(listed.sort()).toEqual(actions.map(({ name }) => name).sort());
  });

  test('ops help names the command as the user calls it', async () => {
    const { stdout } = await run(['key.create', '--help'], { calledAs: 'npm run --silent ops --' });
    expect(stdout).toContain('npm run --silent ops -- key.create --region us');
    expect(stdout).not.toContain('bakery-ops');
  });

  test('ops help in a pipe lists every action with its input', async () => {
    const { stdout } = await run(['--help']);
    for (const { name, fields } of actions) {
      expect(stdout).toContain(`  ${name}\n`);
      for (const field of fields) expect(stdout).toContain(`${field.name}${field.isOptional ? '?' : ''}:`);
    }
  });

  test('ops help of a noun lists its verbs and no others', async () => {
    expect(await help('key', false)).toContain('key.create\n');
    expect(await help('key', false)).not.toContain('order.');
  });

  test.each(actions)(
    'ops help of $name shows each field with its type and meaning, and an example that the action accepts',
    async ({ name, fields, example }) => {
      const text = await help(name, false);
      const flat = text.replaceAll(/\s+/g, ' ');
      for (const { name: field, isOptional, type, meaning } of fields)
        expect(flat).toContain(`${field}${isOptional ? '' : ' (required)'} ${type} ${meaning}`);
      expect(v.safeParse(actionTable[name as keyof typeof actionTable]?.input as v.GenericSchema, example).issues).toBeUndefined();
    },
  );

  test.each([undefined, ...Object.keys(nouns), ...actions.map(({ name }) => name)])('ops help of %s fits 80 columns', async (name) => {
    const prose = (await help(name, true)).split('\n').filter((line) => !line.includes("--json '"));
    expect(prose.filter(({ length }) => length > 80)).toEqual([]);
  });

  test.each([
    [['key.creat', '--help'], '"key.creat" is not an action. Did you mean key.create?'],
    [['ordr.update'], 'Did you mean order.update?'],
    [['tial'], '"tial" is not a command. Did you mean tail?'],
    [['zebra'], '--help lists the commands and actions.'],
    [['zebra.gallop'], '--help lists the actions.'],
    [['key'], 'Name a verb: key.create, key.replace, key.list, key.update, key.revoke.'],
    [['--port', '4000', 'listen'], 'Write the command before its options: bakery-ops listen.'],
  ])('ops rejects %j as an action with: %s', async (args, message) => {
    expect(errorOf(await run(args))).toMatchObject({ field: 'action', message: expect.stringContaining(message) });
  });

  test.each(completed().filter((name) => !name.includes('.')))(
    'ops %s with --help after it or before it, or with help, shows its usage',
    async (name) => {
      const { code, stdout } = await run([name, '--help']);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`bakery-ops ${name}`)]);
      for (const first of ['--help', 'help']) expect(await run([first, name])).toEqual({ code: 0, stdout, stderr: '' });
    },
  );

  test('ops help alone shows the overview', async () => {
    expect(await run(['help'])).toEqual(await run(['--help']));
  });

  test.each([['--help'], ['key.create', '--help'], ['listen', '--help']])(
    'on a narrow terminal, the help of %j has no broken row',
    async (...args) => {
      const { stdout } = await run(args, { columns: 60, env: { NO_COLOR: '1' } });
      expect(stdout.split('\n').filter((line) => line.length > 60 && !/bakery-ops|--json '/.test(line))).toEqual([]);
    },
  );

  test('on a terminal, help colors the names of rows, and neither the command nor prose', async () => {
    const namesIn = async (...args: string[]) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the color of a name
      [...(await run(args, { columns: 80, calledAs: 'node bin/ops.mjs' })).stdout.matchAll(/\x1b\[32m([^\x1b]*)/g)].map(([, name]) => name);
    expect(await namesIn('key.create', '--help')).toEqual(['type', 'name', 'group', 'scopes', 'expires_at', 'legacy']);
    expect(await namesIn('trigger', 'order.created', '--help')).toEqual([]);
    expect(await namesIn('--help')).toEqual(expect.arrayContaining(['listen', 'gateway_fee', '--stack']));
  });

  test('ops --version prints the version of the package', async () => {
    expect(await run(['--version'])).toEqual({
      code: 0,
      stdout: `${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`,
      stderr: '',
    });
  });
});
