import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bundledPackages } from './bundled.ts';
import { lockedPackages, nameOf, tableUnder } from './manifest.ts';

/** Permissive licenses that require at most a notice. */
const deployable = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
const permissive = [...deployable, 'BlueOak-1.0.0', 'CC0-1.0'];

/** `A OR B` needs one allowed licence, `A AND B` both. No parentheses but around the whole. */
const isAllowed = (licence: string, allowed: readonly string[]): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => allowed.includes(name)));

const locked = lockedPackages();

/**
 * Builds for other platforms are locked without their manifest: their licence is that of the
 * package that offers them.
 */
const licenceOf = (path: string): string => {
  const entry = locked.get(path);
  if (entry?.license !== undefined) return entry.license;
  const [offering] = [...locked.values()].filter(({ optionalDependencies = {} }) => nameOf(path) in optionalDependencies);
  return (entry?.optional && offering?.license) || 'none named';
};

const exceptions = tableUnder('Licences');

test('every locked package is under a permissive licence, but for the exceptions that the page reasons', () => {
  const others = [...locked.keys()].filter((path) => !isAllowed(licenceOf(path), permissive));
  const found = new Map(others.map((path) => [`${nameOf(path)} ${licenceOf(path)}`, path]));
  expect([...found.keys()].sort()).toEqual(exceptions.map(([name, licence]) => `${name} ${licence}`));
  expect(exceptions.filter(([, , reason]) => (reason ?? '').length < 20)).toEqual([]);
});

test('the page names the licences that are judged permissive', () => {
  const page = readFileSync('docs/dependencies.md', 'utf8').replaceAll('\n', ' ');
  expect(page).toContain(`under one of ${[...permissive].sort().join(', ')}. `);
  expect(page).toContain(`${deployable.slice(0, -1).join(', ')} and ${deployable.at(-1)} only.`);
});

test('the functions contain only packages with licences that ask for a notice at most', async () => {
  const bundled = [...(await bundledPackages())];
  expect(bundled.length).toBeGreaterThan(15);
  expect(bundled.filter((path) => !isAllowed(licenceOf(path), deployable))).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-or-later)', true],
  ['MIT AND BSD-3-Clause', true],
  ['MIT AND GPL-2.0-only', false],
  ['GPL-3.0-or-later', false],
  ['none named', false],
])('%s is judged %s', (licence, verdict) => {
  expect(isAllowed(licence, permissive)).toBe(verdict);
});
