import { dayOfUse } from '../../domain/account/record.ts';
import type { ApiServices } from '../exchange.ts';
import { type Middleware, requireFact } from '../facts.ts';

/**
 * Authentication: the key must be stored, unrevoked and unexpired (§ Authentication 1 to 5). After a
 * success it stores the day of the key's last use; if that fails, the response stays the same.
 */
export const auth = ({ store }: ApiServices): Middleware => ({
  before({ event: { facts, logged } }) {
    const { account, id: key } = requireFact(facts.key);
    Object.assign(logged, { account, key });
  },
  async after({ event: { facts, nowMs } }) {
    await store.apiKeys.noteUse(requireFact(facts.key), dayOfUse(nowMs)).catch(() => undefined);
  },
});
