import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
test.each([
  ['clients/typescript/generate.ts', 'clients/typescript/src/generated'],
  ['clients/python/generate.ts', 'clients/python/src/bakery_commerce/_generated'],
])('the code that %s generates from docs/openapi.json is committed; if this fails, run npm run client', async (generator, committed) => {
  const fresh = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    await run(process.execPath, [generator, '--into', fresh]);
    const names = await readdir(fresh);
    expect((await readdir(committed)).filter((name) => name !== '__pycache__')).toEqual(names);
    for (const name of names) expect(await readFile(join(committed, name), 'utf8')).toBe(await readFile(join(fresh, name), 'utf8'));
  } finally {
    await rm(fresh, { recursive: true });
  }
});
