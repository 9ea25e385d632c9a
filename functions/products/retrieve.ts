import { notFound } from '../../shared/core/errors.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { isStorefrontVisible, type Product } from '../../shared/domain/product/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { Stored } from '../../shared/table/records.ts';
import { shopperSettings, viewFor } from './shopper.ts';

interface Found {
  readonly stored: Stored<Product> | undefined;
  readonly settings: Settings | undefined;
}

/** § Other endpoints, GET /products/{id}: 404 where it is absent, deleted or, to a shopper, not on the storefront. */
export const retrieveProduct = ({ store }: ApiServices): Operation<unknown, unknown, Found> => ({
  async read({ account, id, key }) {
    const [stored, settings] = await Promise.all([store.products.get(account, id), shopperSettings(store, account, key)]);
    return { stored, settings };
  },
  decide({ key }, { stored, settings }) {
    const shown = stored && (key.type === 'publishable' ? isStorefrontVisible(stored.record) : stored.record.status !== 'deleted');
    if (!shown) throw notFound('Product');
    return { body: viewFor(settings)(stored.record) };
  },
});
