import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface LockEntry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test('every optional package that a locked one names is locked too, or npm ci refuses the whole lock', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, LockEntry>> };
  const absent = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  );
  expect(absent).toEqual([]);
});
