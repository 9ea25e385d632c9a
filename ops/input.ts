import { readFile } from 'node:fs/promises';
import { ApiError, invalidValue } from '../shared/core/errors.ts';

const readAll = async (stream: AsyncIterable<string | Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

const readSource = async (source: string, stdin: AsyncIterable<string | Uint8Array>): Promise<string> => {
  if (source === '-') return readAll(stdin);
  if (!source.startsWith('@')) return source;
  try {
    return await readFile(source.slice(1), 'utf8');
  } catch (error) {
    throw invalidValue('json', `--json: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** The value behind `--json`; throws `invalid_json` where it is none. */
export const readInput = async (source: string | undefined, stdin: AsyncIterable<string | Uint8Array>): Promise<unknown> => {
  if (source === undefined) return undefined;
  const text = await readSource(source, stdin);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ApiError('invalid_json', `--json is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
};
