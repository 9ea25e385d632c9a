import { readFile, rename, writeFile } from 'node:fs/promises';

/** By resource, the latest `updated_at` of a walk that came to its end. */
export type Checkpoints = Readonly<Record<string, string>>;

/** Undefined if the file does not exist: everything is fetched. */
export const readCheckpoints = async (path: string): Promise<Checkpoints> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Checkpoints;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
};

/** Whole or not at all, whenever the process dies. */
export const writeCheckpoints = async (path: string, checkpoints: Checkpoints): Promise<void> => {
  await writeFile(`${path}.new`, `${JSON.stringify(checkpoints, null, 2)}\n`);
  await rename(`${path}.new`, path);
};
