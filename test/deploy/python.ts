import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const environment = fileURLToPath(new URL('../../.local/python', import.meta.url));

/**
 * Path of a command of the Python packages pinned in requirements.txt. They live in an environment of their own under `.local/`,
 * made at the first use and again whenever a pin has changed. Rejects where `python3` (3.10 or later, with venv) is missing.
 */
export const pythonTool = async (command: string): Promise<string> => {
  const marker = `${environment}/installed.txt`;
  const pins = await readFile(requirements, 'utf8');
  // Written last, so that an interrupted installation is begun anew.
  if ((await readFile(marker, 'utf8').catch(() => '')) !== pins) {
    await rm(environment, { recursive: true, force: true });
    await mkdir(environment, { recursive: true });
    await run('python3', ['-m', 'venv', environment]);
    await run(`${environment}/bin/python`, [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--requirement',
      requirements,
    ]);
    await writeFile(marker, pins);
  }
  return `${environment}/bin/${command}`;
};
