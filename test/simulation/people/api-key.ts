import { hashKey } from '../../../shared/auth/authenticate.ts';
import { publishableScopes, selectableScopes } from '../../../shared/core/scopes.ts';
import type { ApiKey } from '../../../shared/domain/account/record.ts';
import type { Random } from '../scheduler/random.ts';

interface Named {
  readonly account: string;
  readonly name: string;
  readonly type: ApiKey['type'];
  /** Number among the keys of all accounts. */
  readonly number: number;
  /** Time of its creation. */
  readonly now: string;
}

/** Returns a key with every scope of its type, and its value. */
export const apiKeyOf = ({ account, name, type, number, now }: Named, random: Random): { readonly key: ApiKey; readonly value: string } => {
  const value = `svc_${type === 'publishable' ? 'pk' : 'sk'}_live_us_${Buffer.from(random.bytes(32)).toString('base64url')}`;
  const key: ApiKey = {
    ...{ id: `key_${String(number).padStart(26, '0')}`, account, hash: hashKey(value), name, type, region: 'us' },
    ...{ group: null, scopes: type === 'secret' ? selectableScopes : publishableScopes, prefix: value.slice(0, 19) },
    ...{ expires_at: null, revoked_at: null, created_at: now, updated_at: now },
  };
  return { key, value };
};
