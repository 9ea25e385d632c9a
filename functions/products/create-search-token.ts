import { ApiError } from '../../shared/core/errors.ts';
import { isoFromSeconds } from '../../shared/core/time.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { storefrontFilter } from '../../shared/domain/product/search.ts';
import type * as wire from '../../shared/domain/product/wire.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { scopedSearchKey } from '../../shared/providers/search-tokens.ts';
import { type Secrets, UnresolvedSecret } from '../../shared/providers/secrets.ts';

const validSeconds = 900;

const notConfigured = (internal?: string): ApiError =>
  new ApiError('search_not_configured', 'Search is not available for this account.', internal === undefined ? {} : { internal });

interface SearchAccess {
  readonly search: NonNullable<Settings['search']>;
  readonly searchKey: string;
}

/** § Other endpoints, POST /products/search-token: what it finds is limited to this account's storefront, also for a secret key. */
export const createSearchToken = ({
  store,
  secrets,
}: Pick<ApiServices, 'store'> & { readonly secrets: Secrets }): Operation<unknown, unknown, SearchAccess> => ({
  async read({ account }) {
    const { search } = await store.accounts.getSettings(account);
    if (!search) throw notConfigured();
    try {
      return { search, searchKey: await secrets.resolve(account, search.search_key) };
    } catch (error) {
      throw error instanceof UnresolvedSecret ? notConfigured(error.message) : error;
    }
  },
  decide({ account, nowMs }, { search, searchKey }) {
    const expiresAtSeconds = Math.floor(nowMs / 1000) + validSeconds;
    return {
      body: {
        token: scopedSearchKey(searchKey, { filter_by: storefrontFilter(account), expires_at: expiresAtSeconds }),
        expires_at: isoFromSeconds(expiresAtSeconds),
        provider: search.provider,
        host: search.host,
        collection: search.collection,
      } satisfies wire.SearchToken,
    };
  },
});
