import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Replaces Parameter Store. Reads `parameters.json` in the data directory at each use, which the
 * user edits: `{ "<account>/<name>": "<secret>" }`. Rejects with the reason if it has no such
 * parameter.
 */
export const openParameters =
  (dataDir: string | undefined) =>
  async (parameter: string): Promise<string> => {
    if (dataDir === undefined) throw new Error('ParameterNotFound: a service without a data directory has no parameters');
    const file = join(dataDir, 'parameters.json');
    const text = await readFile(file, 'utf8').catch(() => {
      throw new Error('ParameterNotFound: the data directory has no readable parameters.json');
    });
    let parameters: unknown;
    try {
      parameters = JSON.parse(text);
    } catch {
      // The parser's message would quote the file.
      throw new Error('ParameterNotFound: parameters.json is no JSON');
    }
    const value = typeof parameters === 'object' && parameters !== null && (parameters as Record<string, unknown>)[parameter];
    if (typeof value !== 'string' || value === '') throw new Error('ParameterNotFound: parameters.json does not name it');
    return value;
  };
