import { ApiError, invalidValue } from '../core/errors.ts';

export const maxBodyBytes = 256 * 1024;
export const maxDepth = 20;

const invalidJson = (): ApiError => new ApiError('invalid_json', 'The body is not parseable JSON.');

/**
 * Whether a value is nested deeper than `levels`. The walk stops at that depth, so that it cannot
 * overflow the stack.
 */
const reachesBelow = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((member) => reachesBelow(member, levels - 1)));

/**
 * Returns the JSON object of a request body (decisions §3). Throws `invalid_json` if the body is
 * empty or not JSON, `invalid_value` if it is over 256 KiB, not an object or nested deeper than 20.
 */
export const parseBody = (body: string | undefined, isBase64Encoded: boolean): Record<string, unknown> => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyBytes) throw new ApiError('invalid_value', `The body must be at most ${maxBodyBytes} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalid_value', 'The body must be a JSON object.');
  const deep = Object.entries(value).find(([, member]) => reachesBelow(member, maxDepth - 1))?.[0];
  if (deep !== undefined) throw invalidValue(deep, `${deep} is nested deeper than ${maxDepth} levels.`);
  return value as Record<string, unknown>;
};

/** Returns the same text for equal JSON values: fields are sorted, numbers written as parsed. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
};
