import { writeFile } from 'node:fs/promises';
import { collectionOf, collectionPath } from './collection.ts';
import { documentPath, generate } from './generate.ts';

const text = await generate();
await writeFile(new URL(`../${documentPath}`, import.meta.url), text);
console.log(`${documentPath}: ${Buffer.byteLength(text)} bytes`);
await writeFile(new URL(`../${collectionPath}`, import.meta.url), `${JSON.stringify(collectionOf(JSON.parse(text)), null, 2)}\n`);
