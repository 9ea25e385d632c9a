import { writeFile } from 'node:fs/promises';
import { openApiDocument } from './document.ts';
import { normalise } from './examples/normalise.ts';
import { script } from './examples/script.ts';
import { onStage } from './examples/stage.ts';

/** Path of the document from the root of the project. */
export const documentPath = 'docs/openapi.json';

/** Returns the document's text. Sends every example to the service first. */
export const generate = async (): Promise<string> => `${JSON.stringify(openApiDocument(normalise(await onStage(script))), null, 2)}\n`;

if (import.meta.main) {
  const text = await generate();
  await writeFile(new URL(`../${documentPath}`, import.meta.url), text);
  console.log(`${documentPath}: ${Buffer.byteLength(text)} bytes`);
}
