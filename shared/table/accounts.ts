import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { notFound } from '../core/errors.ts';
import type { Account } from '../domain/account.ts';
import type { Db } from './client.ts';
import { isExpired, partition } from './keys.ts';
import { setMembers, type Write } from './write.ts';

export type AccountChanges = Partial<Pick<Account, 'name' | 'plan' | 'status' | 'currency' | 'order_limit' | 'timezone'>> &
  Pick<Account, 'updated_at'>;

const key = (account: string) => ({ pk: partition('account', account), sk: 'account' });
const settingsKey = (account: string) => ({ pk: partition('settings', account), sk: 'settings' });

export interface Accounts {
  get(account: string): Promise<Account | undefined>;
  createWrite(account: Account): Write;
  /** Changes the members named and no other; refuses with 404 where the account does not exist. */
  updateWrite(account: string, changes: AccountChanges): Write;
  /** The settings document as authored; an empty one where none was put. */
  getSettings(account: string): Promise<Record<string, unknown>>;
  /** Kept until `expiresSeconds` where given. */
  putSettingsWrite(account: string, document: Record<string, unknown>, expiresSeconds?: number): Write;
  /** Puts the tombstone in the account's place. */
  eraseWrite(tombstone: Account): Write;
}

export const openAccounts = (db: Db): Accounts => ({
  async get(account) {
    const { Item } = await db.client.send(new GetCommand({ TableName: db.table, Key: key(account), ConsistentRead: true }));
    return Item?.['data'] as Account | undefined;
  },
  createWrite: (account) => ({
    item: { Put: { TableName: db.table, Item: { ...key(account.id), data: account }, ConditionExpression: 'attribute_not_exists(pk)' } },
  }),
  updateWrite: (account, changes) => ({
    item: {
      Update: { TableName: db.table, Key: key(account), ...setMembers('data', changes), ConditionExpression: 'attribute_exists(pk)' },
    },
    refuse: () => notFound('Account'),
  }),
  async getSettings(account) {
    const { Item } = await db.client.send(new GetCommand({ TableName: db.table, Key: settingsKey(account), ConsistentRead: true }));
    return Item && !isExpired(Item, db.clock.now()) ? (Item['document'] as Record<string, unknown>) : {};
  },
  putSettingsWrite: (account, document, expiresSeconds) => ({
    item: {
      Put: {
        TableName: db.table,
        Item: { ...settingsKey(account), document, ...(expiresSeconds === undefined ? {} : { expires_at: expiresSeconds }) },
      },
    },
  }),
  eraseWrite: (tombstone) => ({
    item: { Put: { TableName: db.table, Item: { ...key(tombstone.id), data: tombstone }, ConditionExpression: 'attribute_exists(pk)' } },
    refuse: () => notFound('Account'),
  }),
});
