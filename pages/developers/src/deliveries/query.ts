import { deliveryStatuses } from '../../../../shared/domain/webhook/record.ts';
import type { DeliveryFilters } from './feed.ts';

/** Returns the filters of an address; ignores invalid ones. */
export const filtersOf = (query: string): DeliveryFilters => {
  const params = new URLSearchParams(query);
  const status = params.get('status') ?? '';
  const sinceMs = Date.parse(params.get('since') ?? '');
  return {
    endpoint: params.get('endpoint') ?? '',
    status: (deliveryStatuses as readonly string[]).includes(status) ? status : '',
    type: params.get('type') ?? '',
    sinceMs: Number.isNaN(sinceMs) ? null : sinceMs,
  };
};

/** Returns the filters as a query, without those that exclude nothing. */
export const queryOf = ({ endpoint, status, type, sinceMs }: DeliveryFilters): string =>
  new URLSearchParams({
    ...(endpoint && { endpoint }),
    ...(status && { status }),
    ...(type && { type }),
    ...(sinceMs !== null && { since: new Date(sinceMs).toISOString() }),
  }).toString();
