import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { signatureHeader } from '../../shared/webhooks/signing.ts';
import { checksOf, runChecks, type Tally } from '../deploy/check.ts';
import { mustRun, run } from '../deploy/children.ts';
import { buildWheel, installBuilt, installPinned, pythonTool } from '../deploy/python.ts';
import { type Service, startService } from '../python/service.ts';
import { installNpmTools } from '../support/npm-tools.ts';

/**
 * `npm run test:runtimes`: packs both clients, installs them in empty folders, and runs the same short program in
 * every runtime that the registries serve: Node, workers, Deno, Bun, bundles of webpack (for workerd) and Metro, and
 * each installed version of Python with a pool of forked processes. Prints what it skips.
 */
const nodes = ['18.20.8', '20.20.2', '22.23.5', '24.21.0', '26.10.0'];
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const tools = {
  deno: ['deno@2.9.6', `@deno/${platform}-glibc/deno`],
  bun: ['bun@1.4.5', `@oven/bun-${platform}/bin/bun`],
} as const;
const pythons = ['3.9', '3.10', '3.11', '3.12', '3.13', '3.14'];

const tally: Tally = { passed: 0, failed: 0 };
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const check = checksOf('client', tally, print);
const skip = (name: string, reason: unknown): void => print(`skip  ${name}: ${String(reason).split('\n')[0]}`);

const secret = 'whsec_runtimes';
const body = '{"id":"evt_1","type":"order.created","created":1,"api_version":"v1","data":{"object":{"name":"Crème"}},"tenant_id":"acct_1"}';

/** The environment of a program: an account of its own, and a delivery that was signed now. */
const environmentOf = async (service: Service): Promise<Readonly<Record<string, string | undefined>>> => {
  const { BAKERY_API_KEY: key } = await service.newAccount();
  const settings = { url: service.url, key, secret, body, signature: signatureHeader(secret, Math.floor(Date.now() / 1000), body) };
  return { ...process.env, BAKERY_API_KEY: key, SETTINGS: JSON.stringify(settings) };
};

const expected = [19, true, '400 invalid_value amount', 'order.created', 'mismatch'];

const prove = async (service: Service, command: string, args: readonly string[], cwd: string, more: readonly unknown[]): Promise<void> => {
  const { stdout } = await mustRun(command, args, { cwd, env: await environmentOf(service) });
  const wanted = JSON.stringify([...expected, ...more]);
  if (JSON.stringify(JSON.parse(stdout)) !== wanted) throw new Error(`printed ${stdout.trim()} and not ${wanted}`);
};

/** Tools from npm in a folder each, so that one that is not served skips only itself. */
const install = async (name: string, packages: readonly string[]): Promise<string | undefined> => {
  try {
    return await installNpmTools(`runtimes/${name}`, packages);
  } catch (error) {
    skip(name, error instanceof Error ? error.message.split('\n').slice(1).join(' ') : error);
    return undefined;
  }
};

/** A project with the packed client and the programs. */
const startProject = async (folder: string): Promise<string> => {
  await mustRun('npm', ['pack', './clients/typescript', '--pack-destination', folder]);
  const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const project = join(folder, 'project');
  cpSync(resolve('test/runtimes/programs'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  await mustRun('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed)], { cwd: project });
  return project;
};

const checkJavaScript = async (service: Service, project: string): Promise<void> => {
  const abort = ['AbortError'];
  for (const version of nodes) {
    const installed = await install(`node-${version}`, [`node-${platform}@${version}`]);
    if (!installed) continue;
    const node = join(installed, 'node_modules', `node-${platform}`, 'bin/node');
    for (const program of ['main.mjs', 'main.cjs', 'worker.mjs'])
      await check(`Node ${version} runs ${program}`, () => prove(service, node, [program], project, abort));
  }
  for (const [name, [wanted, binary]] of Object.entries(tools)) {
    const installed = await install(name, [wanted]);
    const program = installed && join(installed, 'node_modules', binary);
    if (!program || !existsSync(program)) continue;
    const options = name === 'deno' ? ['run', '--allow-all', '--no-remote'] : [];
    for (const file of ['main.mjs', 'main.cjs', 'worker.mjs'])
      await check(`${wanted} runs ${file}`, () => prove(service, program, [...options, file], project, abort));
  }
  const worker = await install('workerd', ['webpack@5.113.0', 'workerd@1.20261117.1']);
  if (worker)
    await check('a bundle of webpack runs in workerd', () => prove(service, process.execPath, ['workerd.cjs', worker], project, abort));
  const metro = await install('metro', ['metro@0.87.1']);
  if (!metro) return;
  cpSync(join(metro, 'node_modules'), join(project, 'node_modules'), { recursive: true });
  for (const system of ['ios', 'android'])
    await check(`a bundle of Metro for ${system} runs`, async () => {
      await mustRun(process.execPath, ['bundle.cjs', system], { cwd: project });
      await prove(service, process.execPath, ['metro-main.cjs'], project, abort);
    });
};

/** The first programs of the page, run from the packed package. */
const checkReadme = async (service: Service, project: string): Promise<void> => {
  await check('the first programs of its README run from the package', async () => {
    const page = readFileSync('clients/typescript/README.md', 'utf8');
    const [first = '', errors = ''] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
    const program = (first + errors).replace('http://us.localhost:4000/api/v2', service.url);
    writeFileSync(join(project, 'readme.mts'), program);
    const { stdout } = await mustRun(process.execPath, ['readme.mts'], { cwd: project, env: await environmentOf(service) });
    if (!/^#\d+ 48\n/.test(stdout)) throw new Error(stdout);
  });
};

/** Returns a Python of the version: on the path, or of pyenv. */
const pythonOf = async (version: string): Promise<string | undefined> => {
  const versions = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions) ? readdirSync(versions).filter((name) => name.startsWith(`${version}.`)) : [];
  for (const python of [`python${version}`, ...ofPyenv.map((name) => join(versions, name, 'bin/python'))]) {
    const { code } = await run(python, ['-c', 'import venv']).catch(() => ({ code: 1 }));
    if (code === 0) return python;
  }
  return undefined;
};

const checkPython = async (service: Service, folder: string): Promise<void> => {
  const tool = await pythonTool('python');
  await buildWheel(tool, resolve('clients/python'), folder);
  const wheel = join(folder, (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '');
  for (const version of pythons) {
    const python = await pythonOf(version);
    if (!python) {
      skip(`Python ${version}`, 'is not installed');
      continue;
    }
    const environment = join(folder, `python-${version}`);
    const own = join(environment, 'bin/python');
    await mustRun(python, ['-m', 'venv', '--without-pip', environment]);
    if (version === '3.9') {
      await check('Python 3.9 is rejected when the wheel is installed', async () => {
        const message = await installBuilt(tool, wheel, own).then(
          () => 'It was installed.',
          ({ message }: Error) => message,
        );
        if (!message.includes('requires a different Python')) throw new Error(message);
      });
      continue;
    }
    await check(`Python ${version} runs the program and a forked pool`, async () => {
      await installPinned(tool, 'test/python/client-requirements.txt', own);
      await installBuilt(tool, wheel, own);
      await prove(service, own, [resolve('test/runtimes/programs/prove.py')], folder, [Array(9).fill(19), 19]);
    });
  }
};

const main = async (folder: string): Promise<void> => {
  const service = await startService();
  try {
    const project = await startProject(folder);
    await checkReadme(service, project);
    await checkJavaScript(service, project);
    await checkPython(service, folder);
  } finally {
    await service.runtime.stop();
  }
};

await runChecks('runtimes', tally, main);
