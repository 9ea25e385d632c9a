import * as v from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { record, recordId } from '../../shared/core/fields.ts';
import { clockToleranceMs, isoFromMs, withLaterTime } from '../../shared/core/time.ts';
import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { mayStillTakeMoney } from '../../shared/domain/checkout/rules.ts';
import { orderlessPaymentLine } from '../../shared/domain/checkout/settlement.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import { settingsOf } from '../../shared/table/accounts.ts';
import type { Item } from '../../shared/table/client.ts';
import { isAccountErasure } from '../../shared/table/erasures.ts';
import { decodeRecord, RevisionConflict } from '../../shared/table/records.ts';
import { erasedKinds, type Kind, type KindsWith, kinds } from '../../shared/table/schema.ts';
import { readRecords } from './account-pages.ts';
import { type ActionServices, inParallel, onItself, ownIdField, retries, startBudget } from './action.ts';

/**
 * Returns the tombstone of an erased account. It shows only that the account existed and when it
 * was erased.
 */
const tombstoneOf = ({ id, region, plan, created_at }: Account, erased_at: string): Account => ({
  id,
  name: '',
  region,
  plan,
  status: 'closed',
  currency: null,
  order_limit: null,
  timezone: null,
  created_at,
  updated_at: erased_at,
  erased_at,
});

const closeAccount = async (services: ActionServices, account: Account): Promise<string> => {
  if (account.erased_at !== undefined) return account.erased_at;
  const { store, clock } = services;
  return await retryStale(services, retries, async (round) => {
    const [endpoints, logs, current = account] = await Promise.all([
      store.endpoints.all(account.id),
      store.accountData.parts(account.id, 'deliveryRecord'),
      round > 1 ? store.accounts.get(account.id) : account,
    ]);
    const erased_at = isoFromMs(clock.now());
    await store.commit([
      store.accounts.eraseWrite(withLaterTime(current, tombstoneOf(current, erased_at))),
      store.erasures.accountWrite(
        account.id,
        logs.flatMap(({ owner = [] }) => owner),
      ),
      ...store.endpoints.accountWrites(account.id, true, endpoints),
    ]);
    return erased_at;
  });
};

/**
 * Days for which an erased account keeps its search settings. The search queue removes the deleted
 * products from the search engine and needs these settings.
 */
export const searchGraceDays = 14;

type Services = Pick<ActionServices, 'store' | 'clock' | 'log'>;

interface Progress {
  readonly erased_at: string;
  /** Whether the account has a running payment. */
  readonly hasRunningPayments: boolean;
}

/** Removes an item and everything that belongs to it. Returns false if the item stays. */
type Remover = (services: Services, account: string, item: Item, progress: Progress) => Promise<boolean>;

const removeItem: Remover = async ({ store }, _account, item) => {
  await store.accountData.remove(item);
  return true;
};

/** Kinds with items that need more than a deletion of the item. */
const specialRemovers: { readonly [K in KindsWith<'erased', 'own way'>]: Remover } = {
  async apiKey({ store }, _account, item) {
    await store.commit(store.apiKeys.deleteWrites(item['data'] as ApiKey));
    return true;
  },
  // If a shopper begins to pay, the session changes after it was read, and stays as well.
  async checkoutSession({ store, clock, log }, account, item, { erased_at }) {
    const stored = decodeRecord<CheckoutSession>(item);
    const { id: session, status, payment, updated_at } = stored.record;
    if (mayStillTakeMoney(stored.record, clock.now())) return false;
    if (status === 'paid' && Date.parse(updated_at) >= Date.parse(erased_at) - clockToleranceMs)
      log(orderlessPaymentLine({ account, session, transaction: payment.transaction_id, why: 'account_erased' }));
    try {
      await store.commit([store.checkoutSessions.removeWrite(account, stored)]);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      throw error;
    }
  },
  async settings({ store, clock }, account, item, progress) {
    if (progress.hasRunningPayments || item['expires_at'] !== undefined) return false;
    const { search } = settingsOf(item);
    const expiresSeconds = Math.floor(clock.now() / 1000) + searchGraceDays * 86_400;
    if (search?.admin_key) await store.commit([store.accounts.putSettingsWrite(account, { search }, expiresSeconds)]);
    else await store.accountData.remove(item);
    return true;
  },
  async paymentPointer({ store }, account, pointer) {
    await store.commit(store.payments.deleteWrites(account, pointer));
    return true;
  },
  // The stored response leads to the claim of its token, which also names the account. So the claim
  // is removed first.
  async idempotency({ store }, _account, item) {
    await store.actionTokens.forget(item);
    await store.accountData.remove(item);
    return true;
  },
  // The account's own erasure record stays. Fan-out uses it to recognize changes that it reads
  // late.
  async erasure({ store }, _account, item) {
    if (isAccountErasure(item)) return false;
    await store.accountData.remove(item);
    return true;
  },
};

const removerOf = (kind: Kind): Remover => (specialRemovers as { readonly [K in Kind]?: Remover })[kind] ?? removeItem;

interface Pass {
  readonly removed: number;
  /** Sessions that stay, because their payment may still take money. */
  readonly runningPayments: number;
  /** False if the time limit was reached first. */
  readonly complete: boolean;
}

/**
 * Deletes the records of the account, kind by kind in the order of the table of kinds. If a pass
 * stops early, the next pass starts again and finds fewer records.
 */
const erasePass = async (
  services: Services,
  { account, erased_at }: { account: string; erased_at: string },
  isInTime: () => boolean,
): Promise<Pass> => {
  const scannedKinds = erasedKinds.filter((kind) => kinds[kind].erased !== 'with another');
  let [removed, runningPayments] = [0, 0];
  for await (const { kind, items } of readRecords(services.store, account, scannedKinds)) {
    if (!isInTime()) return { removed, runningPayments, complete: false };
    const removals = await inParallel(items, (item) =>
      removerOf(kind)(services, account, item, { erased_at, hasRunningPayments: runningPayments > 0 }),
    );
    removed += removals.filter(Boolean).length;
    if (kind === 'checkoutSession') runningPayments += removals.filter((isGone) => !isGone).length;
  }
  return { removed, runningPayments, complete: true };
};

export const eraseAccount = onItself({
  summary: 'Closes an account and deletes all its data. This cannot be undone. If `erased` is false, repeat the call.',
  erased: true,
  input: record({ ...ownIdField, confirm: v.exactOptional(recordId()) }),
  async resume(services, { confirm }, account) {
    if (confirm !== undefined && confirm !== account.id) throw invalidValue('confirm', 'confirm must be the id of the account.');
    const isInTime = startBudget(services.clock);
    const erased_at = await closeAccount(services, account);
    let removed = 0;
    // Repeats the pass, because a request that was admitted just before the account closed may
    // write a record after the first pass.
    for (;;) {
      const pass = await erasePass(services, { account: account.id, erased_at }, isInTime);
      removed += pass.removed;
      if (pass.complete && pass.removed > 0) continue;
      const erased = pass.complete && pass.runningPayments === 0;
      await services.store.erasures.proceedAccount(account.id, erased);
      return { id: account.id, erased, erased_at, removed, ...(pass.runningPayments > 0 && { running_payments: pass.runningPayments }) };
    }
  },
});
