import { readdirSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Action } from '../../functions/actions/action.ts';
import { actions } from '../../functions/actions/app.ts';
import { actionTable } from '../../functions/actions/index.ts';
import { context } from '../support/context.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});
beforeEach(() => {
  dashboard.lines.length = 0;
});

describe('a call of an action', () => {
  test.each([[undefined], [null], [7], ['key.list'], [[]]])('a call of an action fails with 400 if the event is %j', async (event) => {
    expect(await dashboard.call(event)).toMatchObject({ ok: false, status: 400, body: { error: { code: 'invalid_value' } } });
  });

  test.each([['nothing.do'], ['__proto__'], ['toString'], [''], [undefined], [7]])(
    'a call of an action fails with 400 for the unknown action %j',
    async (action) => {
      expect(await dashboard.call({ action, account })).toMatchObject({
        ok: false,
        status: 400,
        body: { error: { type: 'validation_error', code: 'invalid_value', field: 'action' } },
      });
    },
  );

  test('a call of an action fails if an action on an account names no account', async () => {
    expect(await dashboard.errorOf('key.list', undefined)).toMatchObject({ status: 400, code: 'invalid_value', field: 'account' });
    expect(await dashboard.errorOf('key.list', '')).toMatchObject({ status: 400, field: 'account' });
  });

  test('a call of an action on the region fails if it names an account, to which it would not be limited', async () => {
    expect(await dashboard.errorOf('queue.status', account)).toMatchObject({ status: 400, code: 'invalid_value', field: 'account' });
  });

  test('a call of an action returns 404 for an unknown account', async () => {
    expect(await dashboard.errorOf('key.list', 'acct_none')).toMatchObject({ status: 404, type: 'not_found', code: 'not_found' });
  });

  test('a call of an action fails with a message about the input if the input is not an object', async () => {
    expect(await dashboard.errorOf('key.create', account, [])).toEqual({
      status: 400,
      type: 'validation_error',
      code: 'invalid_value',
      message: 'The input must be an object.',
    });
  });

  test('a call of an action treats an absent input as an empty object', async () => {
    expect(await dashboard.act('key.list', account)).toEqual({ data: [], next_cursor: null });
  });
});

describe('an unexpected error', () => {
  const broken = (error: unknown) => {
    const store = { ...dashboard.services.store, apiKeys: { page: () => Promise.reject(error) } };
    return actions({
      ...dashboard.services,
      store: { ...dashboard.services.store, apiKeys: { ...dashboard.services.store.apiKeys, ...store.apiKeys } },
    });
  };

  test('an unexpected error is returned as internal_error, and only the log has its cause', async () => {
    const response = await broken(new Error('the table burns'))({ action: 'key.list', account }, context);
    expect(response).toMatchObject({ ok: false, status: 500, body: { error: { type: 'api_error', code: 'internal_error' } } });
    expect(JSON.stringify(response)).not.toContain('burns');
    expect(dashboard.lines).toHaveLength(1);
    expect(dashboard.lines[0]).toMatchObject({
      action: 'key.list',
      account,
      ok: false,
      code: 'internal_error',
      error: { message: 'the table burns' },
    });
  });

  test('an unexpected error is handled if the thrown value is not an Error', async () => {
    expect(await broken('a word')({ action: 'key.list', account }, context)).toMatchObject({ ok: false, status: 500 });
  });
});

describe('the log of an action', () => {
  test('the log of an action has one line per action, without anything of its input', async () => {
    await dashboard.act('settings.put', account, {
      search: { provider: 'typesense', host: 'h', collection: 'c', search_key: 'a-very-secret-key' },
    });
    expect(dashboard.lines).toEqual([{ op: 'action', action: 'settings.put', account, ms: 0, ok: true }]);
  });

  test('the log of an action has one line per rejection, with its code', async () => {
    await dashboard.errorOf('key.create', account, { type: 'neither' });
    expect(dashboard.lines).toEqual([{ op: 'action', action: 'key.create', ms: 0, ok: false, code: 'invalid_value' }]);
  });

  test("the log of an action never contains an API key's value", async () => {
    const { key } = await dashboard.act('key.create', account, { type: 'secret' });
    expect(JSON.stringify(dashboard.lines)).not.toContain(key);
  });
});

test('the table lists every action that a file exports', async () => {
  const folder = new URL('../../functions/actions/', import.meta.url);
  // The entry reads its environment when it loads.
  const files = readdirSync(folder).filter((name) => name !== 'handler.ts');
  const isAction = (value: unknown): value is Action => typeof value === 'object' && value !== null && 'summary' in value;
  const made: Action[] = [];
  for (const file of files)
    for (const exported of Object.values((await import(new URL(file, folder).href)) as object))
      if (typeof exported === 'object' && exported !== null)
        made.push(...[exported, ...Object.values(exported as object)].filter(isAction));
  const known = new Set(Object.values(actionTable));
  expect(known.size).toBeGreaterThan(50);
  expect(made.filter((action) => !known.has(action)).map(({ summary }) => summary)).toEqual([]);
});
