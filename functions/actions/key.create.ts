import * as v from 'valibot';
import { newKey } from '../../shared/auth/new-key.ts';
import { invalidValue } from '../../shared/core/errors.ts';
import { momentMs, oneOf, orNull, partial, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { ApiKey } from '../../shared/domain/account/api-key.ts';
import type { AccountAction } from './action.ts';
import { grantFields, grantOf } from './key-grant.ts';
import { keyView } from './views.ts';

const input = record({
  type: oneOf(['secret', 'publishable']),
  name: v.exactOptional(requiredText(), 'API key'),
  ...partial(grantFields),
  expires_at: orNull(momentMs()),
  /** Issues the form without a type segment. */
  legacy: v.exactOptional(v.boolean('must be true or false'), false),
});

export const createKey: AccountAction<typeof input> = {
  summary: 'Makes an API key and shows its value, this once.',
  account: 'required',
  input,
  async decide({ region, store, clock, random, newId }, { type, name, expires_at, legacy, ...grant }, account) {
    if (legacy && type === 'publishable') throw invalidValue('legacy', 'legacy keys have no type segment, so they are secret ones.');
    const { value, hash, prefix } = newKey(type, region, random, legacy);
    const nowMs = clock.now();
    const now = isoFromMs(nowMs);
    const key: ApiKey = {
      id: newId('key', nowMs),
      account: account.id,
      hash,
      name,
      type,
      region,
      ...grantOf(type, grant),
      prefix,
      expires_at: expires_at === null ? null : isoFromMs(expires_at),
      revoked_at: null,
      created_at: now,
      updated_at: now,
    };
    return { result: { ...keyView(key), key: value }, writes: store.apiKeys.createWrites(key) };
  },
};
