import { ApiError } from '../../shared/core/errors.ts';
import { isoFromSeconds } from '../../shared/core/time.ts';
import { storefrontFilter } from '../../shared/domain/search-document.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { scopedSearchKey } from '../../shared/providers/search-tokens.ts';

const validSeconds = 900;

/** § Other endpoints, POST /products/search-token: what it finds is limited to this account's storefront, also for a secret key. */
export const createSearchToken = ({ store }: ApiServices): Operation<unknown, unknown, Settings> => ({
  read: ({ account }) => store.accounts.getSettings(account) as Promise<Settings>,
  decide({ account, nowMs }, { search }) {
    if (!search) throw new ApiError('search_not_configured', 'Search is not available for this account.');
    const expiresAtSeconds = Math.floor(nowMs / 1000) + validSeconds;
    return {
      body: {
        token: scopedSearchKey(search.search_key, { filter_by: storefrontFilter(account), expires_at: expiresAtSeconds }),
        expires_at: isoFromSeconds(expiresAtSeconds),
        provider: search.provider,
        host: search.host,
        collection: search.collection,
      },
    };
  },
});
