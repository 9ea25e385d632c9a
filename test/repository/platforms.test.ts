import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { binaries, noEngine } from '../../local/engine/locate.ts';
import { parseOptions } from '../../local/options.ts';
import { lockedPackages, type manifest, readJson } from './manifest.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const { engines, optionalDependencies, devDependencies } = readJson('package.json') as typeof manifest & {
  readonly engines: { readonly node: string };
};

describe('the supported platforms', () => {
  test('lockfile, source, errors and docs name the same systems with a binary of the database', () => {
    const installed = Object.keys(optionalDependencies).filter((name) => name.startsWith('@dynoxide/'));
    expect(installed).toEqual(Object.keys(binaries).map((one) => `@dynoxide/${one}`));
    for (const [system, words] of Object.entries(binaries)) {
      const [platform, processor] = system.split('-');
      expect(lockedPackages().get(`node_modules/@dynoxide/${system}`)).toMatchObject({ os: [platform], cpu: [processor] });
      for (const text of [noEngine, read('docs/local-service.md').split('## Other systems')[1]]) expect(text).toContain(`for ${words}`);
    }
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
