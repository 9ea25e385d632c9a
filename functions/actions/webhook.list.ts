import { record } from '../../shared/core/fields.ts';
import { endpointView } from '../../shared/domain/webhook/view.ts';
import type { AccountAction } from './action.ts';

const input = record({});

export const listEndpoints: AccountAction<typeof input> = {
  summary: 'Lists the webhook endpoints, ten at most, with their statistics.',
  account: 'required',
  input,
  read: async ({ store }, _input, { id }) => ({ data: (await store.endpoints.all(id)).map(endpointView) }),
};
