import { expect, test } from '@jest/globals';
import type { Invoke } from '../../clients/developers-page/src/contract.ts';
import { tokened } from '../../clients/developers-page/src/ui/tokens.ts';

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

test('every change has a token of its own, also an equal one', async () => {
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
