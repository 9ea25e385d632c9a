import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { addressToReplace } from '../../shared/core/static-pages.ts';
import type { Hosts } from './published.ts';
import type { Site } from './site.ts';

/** Loads the site's code only once the folder is known to be fit. */
const openDefault = async (): Promise<Site> => (await import('./site.ts')).openSite();

/** Lists the files of the site, so that the next run knows which it may replace. */
const listName = '.bakery-docs.json';

/** Names of the files in a folder and its subfolders; empty if there is no folder. */
const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
};

const namesIn = async (folder: string): Promise<string[]> => {
  const text = await readFile(join(folder, listName), 'utf8').catch(() => '[]');
  try {
    return [listName, ...JSON.parse(text)];
  } catch {
    throw new Error(`${folder} holds a ${listName} that this command did not write: choose an empty folder or a new one.`);
  }
};

/**
 * Writes the site into a folder and returns the number of files. The folder is new, empty or holds
 * an earlier site; otherwise this throws an error that says why.
 */
export const buildDocs = async (folder: string, open: () => Promise<Site> = openDefault): Promise<number> => {
  const present = await filesIn(folder).catch((error: Error) => {
    throw new Error(`${folder} cannot be read as a folder: ${error.message}.`);
  });
  const written = new Set(await namesIn(folder));
  const stranger = present.find((name) => !written.has(name));
  if (stranger !== undefined)
    throw new Error(`${folder} holds ${stranger}, which this command did not write: choose an empty folder or a new one.`);
  const site = await open();
  const files = new Map(await Promise.all([...site].map(async ([name, make]) => [name, await make()] as const)));
  await mkdir(folder, { recursive: true });
  // Written first, with the names of both sites: if this run is interrupted, the next one knows its
  // own files.
  await writeFile(join(folder, listName), JSON.stringify([...new Set([...present, ...files.keys()])], null, 1));
  for (const name of present) if (name !== listName && !files.has(name)) await rm(join(folder, name));
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  await writeFile(join(folder, listName), JSON.stringify([...files.keys()], null, 1));
  return files.size;
};

/** Writes the site for a deployment, which knows its address later. */
export const writePublishedSite = (folder: string, hosts: Hosts): Promise<number> =>
  buildDocs(folder, async () => (await import('./published.ts')).openPublishedSite(addressToReplace, hosts));

if (import.meta.main) {
  const [folder, ...others] = process.argv.slice(2);
  try {
    if (!folder || folder.startsWith('-') || others.length > 0) throw new Error('Usage: npm run build:docs -- DIR');
    const count = await buildDocs(resolve(folder));
    console.log(`${count} files are in ${resolve(folder)}: serve them from any address.`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
