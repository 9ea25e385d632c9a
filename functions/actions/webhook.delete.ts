import { record, requiredText } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { endpointOf } from './endpoints.ts';

const input = record({ id: requiredText() });

export const deleteEndpoint: AccountAction<typeof input> = {
  summary: 'Deletes a webhook endpoint for good; what is pending fails as it falls due.',
  account: 'required',
  input,
  async decide(services, { id }, account) {
    const endpoint = await endpointOf(services, account.id, id);
    return { result: { deleted: true, id }, writes: services.store.endpoints.deleteWrites(endpoint) };
  },
};
