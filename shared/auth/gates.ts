import { ApiError, FlatError } from '../core/errors.ts';
import type { Route } from '../core/routes.ts';
import type { ApiKey } from '../domain/account/api-key.ts';
import { type Account, hasRestApi, isServed } from '../domain/account/record.ts';

/** Plan, then account status (§ Authentication 9); both flat, neither retryable. */
export const assertAccount = (account: Account | undefined): Account => {
  if (!account) throw new ApiError('invalid_api_key', 'Invalid API key.', { internal: 'key without an account' });
  if (!hasRestApi(account)) {
    throw new FlatError(403, {
      error: 'plan_required',
      feature: 'rest-api',
      label: 'REST API',
      required: 'business',
      current: account.plan,
    });
  }
  if (!isServed(account)) throw new FlatError(403, { error: 'account_inactive', status: account.status });
  return account;
};

/** § Authentication 3. */
export const assertKeyType = ({ type }: Pick<ApiKey, 'type'>, route: Pick<Route, 'keys'>): void => {
  if (type === 'publishable' && route.keys === 'secret') {
    throw new ApiError('publishable_key_not_allowed', 'This endpoint needs a secret key.');
  }
};

/** § Authentication 6. */
export const assertScope = (key: Pick<ApiKey, 'scopes'>, route: Pick<Route, 'scope'>): void => {
  if (!key.scopes.includes(route.scope)) {
    throw new ApiError('insufficient_scope', `This key lacks the scope ${route.scope}.`, { requiredScope: route.scope });
  }
};
