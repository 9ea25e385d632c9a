import { describe, expect, test } from '@jest/globals';
import { useStripe } from '../checkout-page/stripe-counter.ts';
import { bookFaults } from './books.ts';
import type { Cases, Effect } from './case.ts';
import { actionCases, noticeCases, requestCases } from './cases/all.ts';
import { knownCases, knownFaultsOf } from './known-faults.ts';
import { droppedFaults, eventFaults, listFaults, timeFaults } from './rules.ts';
import { openScene, type Scene } from './scene.ts';

const t = useStripe();

/** Does the case's work. Returns its result, or the fault that it was not rejected as it must be. */
const work = async ({ account }: Scene, action: string | undefined, { input, run, rejected }: Effect) => {
  if (run || action === undefined) return { result: await run?.(), faults: [] };
  const response = await t.service.call(action, account, input);
  if (response.ok) return { result: response.result, faults: rejected === undefined ? [] : ['it was not rejected'] };
  const { status, field }: { status: number; field?: string } = { status: response.status, ...response.body.error };
  const isExpected = status === rejected?.status && (rejected.field ?? field) === field;
  return { result: undefined, faults: isExpected ? [] : [`it was rejected with ${status}${field === undefined ? '' : ` for ${field}`}`] };
};

/** Returns every difference between what the case led to and what the rules demand. */
const faultsOf = async (scene: Scene, action: string | undefined, effect: Effect): Promise<ReadonlySet<string>> => {
  const { input = {}, events = [], read, saved, gone = [] } = effect;
  const before = await scene.snapshot();
  const { result, faults } = await work(scene, action, effect);
  if (faults.length > 0) return new Set(faults);
  const emitted = await scene.emitted();
  const after = await scene.snapshot(before);
  const [key, shows = input] = read?.((result ?? {}) as Record<string, unknown>) ?? [];
  const missing = [...before.records.keys()].filter((one) => !after.records.has(one) && !gone.includes(one));
  return new Set([
    ...(after.lists === undefined ? [] : missing.map((one) => `the ${one.split(' ')[0]} is gone`)),
    ...gone.filter((one) => after.records.has(one)).map((one) => `the ${one.split(' ')[0]} is still read`),
    ...timeFaults(before, after, saved),
    ...eventFaults(after, events, emitted),
    ...listFaults(after),
    ...bookFaults(before, after, input),
    ...(key === undefined ? [] : droppedFaults(after, key, shows)),
  ]);
};

/** Every case by its title, with the action that it calls. */
const cases: readonly (readonly [title: string, action: string | undefined, prepare: Cases[string]])[] = [
  ...Object.entries(actionCases).flatMap(([name, own]) =>
    own === 'no record' ? [] : Object.entries(own).map(([title, prepare]) => [`${name}: ${title}`, name, prepare] as const),
  ),
  ...Object.entries({ ...noticeCases, ...requestCases }).map(([title, prepare]) => [title, undefined, prepare] as const),
];

describe('effects', () => {
  test.each(cases)('%s changes, emits, lists and shows what is specified, and nothing else', async (title, action, prepare) => {
    const scene = await openScene(t);
    const faults = await faultsOf(scene, action, await prepare(scene));
    expect([...faults].sort()).toEqual([...knownFaultsOf(title)].sort());
  });

  test('every known fault names a case that exists', () => {
    const titles = cases.map(([title]) => title);
    expect(knownCases.filter((title) => !titles.includes(title))).toEqual([]);
  });
});
