import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { actionTable } from '../../functions/actions/index.ts';
import { describeActions, describeInput } from '../../ops/describe.ts';
import { help } from '../../ops/help.ts';
import { money, oneOf, openRecord, orNull, partial, record, tags, text } from '../../shared/core/fields.ts';

describe('a schema in words', () => {
  test('names every member, whether it may be absent or null, and what it takes', () => {
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
      'tags?: [string]',
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

  test('leaves no member of any action undescribed', () => {
    const words = Object.values(actionTable).flatMap(({ input }) => describeInput(input));
    expect(words.filter((word) => /: \[?(custom|undefined|unknown|object|any|lazy|record)/.test(word))).toEqual([]);
  });
});

describe('the help', () => {
  test('lists every action with its summary', () => {
    const text = help(undefined);
    for (const [name, { summary }] of Object.entries(actionTable)) {
      expect(text).toContain(`  ${name} (`);
      expect(text).toContain(summary);
    }
  });

  test('tells of the actions as they are: where this fails, npm run tables', () => {
    expect(help(undefined)).toContain(`:\n\n${describeActions()}`);
  });

  test('of one action is about that one', () => {
    expect(help('key.revoke')).toContain('key.revoke (--account)');
    expect(help('key.revoke')).not.toContain('key.create (');
    expect(help('no.such')).toEqual(help(undefined));
  });

  test('fits a terminal of 120 columns', () => {
    for (const line of help(undefined).split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });
});
