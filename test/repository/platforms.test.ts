import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseOptions } from '../../local/options.ts';
import { lockedPackages, manifest, readJson } from './manifest.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const { engines, devDependencies } = readJson('package.json') as typeof manifest & {
  readonly engines: { readonly node: string };
};

describe('the supported platforms', () => {
  test('nothing that start or tests need is bound to one system: such packages are choices of a package for every system', () => {
    const bound = [...lockedPackages()].filter(([, { os, cpu }]) => os || cpu);
    const required = bound.filter(([, { optional }]) => !optional).map(([path]) => path);
    expect(required).toEqual([]);
    const { dependencies, devDependencies: tools, optionalDependencies = {} } = manifest;
    const named = Object.keys({ ...dependencies, ...tools, ...optionalDependencies });
    expect(named.filter((name) => bound.some(([path]) => path === `node_modules/${name}`))).toEqual([]);
  });

  test('package.json, README and CONTRIBUTING name the same Node', () => {
    const [, oldest] = /^>=(\d+)$/.exec(engines.node) ?? [];
    expect(read('README.md')).toContain(`Node (${oldest} or newer)`);
    expect(read('CONTRIBUTING.md')).toContain(`any installed Node ≥ ${oldest}`);
  });

  test('containers have the Node of the project, and open the ports of npm start', () => {
    const options = parseOptions([]);
    const ports = options === 'help' ? [] : [0, 1, 2, 3].map((offset) => options.port + offset);
    const [, major] = /^\^(\d+)\./.exec(devDependencies['node'] ?? '') ?? [];
    const devcontainer = readJson('.devcontainer/devcontainer.json') as { image: string; forwardPorts: number[]; portsAttributes: object };
    const image = read('Dockerfile');
    expect(devcontainer.image).toContain(`typescript-node:${major}-`);
    expect([devcontainer.forwardPorts, Object.keys(devcontainer.portsAttributes).map(Number)]).toEqual([ports, ports]);
    expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from?.split('-')[0])).toEqual([`node:${major}`, `node:${major}`]);
    expect(image).toContain(`EXPOSE ${ports.join(' ')}\n`);
  });
});
