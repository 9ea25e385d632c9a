export interface RequestFilters {
  /** A class or a code: `4xx`, `429`. Empty: all. */
  readonly status: string;
  /** A key's id. Empty: all. */
  readonly key: string;
  /** Value of an `X-Request-Id` header. Empty: all. */
  readonly requestId: string;
  /** Excludes older requests; null: no limit. */
  readonly sinceMs: number | null;
}

/** Returns the filters of an address; ignores invalid ones. */
export const requestFiltersOf = (query: string): RequestFilters => {
  const params = new URLSearchParams(query);
  const status = params.get('status') ?? '';
  const sinceMs = Date.parse(params.get('since') ?? '');
  return {
    status: /^[1-5](xx|\d\d)$/.test(status) ? status : '',
    key: params.get('key') ?? '',
    requestId: params.get('request') ?? '',
    sinceMs: Number.isNaN(sinceMs) ? null : sinceMs,
  };
};

/** Returns the filters as a query, without those that exclude nothing. */
export const requestQueryOf = ({ status, key, requestId, sinceMs }: RequestFilters): string =>
  new URLSearchParams({
    ...(status && { status }),
    ...(key && { key }),
    ...(requestId && { request: requestId }),
    ...(sinceMs !== null && { since: new Date(sinceMs).toISOString() }),
  }).toString();
