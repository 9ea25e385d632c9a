import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { manifest, readJson } from './manifest.ts';

interface Rule {
  readonly description: string;
  readonly matchManagers: readonly string[];
  readonly matchPackageNames?: readonly string[];
  readonly groupName?: string;
  readonly allowedVersions?: string;
}

const {
  extends: presets,
  packageRules,
  enabledManagers,
  ignorePresets,
} = readJson('.github/renovate.json') as {
  readonly packageRules: readonly Rule[];
  readonly extends: readonly string[];
  readonly enabledManagers: readonly string[];
  readonly ignorePresets: readonly string[];
};

const requirements = ['test/deploy/requirements.txt', 'test/python/go-requirements.txt', 'test/python/client-requirements.txt'];
const known: Readonly<Record<string, readonly string[]>> = {
  npm: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }),
  pip_requirements: requirements.flatMap((file) => readFileSync(file, 'utf8').match(/^[\w.-]+(?===)/gm) ?? []),
  'github-actions': [],
  dockerfile: readFileSync('Dockerfile', 'utf8').match(/(?<=^FROM )[\w./-]+/gm) ?? [],
};

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('/**') ? name.startsWith(pattern.slice(0, -2)) : name === pattern;

const ruleFor = (name: string, has: keyof Rule): Rule | undefined =>
  packageRules.findLast((rule) => rule[has] !== undefined && rule.matchPackageNames?.some((pattern) => matches(name, pattern)));

test('every name in a rule is a dependency of its manager, so no rule outlives what it is about', () => {
  const dead = packageRules.flatMap(({ matchManagers, matchPackageNames = [] }) =>
    matchPackageNames.filter((pattern) => !matchManagers.some((manager) => known[manager]?.some((name) => matches(name, pattern)))),
  );
  expect(dead).toEqual([]);
  expect(packageRules.flatMap(({ matchManagers }) => matchManagers.filter((manager) => !enabledManagers.includes(manager)))).toEqual([]);
});

test('every rule says why', () => {
  expect(packageRules.filter(({ description }) => description.length < 15)).toEqual([]);
});

test('Renovate updates the packages of the CDK together and its command below 3, and leaves Middy on 7 and Node on 24', () => {
  expect(new Set(['aws-cdk', 'aws-cdk-lib', 'constructs', 'cdk-nag'].map((name) => ruleFor(name, 'groupName')?.groupName))).toEqual(
    new Set(['CDK']),
  );
  const allowed = ['aws-cdk', '@middy/core', 'node', '@types/node'].map((name) => ruleFor(name, 'allowedVersions')?.allowedVersions);
  expect(allowed).toEqual(['<3.0.0', '^7.0.0', '^24.0.0', '^24.0.0']);
});

test('the Python tools below test/ are included, though Renovate leaves such folders out by default', () => {
  expect(requirements.filter((file) => !existsSync(file))).toEqual([]);
  expect(ignorePresets).toContain(':ignoreModulesAndTests');
});

test('every image that a Dockerfile begins with is pinned by digest, one digest a tag, which Renovate keeps up to date', () => {
  const files = execFileSync('git', ['ls-files', '*Dockerfile*', '*Containerfile*'], { encoding: 'utf8' }).trim().split('\n');
  const images = files.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=^FROM )\S+/gm) ?? []);
  expect(images.length).toBeGreaterThan(1);
  expect(images.filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  expect(new Set(images).size).toBe(new Set(images.map((image) => image.split('@')[0])).size);
  expect([presets.includes('docker:pinDigests'), enabledManagers.includes('dockerfile')]).toEqual([true, true]);
});
