import * as v from 'valibot';

/**
 * The content of a page cursor: the sort position and id of the last record on the page. A
 * fingerprint binds the cursor to its account, route, filters and sort. The cursor names no
 * partition of the table, so a forged cursor can only move within the caller's own records.
 */
export interface Cursor {
  readonly fingerprint: string;
  /** Sort key of the last record, without its id. */
  readonly position: string;
  readonly id: string;
}

export const encodeCursor = ({ fingerprint, position, id }: Cursor): string =>
  Buffer.from(JSON.stringify([1, fingerprint, position, id])).toString('base64url');

/** Returns the cursor, or undefined if `encodeCursor` did not write the text. */
export const decodeCursor = (text: string): Cursor | undefined => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== 1 || !parts.every((part, i) => i === 0 || typeof part === 'string'))
    return undefined;
  const cursor = { fingerprint: parts[1] as string, position: parts[2] as string, id: parts[3] as string };
  return encodeCursor(cursor) === text ? cursor : undefined; // one spelling per cursor
};

export const defaultLimit = 50;
export const maxLimit = 100;

/**
 * Returns the number without its fraction. Returns the default if the text is not a decimal number,
 * for example `0x10`.
 */
const readLimit = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Math.min(maxLimit, Math.max(1, Math.trunc(Number(text)))) : defaultLimit;

/**
 * Query parameters `limit` and `cursor` of every list (§ Endpoints, General rules). An invalid
 * `limit` never causes an error; a cursor that cannot be decoded always does.
 */
export const pageParameters = {
  limit: v.pipe(
    v.optional(v.string(), ''),
    // Without bounds, which a reader of the document would enforce; the service does not.
    v.metadata({ type: 'integer', default: defaultLimit }),
    v.transform((text) => readLimit(text.trim())),
  ),
  cursor: v.optional(v.string()),
};
