import { isoFromMs } from '../../shared/core/time.ts';
import { type CustomerInput, makeCustomer } from '../../shared/domain/customer/input.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { customerView } from './view.ts';

/** POST /customers: 409 where another customer of the account has the email, in any case. */
export const createCustomer = ({ store, newId }: ApiServices): Operation<unknown, CustomerInput> => ({
  decide({ account, body, nowMs }) {
    const customer = makeCustomer(body, newId('cus', nowMs), isoFromMs(nowMs));
    return { body: customerView(customer), writes: store.customers.createWrites(account, customer) };
  },
});
