import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/** Runs while no other call and no other process runs under the file. The lock is SQLite's, which ends with its process. */
export const alone = async <Result>(file: string, run: () => Promise<Result>): Promise<Result> => {
  const lock = new DatabaseSync(file, { timeout: 0 });
  const isTaken = (): boolean => {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if ((error as { readonly errcode?: number }).errcode !== 5) throw error; // SQLITE_BUSY
      return false;
    }
  };
  try {
    while (!isTaken()) await wait(100);
    return await run();
  } finally {
    lock.close();
  }
};
