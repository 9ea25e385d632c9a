import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.ts';
import { run } from './children.ts';

/**
 * Environments under `.local/`, one per requirements file. The second one installs Go, which is
 * large and which only one suite needs.
 */
const pinned = {
  python: 'requirements.txt',
  go: '../python/go-requirements.txt',
  openapiGenerator: '../python/openapi-generator-requirements.txt',
  frameworks: '../integrators/requirements.txt',
} as const;

const tryTo = async (command: string, args: readonly string[], otherwise: string): Promise<void> => {
  const { code, output } = await run(command, args).catch((error: Error) => ({ code: null, output: error.message }));
  if (code !== 0) throw new Error(`${otherwise}\n${output.trim()}`);
};

/**
 * Sources of pip's packages: an index with pinned hashes and without builds, because build
 * dependencies have no hashes; or only local files.
 */
const sources = {
  pinned: ['--require-hashes', '--only-binary', ':all:'],
  here: ['--no-index', '--no-deps', '--no-build-isolation'],
} as const;

type Command = readonly ['install' | 'wheel', keyof typeof sources] | readonly ['check'];

/**
 * Runs pip of one Python for the environment of another. All pip commands of the repository run
 * here.
 */
const pip = (python: string, into: string, [command, source]: Command, args: readonly string[] = []): Promise<void> => {
  const options = [command, ...(source ? sources[source] : []), ...args];
  return tryTo(python, ['-m', 'pip', '--python', into, '--quiet', '--disable-pip-version-check', ...options], `pip ${options.join(' ')}`);
};

/** Installs the pinned packages of a requirements file. */
export const installPinned = (python: string, requirements: string, into = python): Promise<void> =>
  pip(python, into, ['install', 'pinned'], ['--requirement', requirements]);

/** Builds the wheel of a folder of this repository with the environment's build packages. */
export const buildWheel = (python: string, source: string, folder: string): Promise<void> =>
  pip(python, python, ['wheel', 'here'], ['--wheel-dir', folder, source]);

/** Installs a wheel that was built here; fails if its dependencies are not installed. */
export const installBuilt = async (python: string, wheel: string, into: string): Promise<void> => {
  await pip(python, into, ['install', 'here'], [wheel]);
  await pip(python, into, ['check']);
};

const make = async (environment: string, requirements: string): Promise<void> => {
  const isRecent = 'import sys; sys.exit(sys.version_info < (3, 11))';
  await tryTo('python3', ['-c', isRecent], 'The Python tools need python3, 3.11 or later.');
  await rm(environment, { recursive: true, force: true });
  await mkdir(environment, { recursive: true });
  await tryTo('python3', ['-m', 'venv', environment], 'python3 has no venv; on Debian and Ubuntu: apt-get install python3-venv');
  await installPinned(`${environment}/bin/python`, requirements);
};

/**
 * Path of a command of the Python packages pinned in requirements.txt. Their environment under
 * `.local/` is created at the first use and again after a pin changes, by one of the lanes that run side
 * by side. Rejects with the reason if they cannot be installed.
 */
export const pythonTool = async (command: string, name: keyof typeof pinned = 'python'): Promise<string> => {
  const environment = fileURLToPath(new URL(`../../.local/${name}`, import.meta.url));
  const requirements = fileURLToPath(new URL(pinned[name], import.meta.url));
  const marker = `${environment}/installed.txt`;
  const pins = await readFile(requirements, 'utf8');
  await mkdir(dirname(environment), { recursive: true });
  await alone(`${environment}.lock`, async () => {
    const installed = await readFile(marker, 'utf8').catch(() => '');
    // The Python that created an environment may have been removed.
    const starts = await run(`${environment}/bin/python`, ['--version']).catch(() => undefined);
    if (installed === pins && starts?.code === 0) return;
    await make(environment, requirements);
    // Written last, so that an interrupted installation starts again.
    await writeFile(marker, pins);
  });
  return `${environment}/bin/${command}`;
};
