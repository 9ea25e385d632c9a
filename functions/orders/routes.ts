import * as v from 'valibot';
import { filterText, inQuery, lookupText, momentMs, oneOf, text, untilInQuery } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/paging.ts';
import type { Route } from '../../shared/core/routes.ts';
import { type OrderStatus, orderStatuses } from '../../shared/domain/enumerations.ts';
import { orderInputSchema } from '../../shared/domain/order/input.ts';

const isStatus = (text: string): text is OrderStatus => (orderStatuses as readonly string[]).includes(text);

/**
 * A comma-separated list of statuses; an order matches if it has any of them. An error names the
 * parameter, not the position in the list.
 */
const statuses = v.pipe(
  v.string(),
  v.transform((text) => [...new Set(text.split(',').map((status) => status.trim()))]),
  v.guard((list): list is OrderStatus[] => list.every(isStatus), `must be one or more of ${orderStatuses.join(', ')}`),
  v.metadata({ type: 'array', items: { type: 'string', enum: orderStatuses } }),
);

export const listQuery = v.object({
  ...pageParameters,
  sort: v.optional(oneOf(['createdAt', 'updatedAt', 'deliveryDate']), 'createdAt'),
  created_after: v.optional(inQuery(momentMs('up'))),
  created_before: v.optional(untilInQuery(momentMs())),
  status: v.optional(statuses),
  payment_status: v.optional(filterText()),
  customer_id: v.optional(lookupText()),
  external_id: v.optional(text()),
});

const reading = { scope: 'orders:read', keys: 'secret' } as const;
const writing = { scope: 'orders:write', keys: 'secret' } as const;

export const routes = [
  { operation: 'listOrders', method: 'GET', path: '/orders', ...reading, query: listQuery },
  { operation: 'createOrder', method: 'POST', path: '/orders', ...writing, status: 201, idempotent: true, body: orderInputSchema },
  { operation: 'retrieveOrder', method: 'GET', path: '/orders/{id}', ...reading },
] as const satisfies readonly Route[];
