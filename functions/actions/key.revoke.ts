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
  async run({ store, clock }, { id }, account) {
    const key = await store.apiKeys.get(account.id, id);
    if (!key) throw notFound('Key');
    if (key.revoked_at !== null) return keyView(key);
    const now = isoFromMs(clock.now());
    await store.commit(store.apiKeys.updateWrites(key, { revoked_at: now, updated_at: now }));
    return keyView({ ...key, revoked_at: now, updated_at: now });
  },
};
