import type { Account } from '../../shared/domain/account.ts';
import type { ApiKey } from '../../shared/domain/api-key.ts';
import type { Expense } from '../../shared/domain/expense.ts';
import { expenseView as expenseFullView } from '../../shared/domain/expense-view.ts';

/** What the dashboard sees of each record, member by member: a new internal member stays internal. */

export const accountView = (account: Account) => ({
  id: account.id,
  name: account.name,
  region: account.region,
  plan: account.plan,
  status: account.status,
  currency: account.currency,
  order_limit: account.order_limit,
  timezone: account.timezone,
  created_at: account.created_at,
  updated_at: account.updated_at,
  ...(account.erased_at === undefined ? {} : { erased_at: account.erased_at }),
});

/** Neither the value nor its digest. */
export const keyView = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  type: key.type,
  region: key.region,
  group: key.group,
  scopes: key.scopes,
  prefix: key.prefix,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
  created_at: key.created_at,
  updated_at: key.updated_at,
});

/** The REST API's full shape, and the id the expense has elsewhere. */
export const expenseView = (expense: Expense) => ({ ...expenseFullView(expense), external_id: expense.external_id });
