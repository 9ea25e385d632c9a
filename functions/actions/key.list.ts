import { record } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { keyView } from './views.ts';

const input = record({});

export const listKeys: AccountAction<typeof input> = {
  summary: 'Lists the API keys, oldest first, revoked and expired ones included.',
  account: 'required',
  input,
  read: async ({ store }, _input, account) => ({ data: (await store.apiKeys.list(account.id)).map(keyView) }),
};
