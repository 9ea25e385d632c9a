import { record, requiredText } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { switchEndpoint } from './endpoints.ts';

const input = record({ id: requiredText() });

export const disableEndpoint: AccountAction<typeof input> = {
  summary: 'Disables a webhook endpoint; its pending deliveries fail as they fall due.',
  account: 'required',
  input,
  decide: (services, { id }, account) => switchEndpoint(services, account.id, id, false),
};
