import { expect, test } from '@jest/globals';
import { bundledPackages } from './bundled.ts';
import { lockedPackages, manifest, nameOf, tableUnder } from './manifest.ts';

const sections = [
  ['Deployed', manifest.dependencies],
  ['Development', manifest.devDependencies],
] as const;

test.each(sections)('%s dependencies: the page lists those of package.json, in order', (heading, dependencies) => {
  expect(tableUnder(heading).map(([name]) => name)).toEqual(Object.keys(dependencies).sort());
});

test('every dependency has its reason, and the licence of its manifest', () => {
  const locked = lockedPackages();
  const rows = sections.flatMap(([heading]) => tableUnder(heading));
  expect(rows.filter(([, reason]) => (reason ?? '').length < 10)).toEqual([]);
  expect(rows.map(([name, , licence]) => [name, licence])).toEqual(
    rows.map(([name]) => [name, locked.get(`node_modules/${name}`)?.license]),
  );
});

test('every deployed dependency is in a function, and nothing else that package.json names', async () => {
  const bundled = new Set([...(await bundledPackages())].map(nameOf));
  const named = sections.flatMap(([, dependencies]) => Object.keys(dependencies));
  expect(named.filter((name) => bundled.has(name)).sort()).toEqual(Object.keys(manifest.dependencies).sort());
});

test('versions that must not move by themselves are exact: the CDK pair', () => {
  const { devDependencies } = manifest;
  const pinned = [devDependencies['aws-cdk'], devDependencies['aws-cdk-lib']];
  expect(pinned.filter((version) => !/^\d+\.\d+\.\d+$/.test(version ?? ''))).toEqual([]);
});
