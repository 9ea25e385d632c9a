import { notFound } from '../../shared/core/errors.ts';
import { isStorefrontVisible, type Product, productView } from '../../shared/domain/product.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { Stored } from '../../shared/table/records.ts';

/** § Other endpoints, GET /products/{id}: 404 where it is absent, deleted or, to a shopper, not on the storefront. */
export const retrieveProduct = ({ store }: ApiServices): Operation<unknown, unknown, Stored<Product> | undefined> => ({
  read: ({ account, id }) => store.products.get(account, id),
  decide({ key }, stored) {
    const shown = stored && (key.type === 'publishable' ? isStorefrontVisible(stored.record) : stored.record.status !== 'deleted');
    if (!shown) throw notFound('Product');
    return { body: productView(stored.record) };
  },
});
