import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../shared/core/time.ts';
import { type Product, productView } from '../../shared/domain/product.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { Page } from '../../shared/table/page.ts';
import type { listQuery } from './schema.ts';

type ListQuery = InferOutput<typeof listQuery>;

/** § Other endpoints, GET /products: newest first, or by update where `updated_after` is given; shoppers see the storefront. */
export const listProducts = ({ store }: ApiServices): Operation<ListQuery, unknown, Page<Product>> => ({
  async read(call) {
    const { updated_after, category, search } = call.query;
    const query = {
      storefront: call.key.type === 'publishable',
      ...(updated_after === undefined ? {} : { updatedAfter: isoFromMs(updated_after) }),
      ...(category === undefined ? {} : { category }),
      ...(search === undefined ? {} : { search }),
    };
    return store.products.list(call.account, query, pageRequest(call));
  },
  decide: (call, page) => ({ body: pageBody(call, page, productView) }),
});
