import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { keyView } from './views.ts';

const input = record({ id: requiredText() });

export const revokeKey: AccountAction<typeof input> = {
  summary: 'Ends an API key at once and for good; again is no error.',
  account: 'required',
  input,
  async decide({ store, clock }, { id }, account) {
    const key = await store.apiKeys.get(account.id, id);
    if (!key) throw notFound('Key');
    if (key.revoked_at !== null) return { result: keyView(key), writes: [] };
    const now = isoFromMs(clock.now());
    const changes = { revoked_at: now, updated_at: now };
    return { result: keyView({ ...key, ...changes }), writes: store.apiKeys.updateWrites(key, changes) };
  },
};
