import { record, requiredText } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { switchEndpoint } from './endpoints.ts';

const input = record({ id: requiredText() });

export const enableEndpoint: AccountAction<typeof input> = {
  summary: 'Enables a webhook endpoint; events of the time in between are not delivered.',
  account: 'required',
  input,
  decide: (services, { id }, account) => switchEndpoint(services, account.id, id, true),
};
