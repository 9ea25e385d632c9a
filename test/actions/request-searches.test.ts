import { expect, test } from '@jest/globals';
import { actions } from '../../functions/actions/app.ts';
import { maxSearchesPerAccount } from '../../shared/table/search-slots.ts';
import { context } from '../support/context.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);

test('request.list of one account leaves slots for the searches of other accounts', async () => {
  const [busy, other] = [await dashboard.openAccount(), await dashboard.openAccount()];
  const full = Promise.withResolvers<void>();
  const end = Promise.withResolvers<[]>();
  let running = 0;
  const search = async ({ account }: { readonly account: string }) => {
    if (account !== busy) return [];
    running += 1;
    if (running === maxSearchesPerAccount) full.resolve();
    return end.promise;
  };
  const call = actions({ ...dashboard.services, requestLog: { search } });
  const list = (account: string) => call({ action: 'request.list', account, input: {} }, context);
  const pendingSearches = Array.from({ length: maxSearchesPerAccount }, () => list(busy));
  await full.promise;
  const error = { code: 'limit_reached', limit: 'request_searches', max: maxSearchesPerAccount, retry_after: 10 };
  expect(await list(busy)).toMatchObject({ ok: false, status: 403, body: { error } });
  expect(await list(other)).toMatchObject({ ok: true });
  end.resolve([]);
  expect(await Promise.all(pendingSearches)).toMatchObject(Array(maxSearchesPerAccount).fill({ ok: true }));
  expect(await list(busy)).toMatchObject({ ok: true });
});
