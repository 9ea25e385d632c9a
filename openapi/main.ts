import { writeFile } from 'node:fs/promises';
import { openApiDocument } from './document.ts';
import { script } from './examples/script.ts';
import { onStage } from './examples/stage.ts';
import { reduced } from './reduced.ts';

/** Path of the document from the root of the project. */
export const documentPath = 'docs/openapi.json';
/** Path of the second document, for generators of clients. */
export const reducedPath = 'docs/openapi-3.0.json';

const written = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** Returns the document's text. Sends every example to the service first. */
export const generate = async (): Promise<string> => written(openApiDocument(await onStage(script)));

/** Returns the second document's text, from the text of the first. */
export const reducedText = (text: string): string => written(reduced(JSON.parse(text)));

if (import.meta.main) {
  const text = await generate();
  for (const [path, content] of Object.entries({ [documentPath]: text, [reducedPath]: reducedText(text) })) {
    await writeFile(new URL(`../${path}`, import.meta.url), content);
    console.log(`${path}: ${Buffer.byteLength(content)} bytes`);
  }
}
