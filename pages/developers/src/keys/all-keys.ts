import type { ApiKey, Read } from '../contract.ts';

/** Returns every key of the account, oldest first. */
export const readKeys = async (read: Read): Promise<readonly ApiKey[]> => {
  const keys: ApiKey[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read('key.list', { limit: 1_000, ...(cursor !== undefined && { cursor }) });
    keys.push(...page.data);
    cursor = page.next_cursor;
  }
  return keys;
};
