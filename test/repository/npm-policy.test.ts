import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Served, serve } from '../support/serve.ts';

/** Runs npm with the project's .npmrc against a registry of this test on loopback. */
const version = execFileSync('npm', ['--version'], { encoding: 'utf8', cwd: tmpdir() }).trim();
const [major = 0, minor = 0] = version.split('.').map(Number);
/** Older versions of npm ignore both settings. */
const knowsPolicies = major > 11 || (major === 11 && minor >= 17);

/** An archive with package.json alone. */
const archive = (manifest: object): Buffer => {
  const content = Buffer.from(JSON.stringify(manifest));
  const header = Buffer.alloc(512);
  header.write('package/package.json');
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return gzipSync(Buffer.concat([header, content, Buffer.alloc(512 - (content.length % 512)), Buffer.alloc(1024)]));
};

const dayMs = 86_400_000;
let folder: string;
let server: Served;
/** Published packages by name: days since, and whether they have an install script. */
const published = new Map<string, { readonly ageDays: number; readonly scripted: boolean }>();

const markOf = (name: string): string => join(folder, `${name}.ran`);
const manifestOf = (name: string) => {
  const script = `node -e "require('fs').writeFileSync(process.env.MARKS + '/${name}.ran', '')"`;
  return { name, version: '1.0.0', ...(published.get(name)?.scripted ? { scripts: { install: script } } : {}) };
};

beforeAll(async () => {
  server = await serve(({ url = '' }, response) => {
    const name = /^\/([a-z-]+)/.exec(url)?.[1] ?? '';
    const one = published.get(name);
    if (!one) return void response.writeHead(404).end('{}');
    const bytes = archive(manifestOf(name));
    if (url.endsWith('.tgz')) return void response.end(bytes);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${server.url}/${name}/-/${name}-1.0.0.tgz`, integrity };
    const time = new Date(Date.now() + -one.ageDays * dayMs).toISOString();
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { ...manifestOf(name), ...(one.scripted && { hasInstallScript: true }), dist } },
        time: { created: time, modified: time, '1.0.0': time },
      }),
    );
  });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-policy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => server.stop());

/**
 * Runs npm in a project that depends on the packages, under the project's own settings and no
 * others of this machine.
 */
const npm = (command: string, names: readonly string[], allowScripts: Readonly<Record<string, boolean>> = {}) => {
  copyFileSync('.npmrc', join(folder, '.npmrc'));
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0', dependencies, allowScripts }));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    MARKS: folder,
    npm_config_registry: server.url,
    npm_config_userconfig: join(folder, 'none'),
    npm_config_globalconfig: join(folder, 'no-other'),
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile('npm', [command], { cwd: folder, env, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
};
const isInstalled = (name: string): boolean => existsSync(join(folder, 'node_modules', name, 'package.json'));

test('the settings are those of the page', () => {
  const page = readFileSync('docs/dependencies.md', 'utf8');
  const settings = readFileSync('.npmrc', 'utf8')
    .split('\n')
    .filter((line) => /^(strict-allow-scripts|min-release-age|omit-lockfile-registry-resolved)=/.test(line));
  expect(settings).toEqual(['strict-allow-scripts=true', 'min-release-age=7', 'omit-lockfile-registry-resolved=true']);
  for (const setting of settings) expect(page).toContain(`\`${setting}\``);
});

(knowsPolicies ? describe : describe.skip)(`npm ${version}`, () => {
  beforeEach(() => {
    published.set('scripted', { ageDays: 30, scripted: true });
    published.set('plain', { ageDays: 30, scripted: false });
    published.set('young', { ageDays: 6, scripted: false });
  });

  test('npm installs a plain package that is a week old', async () => {
    expect(await npm('install', ['plain'])).toMatchObject({ code: 0 });
    expect(isInstalled('plain')).toBe(true);
  });

  test('npm runs the install script of an allowed package, and skips the script of a denied package', async () => {
    expect(await npm('install', ['scripted'], { scripted: true })).toMatchObject({ code: 0 });
    expect(existsSync(markOf('scripted'))).toBe(true);
    rmSync(markOf('scripted'));
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(await npm('ci', ['scripted'], { scripted: false })).toMatchObject({ code: 0 });
    expect([isInstalled('scripted'), existsSync(markOf('scripted'))]).toEqual([true, false]);
  });

  test.each(['install', 'ci'])('npm %s ends before an unlisted install script runs, and names its package', async (command) => {
    if (command === 'ci') {
      await npm('install', ['scripted'], { scripted: false });
      rmSync(join(folder, 'node_modules'), { recursive: true });
    }
    const { code, output } = await npm(command, ['scripted']);
    expect([code, existsSync(markOf('scripted')), isInstalled('scripted')]).toEqual([1, false, false]);
    expect(output).toContain('scripted@1.0.0');
  });

  test.each(['install', 'ci'])('npm %s takes no version that was published in the last seven days', async (command) => {
    if (command === 'ci') {
      published.set('young', { ageDays: 30, scripted: false });
      expect(await npm('install', ['young'])).toMatchObject({ code: 0 });
      rmSync(join(folder, 'node_modules'), { recursive: true });
      rmSync(join(folder, 'cache'), { recursive: true });
      published.set('young', { ageDays: 6, scripted: false });
    }
    const { code, output } = await npm(command, ['young']);
    expect([code, isInstalled('young')]).toEqual([1, false]);
    expect(output).toContain('young@1.0.0');
  });
});
