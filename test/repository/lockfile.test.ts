import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { lockedPackages, manifest, nameOf } from './manifest.ts';

const packages = lockedPackages();

test('the lockfile has every optional package that a locked package names, because npm ci rejects it otherwise', () => {
  const absent = [...packages].flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages.has(`${path}/node_modules/${name}`) && !packages.has(`node_modules/${name}`),
    ),
  );
  expect(absent).toEqual([]);
});

test('every package is locked with the hash of its archive, on every platform, or comes inside the archive of one that is', () => {
  const carrierOf = (path: string): string => path.slice(0, path.lastIndexOf('/node_modules/'));
  const isHashed = (path: string): boolean => {
    const entry = packages.get(path);
    return entry?.integrity?.startsWith('sha512-') ?? (entry?.inBundle === true && isHashed(carrierOf(path)));
  };
  expect([...packages.keys()].filter((path) => !isHashed(path))).toEqual([]);
});

test('no entry of the lockfile names its registry, because each machine asks its own and the hash decides', () => {
  expect([...packages].filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('every package with an install script was decided on, and nothing else is', () => {
  const scripted = [...packages].filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(scripted)].sort());
});

test('npm installs no package of the last seven days and runs no install script that was not decided on, as the page says', () => {
  const page = readFileSync('docs/dependencies.md', 'utf8');
  const settings = readFileSync('.npmrc', 'utf8')
    .split('\n')
    .filter((line) => /^(strict-allow-scripts|min-release-age|omit-lockfile-registry-resolved)=/.test(line));
  expect(settings).toEqual(['strict-allow-scripts=true', 'min-release-age=7', 'omit-lockfile-registry-resolved=true']);
  for (const setting of settings) expect(page).toContain(`\`${setting}\``);
});
