import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mustRun } from '../deploy/children.ts';

/**
 * Installs packages of exact versions that are no dependency of the project, under `.local/`, and returns
 * the folder. Installs again after a version changes. No script of a package runs. npm's cache keeps the downloads.
 */
export const installNpmTools = async (name: string, packages: readonly string[]): Promise<string> => {
  const folder = fileURLToPath(new URL(`../../.local/${name}`, import.meta.url));
  const marker = `${folder}/installed.txt`;
  const wanted = packages.join('\n');
  if ((await readFile(marker, 'utf8').catch(() => '')) === wanted) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, '{ "private": true }\n');
  const options = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await mustRun('npm', ['install', ...options, ...packages], { cwd: folder });
  // Written last, so that an interrupted installation starts again.
  await writeFile(marker, wanted);
  return folder;
};
