import { deliveryStatuses } from '../../../../shared/domain/webhook/record.ts';
import { periodOf, periodParams } from '../ui/period.ts';
import type { DeliveryFilters } from './pages.ts';

/** Returns the filters of an address; ignores invalid ones. */
export const filtersOf = (query: string): DeliveryFilters => {
  const params = new URLSearchParams(query);
  const status = params.get('status') ?? '';
  return {
    endpoint: params.get('endpoint') ?? '',
    status: (deliveryStatuses as readonly string[]).includes(status) ? status : '',
    type: params.get('type') ?? '',
    id: params.get('id') ?? '',
    ...periodOf(params),
  };
};

/** Returns the filters as a query, without those that exclude nothing. */
export const queryOf = ({ endpoint = '', status = '', type = '', id = '', ...period }: Partial<DeliveryFilters>): string =>
  new URLSearchParams({
    ...(endpoint && { endpoint }),
    ...(status && { status }),
    ...(type && { type }),
    ...(id && { id }),
    ...periodParams(period),
  }).toString();
