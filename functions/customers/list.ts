import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Customer } from '../../shared/domain/customer/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { Page } from '../../shared/table/page.ts';
import type { listQuery } from './schema.ts';
import { customerView } from './view.ts';

type ListQuery = InferOutput<typeof listQuery>;

/** GET /customers: newest first; by update, latest first, with `updated_after`. */
export const listCustomers = ({ store }: ApiServices): Operation<ListQuery, unknown, Page<Customer>> => ({
  async read(call) {
    const { updated_after, email, search } = call.query;
    const query = {
      ...(updated_after === undefined ? { sort: 'created' as const } : { sort: 'updated' as const, from: isoFromMs(updated_after) }),
      ...(email === undefined ? {} : { email }),
      ...(search === undefined ? {} : { search }),
    };
    return store.customers.list(call.account, query, pageRequest(call));
  },
  decide: (call, page) => ({ body: pageBody(call, page, customerView) }),
});
