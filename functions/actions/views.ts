import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import type { Expense, FeeLines } from '../../shared/domain/expense/fields.ts';
import { expenseView as expenseFullView } from '../../shared/domain/expense/fields.ts';
import type { UnbookedFee } from '../../shared/domain/expense/rules.ts';
import { type InventoryItem, inventoryPayload } from '../../shared/domain/inventory/fields.ts';
import { type Order, orderView as orderApiView } from '../../shared/domain/order/fields.ts';
import { type QuickSale, quickSalePayload } from '../../shared/domain/quick-sale/fields.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import type { Store } from '../../shared/table/store.ts';

/**
 * The dashboard's view of each record. Views list their fields one by one, so that a new internal
 * field is not shown by accident.
 */

export const accountView = (account: Account) =>
  pick(account, ['id', 'name', 'region', 'plan', 'status', 'currency', 'order_limit', 'timezone', 'created_at', 'updated_at', 'erased_at']);

/**
 * Returns the view of a key: without its value and digest, with the UTC day of its last use if it
 * was used.
 */
export const keyView = (key: ApiKey, last_used_on: string | null) =>
  pick({ ...key, last_used_on }, [
    'id',
    'name',
    'type',
    'region',
    'group',
    'scopes',
    'prefix',
    'expires_at',
    'last_used_on',
    'revoked_at',
    'created_at',
    'updated_at',
  ]);

/** Returns the keys of an account, oldest first. */
export const listKeys = async ({ apiKeys }: Pick<Store, 'apiKeys'>, account: string) => {
  const [keys, uses] = await Promise.all([apiKeys.list(account), apiKeys.lastUses(account)]);
  return keys.map((key) => keyView(key, uses.get(key.id) ?? null));
};

/** Returns the REST API's full view of an expense, with the expense's id in external systems. */
export const expenseView = (expense: Expense, fees?: FeeLines) => ({
  ...expenseFullView(expense, fees),
  external_id: expense.external_id,
});

/** Returns the view of a fee that was not booked and waits for an operator. */
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

export const orderView = (order: Order) => ({ ...orderApiView(order), previous_status: order.previous_status });

export const quickSaleView = (sale: QuickSale) => ({
  ...quickSalePayload(sale),
  items: sale.items.map((item) => pick(item, ['name', 'quantity', 'unit_price'])),
});

export const inventoryView = (item: InventoryItem) => ({ ...inventoryPayload(item), ...pick(item, ['created_at', 'updated_at']) });
