import type { ApiKey } from '../domain/account/api-key.ts';

/** Whose a key is. It never changes, so it may be remembered; whether the key may be used is asked each time. */
export type KeyOwner = Pick<ApiKey, 'id' | 'account'>;

export interface KeyOwners {
  find(hash: string): KeyOwner | undefined;
  remember(hash: string, owner: KeyOwner): void;
}

/** About 3 MB. */
const most = 10_000;

/** The owners of the keys that a process has met, by their digests; of too many, those met longest ago are forgotten. */
export const createKeyOwners = (): KeyOwners => {
  const owners = new Map<string, KeyOwner>();
  const remember: KeyOwners['remember'] = (hash, owner) => {
    // A Map keeps the order of insertion: the last met is the last to go.
    owners.delete(hash);
    owners.set(hash, owner);
    if (owners.size > most) owners.delete(owners.keys().next().value ?? '');
  };
  return {
    find(hash) {
      const owner = owners.get(hash);
      if (owner) remember(hash, owner);
      return owner;
    },
    remember,
  };
};
