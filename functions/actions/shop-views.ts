import { customerPayload } from '../../shared/domain/customer/events.ts';
import type { Customer } from '../../shared/domain/customer/record.ts';
import { inventoryPayload } from '../../shared/domain/inventory/events.ts';
import type { InventoryItem } from '../../shared/domain/inventory/record.ts';
import type { Order } from '../../shared/domain/order/record.ts';
import { orderView as orderApiView } from '../../shared/domain/order/view.ts';
import { quickSalePayload } from '../../shared/domain/quick-sale/events.ts';
import type { QuickSale } from '../../shared/domain/quick-sale/record.ts';

/** What the dashboard sees of each record: what its events tell, and what they leave out. */

export const orderView = (order: Order) => ({ ...orderApiView(order), previous_status: order.previous_status });

export const customerView = (customer: Customer) => ({
  ...customerPayload(customer),
  notes: customer.notes,
  address: customer.address,
  metadata: customer.metadata,
});

export const quickSaleView = (sale: QuickSale) => ({
  ...quickSalePayload(sale),
  items: sale.items.map(({ name, quantity, unit_price }) => ({ name, quantity, unit_price })),
});

export const inventoryView = (item: InventoryItem) => ({
  ...inventoryPayload(item),
  created_at: item.created_at,
  updated_at: item.updated_at,
});
