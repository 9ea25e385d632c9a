import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { modelsOf } from './generate/models.ts';
import { methodsOf, resourcesOf } from './generate/resources.ts';
import type { Document } from './generate/types.ts';

/**
 * Writes what the Python client takes from `docs/openapi.json`: into `_generated`, or where `--into
 * DIR` says. Asks no network.
 */
const { values } = parseArgs({ options: { into: { type: 'string', default: `${import.meta.dirname}/src/bakery_commerce/_generated` } } });

const document = JSON.parse(await readFile(`${import.meta.dirname}/../../docs/openapi.json`, 'utf8')) as Document;
const methods = methodsOf(document);
const files = {
  '__init__.py': '"""Made from docs/openapi.json; `npm run client` writes it."""\n',
  'models.py': modelsOf(document),
  'resources.py': resourcesOf(document, methods, 'sync'),
  'async_resources.py': resourcesOf(document, methods, 'async'),
};
await mkdir(values.into, { recursive: true });
for (const [name, text] of Object.entries(files)) await writeFile(`${values.into}/${name}`, text);
