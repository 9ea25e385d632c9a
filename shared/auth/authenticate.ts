import { createHash } from 'node:crypto';
import { ApiError } from '../core/errors.ts';
import { isRegion, type Region } from '../core/regions.ts';
import { type ApiKey, isUsable, type KeyType } from '../domain/api-key.ts';
import type { ApiKeys } from '../table/api-keys.ts';

/** `svc_{type}_{env}_{region}_{secret}`; older keys lack the type and are secret ones (§ Authentication 2). */
const keyPattern = /^svc_(?:(sk|pk)_)?(?:live|test)_(us|au|eu)_[A-Za-z0-9_-]{43}$/;

/** One text for every cause, so that a refusal teaches nothing about keys. */
const refused = (internal: string): ApiError => new ApiError('invalid_api_key', 'Invalid API key.', { internal });

export const hashKey = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Throws where the host's first label is a region other than the deployed one (decisions §1). */
export const assertHost = (host: string | undefined, region: Region): void => {
  const [label = '', ...rest] = (host ?? '').toLowerCase().split('.');
  if (rest.length > 0 && isRegion(label) && label !== region) throw refused('host of another region');
};

interface PresentedKey {
  readonly value: string;
  readonly type: KeyType;
}

const readKey = (authorization: string | undefined, region: Region): PresentedKey => {
  const value = (authorization ?? '').trim().replace(/^bearer +/i, '');
  const match = keyPattern.exec(value);
  if (!match) throw refused(authorization === undefined ? 'no authorization header' : 'malformed key');
  if (match[2] !== region) throw refused('key of another region');
  return { value, type: match[1] === 'pk' ? 'publishable' : 'secret' };
};

/**
 * The stored key behind an Authorization header, with or without `Bearer`. Throws the same `invalid_api_key` for a missing,
 * malformed, unknown, revoked, expired or foreign key and for one whose declared type is not the stored one.
 */
export const authenticate = async (
  keys: Pick<ApiKeys, 'findByHash'>,
  request: {
    readonly authorization: string | undefined;
    readonly host: string | undefined;
    readonly region: Region;
    readonly nowMs: number;
  },
): Promise<ApiKey> => {
  assertHost(request.host, request.region);
  const presented = readKey(request.authorization, request.region);
  const key = await keys.findByHash(hashKey(presented.value));
  if (!key) throw refused('unknown key');
  if (key.type !== presented.type || key.region !== request.region) throw refused('declared type or region is not the stored one');
  if (!isUsable(key, request.nowMs)) throw refused('revoked or expired key');
  return key;
};
