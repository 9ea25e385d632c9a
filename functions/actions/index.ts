import { createAccount } from './account.create.ts';
import { eraseAccount } from './account.erase.ts';
import { exportAccount } from './account.export.ts';
import { getAccount } from './account.get.ts';
import { updateAccount } from './account.update.ts';
import { accountUsage } from './account.usage.ts';
import type { Action } from './action.ts';
import { eraseCustomer } from './customer.erase.ts';
import { updateCustomer } from './customer.update.ts';
import { findDeliveries } from './delivery.find.ts';
import { getDelivery } from './delivery.get.ts';
import { listDeliveries } from './delivery.list.ts';
import { requeueDeliveries } from './delivery.requeue_overdue.ts';
import { createExpense } from './expense.create.ts';
import { deleteExpense } from './expense.delete.ts';
import { updateExpense } from './expense.update.ts';
import { bookUnbookedFee } from './gateway_fee.book.ts';
import { listUnbookedFees } from './gateway_fee.list_unbooked.ts';
import { recordFee } from './gateway_fee.record.ts';
import { adjustInventory } from './inventory.adjust.ts';
import { putInventory } from './inventory.put.ts';
import { createKey } from './key.create.ts';
import { listKeys } from './key.list.ts';
import { revokeKey } from './key.revoke.ts';
import { updateKey } from './key.update.ts';
import { deleteOrder } from './order.delete.ts';
import { setOrderStatus } from './order.set_status.ts';
import { updateOrder } from './order.update.ts';
import { correctPaymentAmount } from './payment.correct_amount.ts';
import { createPayment } from './payment.create.ts';
import { refundPayment } from './payment.refund.ts';
import { setStatusOfPayment } from './payment.set_status.ts';
import { voidPayment } from './payment.void.ts';
import { createProduct } from './product.create.ts';
import { deleteProduct } from './product.delete.ts';
import { updateProduct } from './product.update.ts';
import { discardMessage } from './queue.discard.ts';
import { peekQueue } from './queue.peek.ts';
import { redriveQueue } from './queue.redrive.ts';
import { queueStatus } from './queue.status.ts';
import { createQuickSale } from './quick_sale.create.ts';
import { deleteQuickSale } from './quick_sale.delete.ts';
import { updateQuickSale } from './quick_sale.update.ts';
import { getSettings } from './settings.get.ts';
import { putSettings } from './settings.put.ts';
import { replayParked } from './stream.replay.ts';
import { createEndpoint } from './webhook.create.ts';
import { deleteEndpoint } from './webhook.delete.ts';
import { disableEndpoint } from './webhook.disable.ts';
import { enableEndpoint } from './webhook.enable.ts';
import { listEndpoints } from './webhook.list.ts';
import { redeliver } from './webhook.redeliver.ts';
import { redeliverFailed } from './webhook.redeliver_failed.ts';
import { rotateSecret } from './webhook.rotate_secret.ts';
import { testEndpoint } from './webhook.test.ts';
import { updateEndpoint } from './webhook.update.ts';

/** The vocabulary `noun.verb` of dashboard actions (decisions §7), one file each. */
export const actionTable: Readonly<Record<string, Action>> = {
  'account.create': createAccount,
  'account.get': getAccount,
  'account.update': updateAccount,
  'account.export': exportAccount,
  'account.erase': eraseAccount,
  'account.usage': accountUsage,
  'settings.get': getSettings,
  'settings.put': putSettings,
  'key.create': createKey,
  'key.list': listKeys,
  'key.update': updateKey,
  'key.revoke': revokeKey,
  'order.update': updateOrder,
  'order.set_status': setOrderStatus,
  'order.delete': deleteOrder,
  'customer.update': updateCustomer,
  'customer.erase': eraseCustomer,
  'expense.create': createExpense,
  'expense.update': updateExpense,
  'expense.delete': deleteExpense,
  'gateway_fee.record': recordFee,
  'gateway_fee.list_unbooked': listUnbookedFees,
  'gateway_fee.book': bookUnbookedFee,
  'product.create': createProduct,
  'product.update': updateProduct,
  'product.delete': deleteProduct,
  'payment.create': createPayment,
  'payment.set_status': setStatusOfPayment,
  'payment.void': voidPayment,
  'payment.correct_amount': correctPaymentAmount,
  'payment.refund': refundPayment,
  'quick_sale.create': createQuickSale,
  'quick_sale.update': updateQuickSale,
  'quick_sale.delete': deleteQuickSale,
  'inventory.put': putInventory,
  'inventory.adjust': adjustInventory,
  'webhook.create': createEndpoint,
  'webhook.list': listEndpoints,
  'webhook.update': updateEndpoint,
  'webhook.delete': deleteEndpoint,
  'webhook.test': testEndpoint,
  'webhook.rotate_secret': rotateSecret,
  'webhook.enable': enableEndpoint,
  'webhook.disable': disableEndpoint,
  'webhook.redeliver': redeliver,
  'webhook.redeliver_failed': redeliverFailed,
  'delivery.find': findDeliveries,
  'delivery.get': getDelivery,
  'delivery.list': listDeliveries,
  'delivery.requeue_overdue': requeueDeliveries,
  'queue.status': queueStatus,
  'queue.peek': peekQueue,
  'queue.redrive': redriveQueue,
  'queue.discard': discardMessage,
  'stream.replay': replayParked,
};
