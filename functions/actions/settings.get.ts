import { record } from '../../shared/core/fields.ts';
import { maskSecrets } from '../../shared/domain/account/settings.ts';
import type { AccountAction } from './action.ts';

const input = record({});

export const getSettings: AccountAction<typeof input> = {
  summary: 'Shows the settings, search keys and gateway secrets masked.',
  account: 'required',
  input,
  read: async ({ store }, _input, account) => maskSecrets(await store.accounts.getSettings(account.id)),
};
