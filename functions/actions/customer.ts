import { notFound } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { customerView } from '../../shared/domain/customer/fields.ts';
import { changeCustomer, customerChanges } from '../../shared/domain/customer/input.ts';
import { byId, onAccount } from './action.ts';
import { eraseCustomer } from './customer.erase.ts';
import { exportCustomer } from './customer.export.ts';
import { keepIfSame } from './modify.ts';

export const customer = {
  update: onAccount({
    summary: 'Changes the members given, each whole; the others stay. An email that another customer has is refused.',
    input: record({ ...byId, ...customerChanges }),
    async decide({ store, clock }, { id, ...changes }, account) {
      const stored = await store.customers.get(account.id, id);
      if (!stored || stored.record.erased_at !== undefined) throw notFound('Customer');
      const changed = keepIfSame(stored.record, changeCustomer(stored.record, changes, isoFromMs(clock.now())));
      const writes = changed === stored.record ? [] : store.customers.replaceWrites(account.id, stored, changed);
      return { result: customerView(changed), writes };
    },
  }),
  export: exportCustomer,
  erase: eraseCustomer,
};
