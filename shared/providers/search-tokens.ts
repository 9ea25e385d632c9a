import { createHmac } from 'node:crypto';

/** Limits that Typesense applies to every search with a scoped key. */
interface SearchLimits {
  /** Joined with whatever filter the search brings. */
  readonly filter_by: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

/**
 * A scoped search-only key, as the engine's own client makes one: derived from a search key,
 * without asking the engine.
 */
export const scopedSearchKey = (searchKey: string, limits: SearchLimits): string => {
  const parameters = JSON.stringify(limits);
  const digest = createHmac('sha256', searchKey).update(parameters).digest('base64');
  return Buffer.from(`${digest}${searchKey.slice(0, 4)}${parameters}`).toString('base64');
};
