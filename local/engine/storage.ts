import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Region } from '../../shared/core/config.ts';
import { isNoticed } from '../../shared/core/parking-keys.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import type { State } from './state.ts';

/** Returns S3's notice of a new object. */
const noticeOf = (key: string): string =>
  JSON.stringify({
    Records: [{ eventSource: 'aws:s3', eventName: 'ObjectCreated:Put', s3: { object: { key: encodeURIComponent(key) } } }],
  });

export const openParking = (state: State, region: Region, notices: Queue): ParkingLot => {
  const put = state.prepare('INSERT OR REPLACE INTO parked (region, key, json) VALUES (?, ?, ?)');
  const get = state.prepare('SELECT json FROM parked WHERE region = ? AND key = ?');
  return {
    async park(key, json) {
      put.run(region, key, json);
      if (isNoticed(key)) await notices.send([{ body: noticeOf(key), groupId: region }]);
    },
    async fetch(key) {
      const json = get.get(region, key)?.['json'];
      return typeof json === 'string' ? json : undefined;
    },
  };
};

/**
 * Replaces Parameter Store. Reads `parameters.json` in the data directory at each use, which the
 * user edits: `{ "<account>/<name>": "<secret>" }`. Rejects with the reason if it has no such
 * parameter.
 */
export const openParameters =
  (dataDir: string | undefined) =>
  async (parameter: string): Promise<string> => {
    if (dataDir === undefined) throw new Error('a service without a data directory has no parameters');
    const file = join(dataDir, 'parameters.json');
    const text = await readFile(file, 'utf8').catch(() => {
      throw new Error('the data directory has no readable parameters.json');
    });
    let parameters: unknown;
    try {
      parameters = JSON.parse(text);
    } catch {
      // The parser's message would quote the file.
      throw new Error('parameters.json is no JSON');
    }
    const value = typeof parameters === 'object' && parameters !== null && (parameters as Record<string, unknown>)[parameter];
    if (typeof value !== 'string' || value === '') throw new Error('parameters.json does not name it');
    return value;
  };
