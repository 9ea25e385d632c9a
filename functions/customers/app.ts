import { invalidValue, notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { customerView } from '../../shared/domain/customer/fields.ts';
import { type CustomerInput, makeCustomer } from '../../shared/domain/customer/input.ts';
import { assertKnownFields } from '../../shared/domain/order/rules.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import { operation } from '../../shared/operations/operation.ts';
import { listOperation } from '../../shared/operations/pages.ts';
import type { Customers } from '../../shared/table/customers.ts';
import type { routes } from './routes.ts';

/** Services of the group, with its own stores. */
type CustomerServices = ApiServices<{ readonly customers: Customers }>;

export const customers = ({ store, newId }: CustomerServices): OperationsOf<typeof routes> => ({
  /**
   * POST /customers. Returns 409 if another customer of the account has the same email in any letter
   * case, and 400 if a custom field has no active definition.
   */
  createCustomer: operation({
    read: async ({ account, body }: Call<unknown, CustomerInput>) =>
      Object.keys(body.custom_fields).length > 0 ? store.accounts.getSettings(account) : {},
    decide({ account, body, nowMs }, settings) {
      assertKnownFields(body.custom_fields, customFieldKeys(settings, 'customer'));
      const customer = makeCustomer(body, newId('cus', nowMs), isoFromMs(nowMs));
      return { result: customerView(customer), writes: store.customers.createWrites(account, customer) };
    },
  }),
  /** GET /customers. Newest first. With `updated_after`, the most recently updated first. */
  listCustomers: listOperation(({ account, query: { updated_after, email, external_id, search } }, page) => {
    if (email !== undefined && external_id !== undefined)
      throw invalidValue('external_id', 'Only one of email, external_id can be sent. Leave out external_id.');
    const query = {
      ...(updated_after === undefined ? { sort: 'created' as const } : { sort: 'updated' as const, from: isoFromMs(updated_after) }),
      ...(email === undefined ? {} : { email }),
      ...(external_id === undefined ? {} : { where: { external_id: [external_id] } }),
      ...(search === undefined ? {} : { search }),
    };
    return store.customers.list(account, query, page);
  }, customerView),
  /**
   * GET /customers/{id}. Returns 404 if the customer does not exist or belongs to another account.
   */
  retrieveCustomer: operation({
    read: ({ account, id }) => store.customers.get(account, id),
    decide(_call, stored) {
      if (!stored) throw notFound('Customer');
      return { result: customerView(stored.record) };
    },
  }),
});
