import { changedMeanwhile, notFound } from '../core/errors.ts';
import type { Account } from '../domain/account/record.ts';
import type { Settings } from '../domain/account/settings.ts';
import { type FormerGateway, isRetained } from '../domain/checkout/former-gateway.ts';
import type { Db, Item } from './client.ts';
import { allOf, expr, isAbsent, setWithin } from './expressions.ts';
import { partition, readUnexpired } from './keys.ts';
import { RevisionConflict } from './records.ts';
import { putItem, updateItem } from './write.ts';

type AccountChanges = Partial<Pick<Account, 'name' | 'plan' | 'status' | 'currency' | 'order_limit' | 'timezone'>> &
  Pick<Account, 'updated_at'>;

export const accountKey = (account: string) => ({ pk: partition('account', account), sk: 'account' });
const settingsKey = (account: string) => ({ pk: partition('settings', account), sk: 'settings' });

/** The settings document and the data that is stored with it. */
interface StoredSettings {
  readonly document: Settings;
  /** Former payment gateways, newest first. No dashboard action returns them. */
  readonly formers: readonly FormerGateway[];
  /** Number of the last write, which the next write compares; 0 before the first. */
  readonly revision: number;
}

/** Returns the document of a settings item. `settings.put` validated it before it was stored. */
export const settingsOf = (item: Item | undefined): Settings => (item?.['document'] as Settings | undefined) ?? {};

/**
 * Condition that the account was not erased and has no later change. An older change must not write
 * into the tombstone.
 */
const isCurrent = ({ updated_at }: AccountChanges) =>
  expr`attribute_exists(pk) AND attribute_not_exists(data.erased_at) AND data.updated_at <= ${updated_at}`;
const hasLimit = (limit: number | null | undefined) => limit !== undefined && expr`data.order_limit = ${limit}`;

/** Stores of accounts and their settings. */
export const openAccounts = (db: Db) => {
  const readSettings = (account: string) => readUnexpired(db, settingsKey(account));
  return {
    get: async (account: string) => (await db.get(accountKey(account)))?.['data'] as Account | undefined,
    createWrite: (account: Account) => putItem(db, { ...accountKey(account.id), data: account }, { where: isAbsent }),
    /**
     * Changes only the named fields. Fails with 404 if the account does not exist or was erased. A
     * change of status also needs `endpoints.accountWrites`. A change of the order limit also needs
     * the limit that was read, and fails as stale if it changed since.
     */
    updateWrite: (account: string, changes: AccountChanges, limitBefore?: number | null) =>
      updateItem(db, accountKey(account), {
        set: setWithin('data', changes),
        where: allOf(isCurrent(changes), hasLimit(limitBefore)),
        showOld: true,
        rejectWith(old) {
          const stored = old?.['data'] as Account | undefined;
          return stored && stored.erased_at === undefined ? changedMeanwhile('The account') : notFound('Account');
        },
      }),
    /** Returns the settings document as the merchant wrote it; empty without one. */
    getSettings: async (account: string) => settingsOf(await readSettings(account)),
    /** Returns the settings and what is stored with them, without former gateways that are no longer needed. */
    async getStoredSettings(account: string): Promise<StoredSettings> {
      const item = await readSettings(account);
      const formers = (item?.['formers'] as readonly FormerGateway[] | undefined) ?? [];
      return {
        document: settingsOf(item),
        formers: formers.filter((former) => isRetained(former, db.clock.now())),
        revision: (item?.['revision'] as number | undefined) ?? 0,
      };
    },
    /** Replaces the revision that was read. Fails with 409 if another write came first. */
    replaceSettingsWrite: (account: string, { document, formers, revision }: StoredSettings) =>
      putItem(
        db,
        { ...settingsKey(account), document, formers, revision: revision + 1 },
        {
          where: revision === 0 ? expr`attribute_not_exists(revision)` : expr`revision = ${revision}`,
          rejectWith: () => new RevisionConflict('settings'),
        },
      ),
    /**
     * Replaces the settings, former gateways included. They expire at `expires_at` in epoch
     * seconds, if it is given.
     */
    putSettingsWrite: (account: string, document: Settings, expires_at?: number) =>
      putItem(db, { ...settingsKey(account), document, ...(expires_at !== undefined && { expires_at }) }),
    /**
     * Replaces the account with its tombstone. Commit it with `endpoints.accountWrites`, because the
     * account is closed.
     */
    eraseWrite: (tombstone: Account) =>
      putItem(
        db,
        { ...accountKey(tombstone.id), data: tombstone },
        {
          where: expr`attribute_exists(pk) AND data.updated_at <= ${tombstone.updated_at}`,
          showOld: true,
          rejectWith: (old) => (old ? changedMeanwhile('The account') : notFound('Account')),
        },
      ),
  };
};

export type Accounts = ReturnType<typeof openAccounts>;
