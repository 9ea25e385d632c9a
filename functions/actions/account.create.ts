import * as v from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { currency, oneOf, record, requiredText } from '../../shared/core/fields.ts';
import { type Region, regions } from '../../shared/core/regions.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type Account, accountStatuses, plans } from '../../shared/domain/account/record.ts';
import { orderLimit, timezone } from './account-fields.ts';
import type { FreeAction } from './action.ts';
import { accountView } from './views.ts';

const regionalCurrency: Readonly<Record<Region, string>> = { us: 'USD', au: 'AUD', eu: 'EUR' };

const input = record({
  name: requiredText(),
  region: v.exactOptional(oneOf(regions)),
  plan: oneOf(plans),
  status: v.exactOptional(oneOf(accountStatuses), 'active'),
  /** The region's own where absent. */
  currency: v.exactOptional(v.nullable(currency())),
  order_limit: v.exactOptional(orderLimit(), null),
  timezone: v.exactOptional(timezone(), 'UTC'),
});

export const createAccount: FreeAction<typeof input> = {
  summary: 'Opens an account in the region.',
  account: 'none',
  input,
  async decide({ region, store, clock, newId }, { name, plan, status, order_limit, timezone, ...chosen }) {
    if (chosen.region !== undefined && chosen.region !== region)
      throw invalidValue('region', `This service runs in ${region}; an account of ${chosen.region} is opened there.`);
    const nowMs = clock.now();
    const now = isoFromMs(nowMs);
    const account: Account = {
      id: newId('acct', nowMs),
      name,
      region,
      plan,
      status,
      currency: chosen.currency === undefined ? regionalCurrency[region] : chosen.currency,
      order_limit,
      timezone,
      created_at: now,
      updated_at: now,
    };
    const writes = [store.accounts.createWrite(account), ...(order_limit === null ? [] : [store.counters.openWrite(account.id)])];
    return { result: accountView(account), writes, owner: account.id };
  },
};
