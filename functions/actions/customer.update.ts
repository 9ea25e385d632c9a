import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { changeCustomer, customerChanges } from '../../shared/domain/customer/input.ts';
import type { AccountAction } from './action.ts';
import { customerView } from './shop-views.ts';

const input = record({ id: requiredText(), ...customerChanges });

export const updateCustomer: AccountAction<typeof input> = {
  summary: 'Changes the members given, each whole; the others stay. An email that another customer has is refused.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, ...changes }, account) {
    const stored = await store.customers.get(account.id, id);
    if (!stored || stored.record.erased_at !== undefined) throw notFound('Customer');
    if (Object.keys(changes).length === 0) return { result: customerView(stored.record), writes: [] };
    const changed = changeCustomer(stored.record, changes, isoFromMs(clock.now()));
    return { result: customerView(changed), writes: store.customers.replaceWrites(account.id, stored, changed) };
  },
};
