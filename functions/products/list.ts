import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { Page } from '../../shared/table/page.ts';
import type { listQuery } from './schema.ts';
import { shopperSettings, viewFor } from './shopper.ts';

type ListQuery = InferOutput<typeof listQuery>;

/** § Other endpoints, GET /products: newest first, or by update where `updated_after` is given; shoppers see the storefront. */
export const listProducts = ({
  store,
}: ApiServices): Operation<ListQuery, unknown, { readonly page: Page<Product>; readonly settings: Settings | undefined }> => ({
  async read(call) {
    const { updated_after, category, search } = call.query;
    const [created, updated] =
      call.key.type === 'publishable' ? (['storefrontCreated', 'storefrontUpdated'] as const) : (['created', 'updated'] as const);
    const query = {
      ...(updated_after === undefined ? { sort: created } : { sort: updated, from: isoFromMs(updated_after) }),
      ...(category === undefined ? {} : { where: { category: [category] } }),
      ...(search === undefined ? {} : { search }),
    };
    const [page, settings] = await Promise.all([
      store.products.list(call.account, query, pageRequest(call)),
      shopperSettings(store, call.account, call.key),
    ]);
    return { page, settings };
  },
  decide: (call, { page, settings }) => ({ body: pageBody(call, page, viewFor(settings)) }),
});
