import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openParameters } from '../../../local/engine/parameters.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parameters-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const write = (text: string) => writeFile(join(dataDir, 'parameters.json'), text);

test('parameters are fields of a file in the data directory, which each request reads', async () => {
  const read = openParameters(dataDir);
  await write('{"acct_1/stripe/secret_key":"sk_test"}');
  expect(await read('acct_1/stripe/secret_key')).toBe('sk_test');
  await write('{"acct_1/stripe/secret_key":"sk_new"}');
  expect(await read('acct_1/stripe/secret_key')).toBe('sk_new');
});

test.each([
  ['a name that it does not hold', '{"acct_2/x":"secret-value"}', 'does not name'],
  ['a value that is no text', '{"acct_1/x":1}', 'does not name'],
  ['what is no JSON', '{"acct_1/x": "secret-value', 'no JSON'],
  ['what is no object', 'null', 'does not name'],
])('%s is a failure that quotes nothing of the file', async (_name, text, reason) => {
  await write(text);
  const failure = await openParameters(dataDir)('acct_1/x').catch((error: Error) => error.message);
  expect(failure).toContain(reason);
  expect(failure).not.toContain('secret-value');
});

test('parameters are empty without a file, or in memory only', async () => {
  await expect(openParameters(dataDir)('acct_1/x')).rejects.toThrow('no readable parameters.json');
  await expect(openParameters(undefined)('acct_1/x')).rejects.toThrow('without a data directory');
});
