import { type Random, randomText } from '../core/random.ts';
import type { Region } from '../core/regions.ts';
import type { KeyType } from '../domain/account/api-key.ts';
import { hashKey } from './authenticate.ts';

interface NewKey {
  /** Shown once, stored nowhere. */
  readonly value: string;
  readonly hash: string;
  /** What may be shown of it: everything before the secret part and its first 4 characters. */
  readonly prefix: string;
}

const secretBytes = 32; // 43 base64url characters
const shownCharacters = 4;

/** A fresh key value (§ Authentication 2); `legacy` leaves out the type segment, which only a secret key may. */
export const newKey = (type: KeyType, region: Region, random: Random, legacy = false): NewKey => {
  const head = ['svc', ...(legacy ? [] : [type === 'secret' ? 'sk' : 'pk']), 'live', region, ''].join('_');
  const value = head + randomText(random, secretBytes);
  return { value, hash: hashKey(value), prefix: value.slice(0, head.length + shownCharacters) };
};
