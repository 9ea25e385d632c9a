import * as v from 'valibot';
import { record, requiredText } from '../../shared/core/fields.ts';
import type { AccountAction } from './action.ts';
import { accountView } from './views.ts';

const input = record({ id: v.exactOptional(requiredText()) });

export const getAccount: AccountAction<typeof input> = {
  summary: 'Shows an account.',
  account: 'self',
  erased: true,
  input,
  read: async (_services, _input, account) => accountView(account),
};
