import * as v from 'valibot';
import { currency, oneOf, partial, record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { accountStatuses, emitsEvents, plans } from '../../shared/domain/account/record.ts';
import { orderLimit, timezone } from './account-fields.ts';
import type { AccountAction } from './action.ts';
import { accountView } from './views.ts';

const input = record(
  partial({
    id: requiredText(),
    name: requiredText(),
    plan: oneOf(plans),
    status: oneOf(accountStatuses),
    currency: v.nullable(currency()),
    order_limit: orderLimit(),
    timezone: timezone(),
  }),
);

export const updateAccount: AccountAction<typeof input> = {
  summary: 'Changes the members given; the others stay.',
  account: 'self',
  input,
  async decide({ store, clock }, { id: _, ...changes }, account) {
    if (Object.keys(changes).length === 0) return { result: accountView(account), writes: [] };
    const complete = { ...changes, updated_at: isoFromMs(clock.now()) };
    const { status } = changes;
    const told = status && store.endpoints.accountWrites(account.id, !emitsEvents({ status }), await store.endpoints.all(account.id));
    const writes = [...(await store.orderLimits.changeWrites(account.id, complete)), ...(told ?? [])];
    return { result: accountView({ ...account, ...complete }), writes };
  },
};
