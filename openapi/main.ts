import { writeFile } from 'node:fs/promises';
import { documentPath, generate } from './generate.ts';

const text = await generate();
await writeFile(new URL(`../${documentPath}`, import.meta.url), text);
console.log(`${documentPath}: ${Buffer.byteLength(text)} bytes`);
