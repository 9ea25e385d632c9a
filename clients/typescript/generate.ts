import { parseArgs } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';

/** Writes the types of `docs/openapi.json`: into `src/generated`, or where `--into DIR` says. Asks no network. */
const { values } = parseArgs({ options: { into: { type: 'string', default: `${import.meta.dirname}/src/generated` } } });

await createClient({
  input: `${import.meta.dirname}/../../docs/openapi.json`,
  output: { path: values.into, entryFile: false },
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent', file: false },
});
