import { createHash } from 'node:crypto';
import { isRegion, type Region } from '../core/config.ts';
import { ApiError, FlatError } from '../core/errors.ts';
import { type Random, randomText } from '../core/random.ts';
import type { Route } from '../core/routes.ts';
import { type Account, type ApiKey, hasRestApi, isServed, isUsable, type KeyType } from '../domain/account/record.ts';

/**
 * `svc_{type}_{env}_{region}_{secret}`; older keys lack the type and are secret ones (§
 * Authentication 2).
 */
const keyPattern = /^svc_(?:(sk|pk)_)?(?:live|test)_(us|au|eu)_[A-Za-z0-9_-]{43}$/;

/**
 * Returns the same error for every cause, so that a caller cannot find out why a key fails. Only
 * the log gets the cause.
 */
const invalidKey = (internal: string): ApiError => new ApiError('invalid_api_key', 'Invalid API key.', { internal });

export const hashKey = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Throws `invalid_api_key` if the host's first label names another region (decisions §1). */
const assertHost = (host: string | undefined, region: Region): void => {
  const [label = '', ...rest] = (host ?? '').toLowerCase().split('.');
  if (rest.length > 0 && isRegion(label) && label !== region) throw invalidKey('host of another region');
};

/** A key that a request presents, parsed but not yet compared with the table. */
interface PresentedKey {
  readonly hash: string;
  readonly type: KeyType;
  readonly region: Region;
}

/**
 * Returns the key of an Authorization header, with or without `Bearer`. Throws `invalid_api_key` if
 * the header has no key, if its form is wrong, or if key or host name another region.
 */
export const presentedKey = (request: {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
  readonly region: Region;
}): PresentedKey => {
  const { authorization, host, region } = request;
  assertHost(host, region);
  const value = (authorization ?? '').trim().replace(/^bearer +/i, '');
  const match = keyPattern.exec(value);
  if (!match) throw invalidKey(authorization === undefined ? 'no authorization header' : 'malformed key');
  if (match[2] !== region) throw invalidKey('key of another region');
  return { hash: hashKey(value), type: match[1] === 'pk' ? 'publishable' : 'secret', region };
};

/**
 * Returns the stored key if it may be used. Throws the same `invalid_api_key` for an unknown,
 * revoked or expired key and for one of another type.
 */
export const assertUsable = (stored: ApiKey | undefined, presented: PresentedKey, nowMs: number): ApiKey => {
  if (!stored) throw invalidKey('unknown key');
  if (stored.type !== presented.type || stored.region !== presented.region)
    throw invalidKey('type or region of the key differs from the stored key');
  if (!isUsable(stored, nowMs)) throw invalidKey('revoked or expired key');
  return stored;
};

/** Returns the account of a key. Throws `invalid_api_key` if it does not exist. */
export const requireAccount = (account: Account | undefined): Account => {
  if (!account) throw invalidKey('key without an account');
  return account;
};

/**
 * Throws the flat `plan_required` if the plan has no REST API (§ Authentication 9). Retries do not
 * help.
 */
export const assertPlan = (account: Account): void => {
  if (hasRestApi(account)) return;
  throw new FlatError(403, { error: 'plan_required', feature: 'rest-api', label: 'REST API', required: 'business', current: account.plan });
};

/**
 * Throws the flat `account_inactive` if the account is neither active nor in its grace period (§
 * Authentication 9).
 */
export const assertServed = (account: Account): void => {
  if (!isServed(account)) throw new FlatError(403, { error: 'account_inactive', status: account.status });
};

/**
 * Throws `publishable_key_not_allowed` if the route needs a secret key and the key is publishable
 * (§ Authentication 3).
 */
export const assertKeyType = ({ type }: Pick<ApiKey, 'type'>, route: Pick<Route, 'keys'>): void => {
  if (type === 'publishable' && route.keys === 'secret') {
    throw new ApiError('publishable_key_not_allowed', 'This endpoint needs a secret key. A publishable key cannot be used.');
  }
};

/** Throws `insufficient_scope` if the key lacks the route's scope (§ Authentication 6). */
export const assertScope = (key: Pick<ApiKey, 'scopes'>, route: Pick<Route, 'scope'>): void => {
  if (!key.scopes.includes(route.scope)) {
    throw new ApiError(
      'insufficient_scope',
      `The key lacks the scope ${route.scope}. Use a key with this scope, or add it in the dashboard.`,
      { requiredScope: route.scope },
    );
  }
};

/**
 * The owner of a key. An owner never changes, so functions may cache it. Every request still reads
 * whether the key is revoked or expired.
 */
type KeyOwner = Pick<ApiKey, 'id' | 'account'>;

/** This number of owners takes about 3 MB of memory. */
const maxOwners = 10_000;

/**
 * Remembers the owners of the keys that this process has seen, by the keys' digests. Beyond 10,000
 * keys it forgets those that were not used for the longest time.
 */
export const createKeyOwners = () => {
  const owners = new Map<string, KeyOwner>();
  const remember = (hash: string, owner: KeyOwner): void => {
    // A Map keeps the order of insertion. Deleting and inserting again makes this key the newest.
    owners.delete(hash);
    owners.set(hash, owner);
    if (owners.size > maxOwners) owners.delete(owners.keys().next().value ?? '');
  };
  return {
    find(hash: string): KeyOwner | undefined {
      const owner = owners.get(hash);
      if (owner) remember(hash, owner);
      return owner;
    },
    remember,
  };
};

export type KeyOwners = ReturnType<typeof createKeyOwners>;

const secretBytes = 32; // 43 base64url characters
const shownCharacters = 4;

/**
 * Returns a new key value (§ Authentication 2), which the merchant sees once and no one stores, its
 * hash, and the prefix that lists show: everything before the secret, and the secret's first 4
 * characters. `legacy` leaves out the type segment, which is possible for secret keys only.
 */
export const newKey = (type: KeyType, region: Region, random: Random, legacy = false) => {
  const head = ['svc', ...(legacy ? [] : [type === 'secret' ? 'sk' : 'pk']), 'live', region, ''].join('_');
  const value = head + randomText(random, secretBytes);
  return { value, hash: hashKey(value), prefix: value.slice(0, head.length + shownCharacters) };
};
