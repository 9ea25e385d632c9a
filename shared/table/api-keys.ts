import { changedMeanwhile, notFound } from '../core/errors.ts';
import { keyExpiring, keyUsedAfterRest, restedSince } from '../domain/account/notice.ts';
import type { ApiKey } from '../domain/account/record.ts';
import type { Db, Item, ItemKey } from './client.ts';
import { allOf, type Expression, expr, isAbsent, setWithin } from './expressions.ts';
import { partition } from './keys.ts';
import { type Notices, openNotices } from './notices.ts';
import { invalidCursor, type Page, type PageRequest, queryAll, queryPage } from './page.ts';
import { deleteItem, putItem, sendAlone, tryCommit, updateItem, type Write } from './write.ts';

type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'group' | 'scopes' | 'expires_at' | 'chosen_end' | 'revoked_at'>> &
  Pick<ApiKey, 'updated_at'>;

/** The fields that find the items of a key. */
type KeyRef = Pick<ApiKey, 'account' | 'id' | 'hash'>;

/** The fields of a key that a change needs. */
type StoredKey = KeyRef & Pick<ApiKey, 'expires_at' | 'revoked_at'>;

type UsedKey = Pick<ApiKey, 'account' | 'id' | 'created_at'>;

/** A forged cursor may have any text. */
const keyIdPattern = /^key_\w{1,100}$/;

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
const expiryNoticeWrites = (notices: Notices, nowMs: number, before: StoredKey | undefined, after: StoredKey): readonly Write[] => {
  const [old, next] = [before && keyExpiring(before, nowMs), keyExpiring(after, nowMs)];
  if (!notices.isOn || old?.notice.time === next?.notice.time) return [];
  return [
    ...(old && old.dueMs > nowMs ? [notices.withdraw(old.notice)] : []),
    ...(next && Date.parse(next.notice.time) > nowMs ? [notices.write(next.notice, next.dueMs)] : []),
  ];
};

const changeWrite = (db: Db, itemKey: Item, before: StoredKey, changes: ApiKeyChanges): Write =>
  updateItem(db, itemKey, {
    set: setWithin('data', changes),
    where: allOf(
      expr`attribute_exists(pk) AND data.updated_at <= ${changes.updated_at}`,
      changesEnd(changes) && expr`data.expires_at = ${before.expires_at} AND data.revoked_at = ${before.revoked_at}`,
    ),
    showOld: true,
    rejectWith: (old) => (old ? changedMeanwhile('The key') : notFound('Key')),
  });

/**
 * Stores the day of use. The first use after 90 days stores its notice in the same transaction.
 */
const storeUse = async (db: Db, notices: Notices, key: UsedKey, day: string): Promise<void> => {
  const item = { ...useKey(key.account, key.id), day };
  if (!notices.isOn) {
    await sendAlone(db, putItem(db, item));
    return;
  }
  const rested = restedSince(day);
  const isYoung = key.created_at.slice(0, 10) > rested;
  const isActive = isYoung ? expr`attribute_not_exists(pk) OR day > ${rested}` : expr`day > ${rested}`;
  const { done } = await sendAlone(db, putItem(db, item, { where: isActive }));
  if (done) return;
  const isRested = expr`attribute_not_exists(pk) OR day <= ${rested}`;
  const nowMs = db.clock.now();
  // If the condition fails, another process has stored the day already.
  await tryCommit(db, [putItem(db, item, { where: isRested }), notices.write(keyUsedAfterRest(key, nowMs), nowMs)]);
};

/**
 * Stores each key as two items in one transaction. Authentication finds a key by its digest,
 * because it does not know the account yet. Lists find keys by account. Both reads are consistent,
 * so a revocation applies at once.
 */
export const openApiKeys = (db: Db) => {
  const get = async (key: ItemKey): Promise<ApiKey | undefined> => (await db.get(key))?.['data'] as ApiKey | undefined;
  const keysOf = (key: KeyRef) => [lookupKey(key.hash), ownerKey(key.account, key.id)];
  const notices = openNotices(db);

  let noted = { day: '', keys: new Set<string>() };
  return {
    /** Returns the key with this digest, of any account. */
    findByHash: (hash: string) => get(lookupKey(hash)),
    get: (account: string, id: string) => get(ownerKey(account, id)),
    /** Returns all keys of an account, oldest first. */
    list: async (account: string) => (await queryAll(db, partition('apiKey', account))).map((item) => item['data'] as ApiKey),
    /** Returns a page of the account's keys, oldest first. Throws `invalid_cursor` if `after` is not a key of the account. */
    async page(account: string, { limit, after }: PageRequest): Promise<Page<ApiKey>> {
      if (after && !(keyIdPattern.test(after.id) && (await get(ownerKey(account, after.id))))) throw invalidCursor();
      const { Items = [], LastEvaluatedKey } = await queryPage(db, {
        partition: partition('apiKey', account),
        range: after && ((sk) => expr`${sk} > ${after.id}`),
        Limit: limit + 1,
      });
      const records = Items.slice(0, limit).map((item) => item['data'] as ApiKey);
      const last = records.at(-1);
      return { records, ...(last && (LastEvaluatedKey || Items.length > limit) && { next: { position: '', id: last.id } }) };
    },
    /**
     * Returns the day of the last use of each key, by key id. A key that was never used is missing.
     * `ids`: the first and the last key.
     */
    async lastUses(account: string, ids?: readonly [string, string]) {
      const range = ids && ((sk: Expression) => expr`${sk} BETWEEN ${ids[0]} AND ${ids[1]}`);
      const items = await queryAll(db, partition('keyUse', account), range);
      return new Map(items.map((item) => [String(item['sk']), String(item['day'])]));
    },
    lastUse: async (account: string, id: string) => ((await db.get(useKey(account, id)))?.['day'] as string | undefined) ?? null,
    /**
     * Stores the day of the key's last use, unless this process has stored it already. A use after 90
     * days without one also stores a notice.
     */
    async noteUse(key: UsedKey, day: string) {
      const { id } = key;
      if (noted.day !== day) noted = { day, keys: new Set() };
      const { keys } = noted;
      if (keys.has(id)) return;
      keys.add(id);
      try {
        await storeUse(db, notices, key, day);
      } catch (error) {
        keys.delete(id);
        throw error;
      }
    },
    createWrites: (key: ApiKey): readonly Write[] => [
      ...keysOf(key).map((itemKey) => putItem(db, { ...itemKey, data: key }, { where: isAbsent })),
      ...expiryNoticeWrites(notices, db.clock.now(), undefined, key),
    ],
    /**
     * Changes only the named fields, so that an edit never undoes a revocation. Fails with 404 if the
     * key does not exist.
     */
    updateWrites: (key: StoredKey, changes: ApiKeyChanges): readonly Write[] => [
      ...keysOf(key).map((itemKey) => changeWrite(db, itemKey, key, changes)),
      ...expiryNoticeWrites(notices, db.clock.now(), key, { ...key, ...changes }),
    ],
    /** Deletes the key. Deleting the same key again is not an error. */
    deleteWrites: (key: KeyRef): readonly Write[] => keysOf(key).map((itemKey) => deleteItem(db, itemKey)),
  };
};

export type ApiKeys = ReturnType<typeof openApiKeys>;
