import * as v from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { AccountAction, ActionServices } from './action.ts';
import { eraseHoldings } from './erase-account.ts';
import { budgetMs } from './in-steps.ts';
import { retryStale } from './retry-stale.ts';

const input = record({ id: v.exactOptional(requiredText()), confirm: v.exactOptional(requiredText()) });

/** Neither name nor business: that there was an account, and when it ended. */
const tombstoneOf = ({ id, region, plan, created_at }: Account, erased_at: string): Account => ({
  id,
  name: '',
  region,
  plan,
  status: 'closed',
  currency: null,
  order_limit: null,
  timezone: 'UTC',
  created_at,
  updated_at: erased_at,
  erased_at,
});

const close = async (services: ActionServices, account: Account): Promise<string> => {
  if (account.erased_at !== undefined) return account.erased_at;
  const { store, clock } = services;
  return await retryStale(services, async () => {
    const endpoints = await store.endpoints.all(account.id);
    const erased_at = isoFromMs(clock.now());
    await store.commit([
      store.accounts.eraseWrite(tombstoneOf(account, erased_at)),
      store.erasures.accountWrite(account.id, erased_at),
      ...store.endpoints.accountWrites(account.id, true, endpoints),
    ]);
    return erased_at;
  });
};

export const eraseAccount: AccountAction<typeof input> = {
  summary: 'Closes an account and deletes everything it holds, for good. `erased: false`: call again.',
  account: 'self',
  erased: true,
  input,
  async resume(services, { confirm }, account) {
    if (confirm !== undefined && confirm !== account.id) throw invalidValue('confirm', 'confirm must be the id of the account.');
    const startMs = services.clock.now();
    const isInTime = (): boolean => services.clock.now() - startMs < budgetMs;
    const erased_at = await close(services, account);
    let removed = 0;
    // What was admitted just before the account was closed may still have landed behind the first pass.
    for (;;) {
      const pass = await eraseHoldings(services, account.id, isInTime);
      removed += pass.removed;
      if (!pass.complete || pass.removed === 0) return { id: account.id, erased: pass.complete, erased_at, removed };
    }
  },
};
