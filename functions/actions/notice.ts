import { record } from '../../shared/core/fields.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import { onAccount, pageOf } from './action.ts';

const list = onAccount({
  summary: 'Lists the notices to the platform about an account of the last 30 days, newest first.',
  input: record(pageOf(50, 100)),
  async read({ store }, query, { id: account }) {
    const call = { account, operation: 'notice.list', id: '', query };
    return pageBody(call, await store.notices.list(account, pageRequest(call)), ({ account: _, ...notice }) => notice);
  },
});

export const notice = { list };
