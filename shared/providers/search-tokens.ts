import { createHmac } from 'node:crypto';

/** Limits that Typesense applies to every search with a scoped key. */
interface SearchLimits {
  /** Filter that the engine combines with the filter of each search. */
  readonly filter_by: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

/**
 * Returns a scoped key that can only search. It is derived from a search key without a request, in
 * the same way as in the engine's own client.
 */
export const scopedSearchKey = (searchKey: string, limits: SearchLimits): string => {
  const parameters = JSON.stringify(limits);
  const digest = createHmac('sha256', searchKey).update(parameters).digest('base64');
  return Buffer.from(`${digest}${searchKey.slice(0, 4)}${parameters}`).toString('base64');
};
