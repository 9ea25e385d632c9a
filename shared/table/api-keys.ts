import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { notFound, StaleDecision } from '../core/errors.ts';
import { keyExpiring, keyUsedAfterRest, restedSince } from '../domain/account/notice.ts';
import type { ApiKey } from '../domain/account/record.ts';
import type { Db, Item, ItemKey } from './client.ts';
import { every, expr, isAbsent, showOld, update, where, within } from './expressions.ts';
import { partition } from './keys.ts';
import { type Notices, openNotices } from './notices.ts';
import { queryAll } from './page.ts';
import { ConditionFailed, commit, sendAlone, type Write } from './write.ts';

type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'group' | 'scopes' | 'expires_at' | 'revoked_at'>> & Pick<ApiKey, 'updated_at'>;

/** The fields of a key that a change needs. */
type StoredKey = Pick<ApiKey, 'account' | 'id' | 'hash' | 'expires_at' | 'revoked_at'>;

/**
 * Stores each key as two items in one transaction. Authentication finds a key by its digest,
 * because it does not know the account yet. Lists find keys by account. Both reads are consistent,
 * so a revocation applies at once.
 */
export interface ApiKeys {
  /** Returns the key with this digest, of any account. */
  findByHash(hash: string): Promise<ApiKey | undefined>;
  get(account: string, id: string): Promise<ApiKey | undefined>;
  /**
   * Returns all keys of an account, oldest first. Accounts have few keys, so there are no pages.
   */
  list(account: string): Promise<readonly ApiKey[]>;
  /**
   * Returns the day of the last use of each key, by key id. A key that was never used is missing.
   */
  lastUses(account: string): Promise<ReadonlyMap<string, string>>;
  lastUse(account: string, id: string): Promise<string | null>;
  /**
   * Stores the day of the key's last use, unless this process has stored it already. A use after 90
   * days without one also stores a notice.
   */
  noteUse(key: Pick<ApiKey, 'account' | 'id' | 'created_at'>, day: string): Promise<void>;
  createWrites(key: ApiKey): readonly Write[];
  /**
   * Changes only the named fields, so that an edit never undoes a revocation. Fails with 404 if the
   * key does not exist.
   */
  updateWrites(key: StoredKey, changes: ApiKeyChanges): readonly Write[];
  /** Deletes the key. Deleting the same key again is not an error. */
  deleteWrites(key: Pick<ApiKey, 'account' | 'id' | 'hash'>): readonly Write[];
}

const lookupKey = (hash: string) => ({ pk: partition('apiKey', hash), sk: 'key' });
/**
 * Key of the item with the last use. It is separate from the API key, because API functions may
 * write this item but not the API key.
 */
const useKey = (account: string, id: string) => ({ pk: partition('keyUse', account), sk: id });
const ownerKey = (account: string, id: string) => ({ pk: partition('apiKey', account), sk: id });

/**
 * Whether a change moves the end of the key's validity. Such a change replaces the notice for the
 * end that was read, so its condition is that this end is still stored.
 */
const changesEnd = (changes: ApiKeyChanges): boolean => changes.expires_at !== undefined || changes.revoked_at !== undefined;

/** Replaces the notice that a key expires. A notice that is already due stays. */
const expiryWrites = (notices: Notices, nowMs: number, before: StoredKey | undefined, after: StoredKey): readonly Write[] => {
  const [old, next] = [before && keyExpiring(before, nowMs), keyExpiring(after, nowMs)];
  if (!notices.isOn || old?.notice.time === next?.notice.time) return [];
  return [
    ...(old && old.dueMs > nowMs ? [notices.withdraw(old.notice)] : []),
    ...(next && Date.parse(next.notice.time) > nowMs ? [notices.write(next.notice, next.dueMs)] : []),
  ];
};

const changeWrite = (table: string, itemKey: Item, before: StoredKey, changes: ApiKeyChanges): Write => ({
  item: {
    Update: {
      ...update(table, itemKey, {
        set: within('data', changes),
        where: every(
          expr`attribute_exists(pk) AND data.updated_at <= ${changes.updated_at}`,
          changesEnd(changes) && expr`data.expires_at = ${before.expires_at} AND data.revoked_at = ${before.revoked_at}`,
        ),
      }),
      ...showOld,
    },
  },
  refuse: (old) => (old ? new StaleDecision('The key was changed at the same time; read it again and retry.') : notFound('Key')),
});

export const openApiKeys = (db: Db): ApiKeys => {
  const get = async (key: ItemKey): Promise<ApiKey | undefined> => (await db.get(key))?.['data'] as ApiKey | undefined;
  const keysOf = (key: Pick<ApiKey, 'account' | 'id' | 'hash'>) => [lookupKey(key.hash), ownerKey(key.account, key.id)];
  const notices = openNotices(db);
  const putOf = ({ account, id }: Pick<ApiKey, 'account' | 'id'>, day: string) => ({
    TableName: db.table,
    Item: { ...useKey(account, id), day },
  });

  /**
   * Stores the day of use. The first use after 90 days stores its notice in the same transaction.
   */
  const storeUse = async (key: Pick<ApiKey, 'account' | 'id' | 'created_at'>, day: string): Promise<void> => {
    const rested = restedSince(day);
    const isYoung = key.created_at.slice(0, 10) > rested;
    const isActive = isYoung ? expr`attribute_not_exists(pk) OR day > ${rested}` : expr`day > ${rested}`;
    const { done } = await sendAlone(db, new PutCommand({ ...putOf(key, day), ...where(isActive) }));
    if (done) return;
    const isRested = expr`attribute_not_exists(pk) OR day <= ${rested}`;
    const put: Write = { item: { Put: { ...putOf(key, day), ...where(isRested) } } };
    const nowMs = db.clock.now();
    await commit(db, [put, notices.write(keyUsedAfterRest(key, nowMs), nowMs)]).catch((error: unknown) => {
      // Another process has stored the day already.
      if (!(error instanceof ConditionFailed)) throw error;
    });
  };

  let noted = { day: '', keys: new Set<string>() };
  return {
    findByHash: (hash) => get(lookupKey(hash)),
    get: (account, id) => get(ownerKey(account, id)),
    list: async (account) => (await queryAll(db, partition('apiKey', account))).map((item) => item['data'] as ApiKey),
    lastUses: async (account) =>
      new Map((await queryAll(db, partition('keyUse', account))).map((item) => [String(item['sk']), String(item['day'])])),
    lastUse: async (account, id) => ((await db.get(useKey(account, id)))?.['day'] as string | undefined) ?? null,
    async noteUse(key, day) {
      const { id } = key;
      if (noted.day !== day) noted = { day, keys: new Set() };
      const { keys } = noted;
      if (keys.has(id)) return;
      keys.add(id);
      try {
        await (notices.isOn ? storeUse(key, day) : db.client.send(new PutCommand(putOf(key, day))));
      } catch (error) {
        keys.delete(id);
        throw error;
      }
    },
    createWrites: (key) => [
      ...keysOf(key).map((itemKey) => ({
        item: { Put: { TableName: db.table, Item: { ...itemKey, data: key }, ...where(isAbsent) } },
      })),
      ...expiryWrites(notices, db.clock.now(), undefined, key),
    ],
    updateWrites: (key, changes) => [
      ...keysOf(key).map((itemKey) => changeWrite(db.table, itemKey, key, changes)),
      ...expiryWrites(notices, db.clock.now(), key, { ...key, ...changes }),
    ],
    deleteWrites: (key) => keysOf(key).map((itemKey) => ({ item: { Delete: { TableName: db.table, Key: itemKey } } })),
  };
};
