import { ApiError, notFound } from '../../shared/core/errors.ts';
import { isoFromMs, isoFromSeconds } from '../../shared/core/time.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { isStorefrontVisible, type Product, productView, type SearchToken } from '../../shared/domain/product/fields.ts';
import { scopedSearchKey, storefrontLimits } from '../../shared/domain/product/search.ts';
import { publicFieldValues } from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import { operation } from '../../shared/operations/operation.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import { UnresolvedSecret } from '../../shared/providers/secrets.ts';
import type { Services } from '../../shared/services.ts';
import type { Accounts } from '../../shared/table/accounts.ts';
import type { Products } from '../../shared/table/products.ts';
import type { routes } from './routes.ts';

type ProductServices = ApiServices<{ readonly products: Products }> & Pick<Services, 'secrets'>;

/**
 * Returns the settings that define the public fields. Only a shopper's view needs them, so a secret
 * key gets undefined.
 */
const shopperSettings = async (
  { accounts }: { readonly accounts: Accounts },
  account: string,
  key: Call['key'],
): Promise<Settings | undefined> => (key.type === 'publishable' ? accounts.getSettings(account) : undefined);

/**
 * Returns the merchant's view if there are no settings. With settings, returns the shopper's view,
 * which contains only public custom fields.
 */
const viewFor =
  (settings: Settings | undefined) =>
  (product: Product): ReturnType<typeof productView> =>
    productView(settings ? { ...product, custom_fields: publicFieldValues(product.custom_fields, settings) } : product);

const tokenValidSeconds = 900;

const notConfigured = (internal?: string): ApiError =>
  new ApiError(
    'search_not_configured',
    'The account has no search, or its search cannot be used now. Set it up in the dashboard, or try again later.',
    internal === undefined ? {} : { internal },
  );

export const products = ({ store, secrets }: ProductServices): OperationsOf<typeof routes> => ({
  /**
   * GET /products (§ Other endpoints). Newest first. With `updated_after`, sorted by update time.
   * Shoppers get only products of the storefront.
   */
  listProducts: operation({
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
    decide: (call, { page, settings }) => ({ result: pageBody(call, page, viewFor(settings)) }),
  }),
  /**
   * GET /products/{id} (§ Other endpoints). Returns 404 if the product does not exist or is deleted.
   * With a publishable key, also if it is not on the storefront.
   */
  retrieveProduct: operation({
    async read({ account, id, key }) {
      const [stored, settings] = await Promise.all([store.products.get(account, id), shopperSettings(store, account, key)]);
      return { stored, settings };
    },
    decide({ key }, { stored, settings }) {
      const shown = stored && (key.type === 'publishable' ? isStorefrontVisible(stored.record) : stored.record.status !== 'deleted');
      if (!shown) throw notFound('Product');
      return { result: viewFor(settings)(stored.record) };
    },
  }),
  /**
   * POST /products/search-token (§ Other endpoints). The token finds only products of this account's
   * storefront, even if the caller has a secret key.
   */
  createSearchToken: operation({
    async read({ account }) {
      const { search } = await store.accounts.getSettings(account);
      if (!search) throw notConfigured();
      try {
        return { search, searchKey: await secrets.resolve(account, search.search_key, 'search') };
      } catch (error) {
        throw error instanceof UnresolvedSecret ? notConfigured(error.message) : error;
      }
    },
    decide({ account, nowMs }, { search, searchKey }) {
      const expiresAtSeconds = Math.floor(nowMs / 1000) + tokenValidSeconds;
      return {
        result: {
          token: scopedSearchKey(searchKey, storefrontLimits(account, expiresAtSeconds)),
          expires_at: isoFromSeconds(expiresAtSeconds),
          provider: search.provider,
          host: search.host,
          collection: search.collection,
        } satisfies SearchToken,
      };
    },
  }),
});
