import { isoFromSeconds } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account.ts';
import type { ApiKey } from '../../shared/domain/api-key.ts';
import { type Expense, isGatewayFee } from '../../shared/domain/expense.ts';

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

const feeView = ({ line_items }: Expense) => {
  const lines = line_items ?? [];
  return {
    line_items: lines.map(({ order_id, order_label, gateway, amount }) => ({ order_id, order_label, gateway, amount })),
    metadata: { transaction_count: lines.length, gateways: [...new Set(lines.map(({ gateway }) => gateway))] },
  };
};

/** The REST API's full shape, and the id the expense has elsewhere. */
export const expenseView = (expense: Expense) => ({
  id: expense.id,
  amount: expense.amount,
  currency: expense.currency,
  category: expense.category,
  subcategory: expense.subcategory,
  description: expense.description,
  notes: expense.notes,
  tags: expense.tags,
  date: isoFromSeconds(expense.date),
  status: expense.status,
  source: expense.source,
  editable: expense.editable,
  supplier: expense.supplier,
  payment: expense.payment,
  tax: expense.tax,
  external_id: expense.external_id,
  ...(isGatewayFee(expense) ? feeView(expense) : {}),
  created_at: expense.created_at,
  updated_at: expense.updated_at,
});
