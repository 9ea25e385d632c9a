import { readFile, rename, writeFile } from 'node:fs/promises';

/** The latest `updated_at` of the last complete run, by resource. */
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

/** Writes all or nothing, even if the process dies. */
export const writeCheckpoints = async (path: string, checkpoints: Checkpoints): Promise<void> => {
  await writeFile(`${path}.new`, `${JSON.stringify(checkpoints, null, 2)}\n`);
  await rename(`${path}.new`, path);
};
