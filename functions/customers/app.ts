import type { InferOutput } from 'valibot';
import { invalidValue, notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type Customer, customerView } from '../../shared/domain/customer/fields.ts';
import { type CustomerInput, makeCustomer } from '../../shared/domain/customer/input.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import type { Customers } from '../../shared/table/customers.ts';
import type { Page } from '../../shared/table/page.ts';
import type { Stored } from '../../shared/table/records.ts';
import type { listQuery, routes } from './routes.ts';

/** Services of the group, with its own stores. */
type CustomerServices = ApiServices<{ readonly customers: Customers }>;

/**
 * POST /customers. Returns 409 if another customer of the account has the same email in any letter
 * case.
 */
const createCustomer = ({ store, newId }: CustomerServices): Operation<Call<unknown, CustomerInput>> => ({
  decide({ account, body, nowMs }) {
    const customer = makeCustomer(body, newId('cus', nowMs), isoFromMs(nowMs));
    return { result: customerView(customer), writes: store.customers.createWrites(account, customer) };
  },
});

/** GET /customers. Newest first. With `updated_after`, the most recently updated first. */
const listCustomers = ({ store }: CustomerServices): Operation<Call<InferOutput<typeof listQuery>>, Page<Customer>> => ({
  async read(call) {
    const { updated_after, email, external_id, search } = call.query;
    if (email !== undefined && external_id !== undefined)
      throw invalidValue('external_id', 'external_id does not work together with email.');
    const query = {
      ...(updated_after === undefined ? { sort: 'created' as const } : { sort: 'updated' as const, from: isoFromMs(updated_after) }),
      ...(email === undefined ? {} : { email }),
      ...(external_id === undefined ? {} : { where: { external_id: [external_id] } }),
      ...(search === undefined ? {} : { search }),
    };
    return store.customers.list(call.account, query, pageRequest(call));
  },
  decide: (call, page) => ({ result: pageBody(call, page, customerView) }),
});

/**
 * GET /customers/{id}. Returns 404 if the customer does not exist or belongs to another account.
 */
const retrieveCustomer = ({ store }: CustomerServices): Operation<Call, Stored<Customer> | undefined> => ({
  read: ({ account, id }) => store.customers.get(account, id),
  decide(_call, stored) {
    if (!stored) throw notFound('Customer');
    return { result: customerView(stored.record) };
  },
});

export const customers = (services: CustomerServices): OperationsOf<typeof routes> => ({
  createCustomer: createCustomer(services),
  listCustomers: listCustomers(services),
  retrieveCustomer: retrieveCustomer(services),
});
