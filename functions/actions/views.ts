import type { ApiKey } from '../../shared/domain/account/api-key.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { UnbookedFee } from '../../shared/domain/expense/gateway-fee.ts';
import type { Expense, FeeLines } from '../../shared/domain/expense/record.ts';
import { expenseView as expenseFullView } from '../../shared/domain/expense/view.ts';

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
export const expenseView = (expense: Expense, fees?: FeeLines) => ({
  ...expenseFullView(expense, fees),
  external_id: expense.external_id,
});

/** A fee that waits for an operator. */
export const unbookedFeeView = ({ line, day, currency, reason, at }: UnbookedFee) => ({
  transaction_id: line.transaction_id,
  order_id: line.order_id,
  order_label: line.order_label,
  gateway: line.gateway,
  amount: line.amount,
  currency,
  date: day,
  reason,
  created_at: at,
});
