import * as v from 'valibot';
import { ApiError, notFound } from '../../shared/core/errors.ts';
import { momentMs, partial, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { grantFields, grantOf } from './key-grant.ts';
import { keyView } from './views.ts';

const input = record({
  id: requiredText(),
  ...partial({ name: requiredText(), ...grantFields, expires_at: v.nullable(momentMs()) }),
});

export const updateKey: AccountAction<typeof input> = {
  summary: 'Renames an API key, changes what it may do or when it ends.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, name, group, scopes, expires_at }, account) {
    const key = await store.apiKeys.get(account.id, id);
    if (!key) throw notFound('Key');
    if (key.revoked_at !== null) throw new ApiError('conflict', 'A revoked key cannot be edited; make a new one.');
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(group || scopes ? grantOf(key.type, { group: group ?? null, scopes: scopes ?? null }) : {}),
      ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? null : isoFromMs(expires_at) }),
    };
    if (Object.keys(changes).length === 0) return { result: keyView(key), writes: [] };
    const complete = { ...changes, updated_at: isoFromMs(clock.now()) };
    return { result: keyView({ ...key, ...complete }), writes: store.apiKeys.updateWrites(key, complete) };
  },
};
