import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import { startEngine, type TestEngine } from './engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

test('stores of two prefixes share nothing', async () => {
  const [one, two] = await Promise.all([engine.createStore('one', systemClock), engine.createStore('two', systemClock)]);
  await one.commit([one.accounts.putSettingsWrite('acct_1', { event_categories: [] })]);
  expect(await one.accounts.getSettings('acct_1')).toEqual({ event_categories: [] });
  expect(await two.accounts.getSettings('acct_1')).toEqual({});
});
