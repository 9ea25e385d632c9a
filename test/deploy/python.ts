import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { run } from './children.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const environment = fileURLToPath(new URL('../../.local/python', import.meta.url));

const tryTo = async (command: string, args: readonly string[], otherwise: string): Promise<void> => {
  const { code, output } = await run(command, args).catch((error: Error) => ({ code: null, output: error.message }));
  if (code !== 0) throw new Error(`${otherwise}\n${output.trim()}`);
};

const make = async (): Promise<void> => {
  const isRecent = 'import sys; sys.exit(sys.version_info < (3, 11))';
  await tryTo('python3', ['-c', isRecent], 'The Python tools need python3, 3.11 or later.');
  await rm(environment, { recursive: true, force: true });
  await mkdir(environment, { recursive: true });
  await tryTo('python3', ['-m', 'venv', environment], 'python3 has no venv; on Debian and Ubuntu: apt-get install python3-venv');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
  await tryTo(`${environment}/bin/python`, pip, 'pip could not install test/deploy/requirements.txt.');
};

/**
 * Path of a command of the Python packages pinned in requirements.txt. They live in an environment of their own under `.local/`,
 * made at the first use and again whenever a pin has changed. Rejects, saying what is missing, where they cannot be installed.
 */
export const pythonTool = async (command: string): Promise<string> => {
  const marker = `${environment}/installed.txt`;
  const pins = await readFile(requirements, 'utf8');
  const installed = await readFile(marker, 'utf8').catch(() => '');
  // The Python that an environment was made from may be gone.
  const starts = await run(`${environment}/bin/python`, ['--version']).catch(() => undefined);
  if (installed !== pins || starts?.code !== 0) {
    await make();
    // Written last, so that an interrupted installation is begun anew.
    await writeFile(marker, pins);
  }
  return `${environment}/bin/${command}`;
};
