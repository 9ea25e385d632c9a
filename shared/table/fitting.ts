import type { Item } from './client.ts';
import { schema } from './schema.ts';

const maxResponseBytes = 1_000_000;
/** Bytes of a response in addition to the stored views: envelope, cursor, commas and timestamps. */
const envelopeBytes = 1_000;
const recordOverheadBytes = 32;

/**
 * Returns an upper bound of a value's bytes as JSON. It counts six bytes per character (`\u0000`),
 * which takes a sixth of the time of writing the JSON.
 */
const maxJsonBytes = (value: unknown): number => {
  if (typeof value === 'string') return 6 * value.length + 2;
  if (typeof value !== 'object' || value === null) return 25; // the longest number
  let bytes = 2;
  if (Array.isArray(value)) for (const entry of value) bytes += 1 + maxJsonBytes(entry);
  // `Object.entries` would take longer than writing the JSON.
  else for (const name in value) bytes += 6 * name.length + 4 + maxJsonBytes((value as Item)[name]);
  return bytes;
};

/**
 * Returns the records that fit into the limit and into 1 MB of response (decisions §3). Returns at
 * least one record, so that paging always advances. It writes their JSON to measure it only if they
 * could exceed 1 MB.
 */
export const takeFitting = (items: readonly Item[], limit: number): readonly Item[] => {
  const page = items.slice(0, limit);
  const views = page.map((item) => item[schema.viewAttribute] ?? item);
  const firstBeyond = (measure: (view: unknown) => number) => {
    let bytes = envelopeBytes;
    return views.findIndex((view, i) => {
      bytes += measure(view) + recordOverheadBytes;
      return i > 0 && bytes > maxResponseBytes;
    });
  };
  if (firstBeyond(maxJsonBytes) === -1) return page;
  const tooMuch = firstBeyond((view) => Buffer.byteLength(JSON.stringify(view)));
  return tooMuch === -1 ? page : page.slice(0, tooMuch);
};
