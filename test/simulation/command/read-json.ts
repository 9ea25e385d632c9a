import { readFileSync } from 'node:fs';
import { UsageError } from './options.ts';

/** Returns the JSON of a file; undefined if it does not exist. Throws `UsageError`. */
export const readJson = (file: string): unknown => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} holds no JSON.`);
  }
};
