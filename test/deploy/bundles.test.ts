import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { type Bundles, bundleFunctions } from '../../lib/bundle.ts';
import { type FunctionName, functionNames } from '../../lib/functions.ts';
import { bundleForTest, loopbackFunctions } from './bundles.ts';

let outputRoot: string;
let deployed: Bundles;
let tested: Bundles;
beforeAll(async () => {
  outputRoot = await mkdtemp(join(tmpdir(), 'bundles-'));
  [deployed, tested] = await Promise.all([bundleFunctions(`${outputRoot}/deployed`), bundleForTest(`${outputRoot}/tested`)]);
});
afterAll(() => rm(outputRoot, { recursive: true, force: true }));

const textOf = async (bundles: Bundles, name: FunctionName): Promise<string> =>
  (await Promise.all(bundles[name].files.map((file) => readFile(file, 'utf8')))).join('\n');

/** Every delivery policy in a bundle: `[allowLoopback, timeScale]`, minified or not. */
const policiesIn = (text: string): (readonly [boolean, number])[] =>
  [...text.matchAll(/\ballowLoopback:\s*(!0|true|!1|false),\s*timeScale:\s*([\d.e]+)/g)].map(([, loopback = '', scale = '']) => [
    loopback === '!0' || loopback === 'true',
    Number(scale),
  ]);

const policies = async (bundles: Bundles) => {
  const found = await Promise.all(functionNames.map(async (name) => [name, policiesIn(await textOf(bundles, name))] as const));
  return Object.fromEntries(found.filter(([, { length }]) => length > 0));
};

test('no deployed bundle lets a loopback receiver in or shortens the retry schedule', async () => {
  const found = await policies(deployed);
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['actions', 'checkout', 'deliver', 'search-sync', 'sweep', 'webhooks']));
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, [[false, 1]]])));
  for (const name of functionNames) {
    const inputs = Object.keys(deployed[name].metafile.inputs);
    expect([name, inputs.filter((input) => input.startsWith('test/'))]).toEqual([name, []]);
  }
});

test('the same search finds both in the bundles of a test deployment', async () => {
  const found = await policies(tested);
  for (const name of loopbackFunctions) {
    expect(found[name]).toEqual([[true, expect.any(Number)]]);
    expect(found[name]?.[0]?.[1]).toBeGreaterThan(1);
    expect(Object.keys(tested[name].metafile.inputs)).toContain('test/deploy/policy.ts');
  }
});

test('a test deployment differs from a deployment in these bundles only', async () => {
  const different: FunctionName[] = [];
  for (const name of functionNames) if ((await textOf(tested, name)) !== (await textOf(deployed, name))) different.push(name);
  expect(different.sort()).toEqual(loopbackFunctions);
});

test('bin/app.ts reaches no file of the tests', async () => {
  const { metafile } = await build({
    entryPoints: ['bin/app.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('lib/bundle.ts');
  expect(inputs.filter((input) => /^(test|local)\//.test(input))).toEqual([]);
});
