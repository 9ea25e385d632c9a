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

/** Stands for every other value of an open list, until the types are written. */
const anyOther = 'any other text';

type Part = { readonly [field: string]: unknown };

/** Returns the document with open lists of values as closed ones that have `anyOther`. */
const withOpenValues = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(withOpenValues);
  if (typeof part !== 'object' || part === null) return part;
  const { 'x-extensible-enum': known, ...rest } = part as Part;
  const fields = Object.fromEntries(Object.entries(rest).map(([name, field]) => [name, withOpenValues(field)]));
  if (!Array.isArray(known)) return fields;
  const orNull = Array.isArray(rest['type']) && rest['type'].includes('null') ? [null] : [];
  return { ...fields, enum: [...known, anyOther, ...orNull] };
};

const described = JSON.parse(await readFile(document, 'utf8')) as Document;
await createClient({
  input: withOpenValues(described) as Part,
  output: { path: values.into, entryFile: false },
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent', file: false },
});
const typesFile = `${values.into}/types.gen.ts`;
// An editor completes the known values, and the compiler accepts any text.
await writeFile(typesFile, (await readFile(typesFile, 'utf8')).replaceAll(`'${anyOther}'`, '(string & {})'));
await writeFile(`${values.into}/methods.gen.ts`, methodsModule(described));
