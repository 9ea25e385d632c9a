import { notFound } from '../../shared/core/errors.ts';
import type { Customer } from '../../shared/domain/customer/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { Stored } from '../../shared/table/records.ts';
import { customerView } from './view.ts';

/** GET /customers/{id}: 404 where it is absent or another account's. */
export const retrieveCustomer = ({ store }: ApiServices): Operation<unknown, unknown, Stored<Customer> | undefined> => ({
  read: ({ account, id }) => store.customers.get(account, id),
  decide(_call, stored) {
    if (!stored) throw notFound('Customer');
    return { body: customerView(stored.record) };
  },
});
