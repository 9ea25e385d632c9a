import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { type Document, methodsModule } from './methods.ts';

/**
 * Writes types and methods of `docs/openapi.json`: into `src/generated`, or where `--into DIR`
 * says. Asks no network.
 */
const { values } = parseArgs({ options: { into: { type: 'string', default: `${import.meta.dirname}/src/generated` } } });
const document = `${import.meta.dirname}/../../docs/openapi.json`;

await createClient({
  input: document,
  output: { path: values.into, entryFile: false },
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent', file: false },
});
await writeFile(`${values.into}/methods.gen.ts`, methodsModule(JSON.parse(await readFile(document, 'utf8')) as Document));
