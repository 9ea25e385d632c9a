import { type Period, periodOf, periodParams } from '../ui/period.ts';

export interface RequestFilters extends Period {
  /** A class or a code: `4xx`, `429`. Empty: all. */
  readonly status: string;
  /** A key's id. Empty: all. */
  readonly key: string;
  /** Value of an `X-Request-Id` header. Empty: all. */
  readonly requestId: string;
}

/** Returns the filters of an address; ignores invalid ones. */
export const requestFiltersOf = (query: string): RequestFilters => {
  const params = new URLSearchParams(query);
  const status = params.get('status') ?? '';
  return {
    status: /^[1-5](xx|\d\d)$/.test(status) ? status : '',
    key: params.get('key') ?? '',
    requestId: params.get('request') ?? '',
    ...periodOf(params),
  };
};

/** Returns the filters as a query, without those that exclude nothing. */
export const requestQueryOf = ({ status = '', key = '', requestId = '', ...period }: Partial<RequestFilters>): string =>
  new URLSearchParams({
    ...(status && { status }),
    ...(key && { key }),
    ...(requestId && { request: requestId }),
    ...periodParams(period),
  }).toString();
