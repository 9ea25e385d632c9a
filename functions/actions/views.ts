import { isoFromMs } from '../../shared/core/time.ts';
import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type Customer, customerView } from '../../shared/domain/customer/fields.ts';
import type { Expense, FeeLines } from '../../shared/domain/expense/fields.ts';
import { expenseView as expenseFullView } from '../../shared/domain/expense/fields.ts';
import { gatewayFeeId, type UnbookedFee } from '../../shared/domain/expense/rules.ts';
import { type InventoryItem, inventoryPayload } from '../../shared/domain/inventory/fields.ts';
import { type Order, orderView as orderApiView } from '../../shared/domain/order/fields.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { type QuickSale, quickSalePayload } from '../../shared/domain/quick-sale/fields.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import type { Item } from '../../shared/table/client.ts';
import { dayOfLine, decodeLine } from '../../shared/table/expenses.ts';

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

/** Returns a line of a gateway-fee expense, as it is stored, with the id of the expense. */
export const feeLineView = (item: Item) => ({ expense_id: gatewayFeeId(dayOfLine(item)), ...decodeLine(item) });

/** Exports show deleted records, with this field. */
export const deletedField = ({ deleted_at }: { readonly deleted_at?: string | null }) => (deleted_at ? { deleted_at } : {});

/** Returns a customer in an export, also an erased one. */
export const exportedCustomer = (customer: Customer) => ({
  ...customerView(customer),
  ...(customer.erased_at === undefined ? {} : { erased_at: customer.erased_at }),
});

/** Returns an order in an export, also a deleted one. */
export const exportedOrder = (order: Order, payments: readonly Payment[]) => ({
  ...orderView(order),
  payments: payments.map(paymentPayload),
  ...deletedField(order),
});

/** Returns a checkout session without the token of its page. */
export const sessionView = ({ account: _, token: __, expires_ms, ...shown }: CheckoutSession) => ({
  ...shown,
  expires_at: isoFromMs(expires_ms),
});

export const orderView = (order: Order) => ({ ...orderApiView(order), previous_status: order.previous_status });

export const quickSaleView = (sale: QuickSale) => ({
  ...quickSalePayload(sale),
  items: sale.items.map((item) => pick(item, ['name', 'quantity', 'unit_price'])),
});

/** Returns the result of a deletion. */
export const deletedView = ({ id }: { readonly id: string }) => ({ deleted: true, id });

export const inventoryView = (item: InventoryItem) => ({ ...inventoryPayload(item), ...pick(item, ['created_at', 'updated_at']) });
