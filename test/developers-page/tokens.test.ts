import { expect, test } from '@jest/globals';
import type { Invoke } from '../../pages/developers/src/contract.ts';
import { tokened } from '../../pages/developers/src/ui/tokens.ts';

/** A host that records the token of each call, and loses the responses of the given calls. */
const hostOf = (lost: readonly number[]) => {
  const tokens: (string | undefined)[] = [];
  const invoke: Invoke = async (_action, _input, token) => {
    tokens.push(token);
    if (lost.includes(tokens.length)) throw new Error('The service does not answer.');
    return {};
  };
  return { tokens, change: tokened(invoke) };
};

const key = { type: 'secret', name: 'Till' };

test('every change gets a new token, also if it equals the change before', async () => {
  const { tokens, change } = hostOf([]);
  await change('key.create', key);
  await change('key.create', key);
  expect(tokens).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(tokens[0]).not.toBe(tokens[1]);
});

test('a change is repeated with its token until a response arrives', async () => {
  const { tokens, change } = hostOf([1, 2]);
  await expect(change('key.create', key)).rejects.toThrow('does not answer');
  await expect(change('key.create', key)).rejects.toThrow('does not answer');
  await change('key.create', key);
  expect(new Set(tokens).size).toBe(1);
  await change('key.create', key);
  expect(tokens[3]).not.toBe(tokens[0]);
});

test('another input is another change, and its success ends what was tried before', async () => {
  const { tokens, change } = hostOf([1]);
  await expect(change('webhook.disable', { id: 'whe_1' })).rejects.toThrow();
  await change('webhook.enable', { id: 'whe_1' });
  await change('webhook.disable', { id: 'whe_1' });
  expect(new Set(tokens).size).toBe(3);
});

/**
 * A host in front of a service that makes one record per token. It loses responses, and requests that
 * then have no effect.
 */
const makerOf = (lost: Readonly<Record<number, 'request' | 'response'>>) => {
  const made = new Map<string | undefined, string>();
  let calls = 0;
  const invoke: Invoke = async (action, input, token) => {
    calls += 1;
    if (lost[calls] === 'request') throw new Error('The service does not answer.');
    const call = JSON.stringify([action, input]);
    if (!made.has(token)) made.set(token, call);
    if (lost[calls] === 'response') throw new Error('The service does not answer.');
    if (made.get(token) !== call) throw Object.assign(new Error('Used.'), { code: 'idempotency_key_reused', field: 'token' });
    return { made: input };
  };
  return { made, change: tokened(invoke) };
};

const twoChoices = [
  ['key.create', { name: 'Till' }, { name: 'Counter' }],
  ['key.replace', { id: 'key_1', old_key_hours: 24 }, { id: 'key_1', old_key_hours: 0 }],
  ['webhook.create', { url: 'https://a.example' }, { url: 'https://b.example' }],
] as const;

test.each(twoChoices)(
  '%s with other choices after a lost response returns the first record, not a second one',
  async (action, first, second) => {
    const { made, change } = makerOf({ 1: 'response' });
    await expect(change(action, first)).rejects.toThrow('does not answer');
    expect([await change(action, second), made.size]).toEqual([{ made: first }, 1]);
    expect([await change(action, second), made.size]).toEqual([{ made: second }, 2]);
  },
);

test.each(twoChoices)('%s with other choices after a lost request makes the record with these choices', async (action, first, second) => {
  const { made, change } = makerOf({ 1: 'request' });
  await expect(change(action, first)).rejects.toThrow('does not answer');
  expect([await change(action, second), made.size]).toEqual([{ made: second }, 1]);
});

test('a change finds the record of any earlier try', async () => {
  const { made, change } = makerOf({ 1: 'request', 2: 'response' });
  for (const name of ['a', 'b']) await expect(change('key.create', { name })).rejects.toThrow('does not answer');
  // The third call is rejected, the fourth finds the record of `b`.
  expect(await change('key.create', { name: 'c' })).toEqual({ made: { name: 'b' } });
  expect(made.size).toBe(1);
});

test('replacing another key is another change', async () => {
  const { made, change } = makerOf({ 1: 'response' });
  await expect(change('key.replace', { id: 'key_1', old_key_hours: 24 })).rejects.toThrow();
  expect(await change('key.replace', { id: 'key_2', old_key_hours: 24 })).toEqual({ made: { id: 'key_2', old_key_hours: 24 } });
  expect(made.size).toBe(2);
});
