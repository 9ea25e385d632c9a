import { ApiError } from '../core/errors.ts';
import { mayBecome, type Order, type OrderStatus } from './order.ts';

/** The order in another status; refuses what the transition table does (§ Order status transitions). */
export const moveOrder = (order: Order, status: OrderStatus, updated_at: string): Order => {
  if (!mayBecome(order.status, status))
    throw new ApiError('conflict', `An order that is ${order.status} cannot become ${status}.`, { field: 'status' });
  return { ...order, status, previous_status: order.status === status ? order.previous_status : order.status, updated_at };
};
