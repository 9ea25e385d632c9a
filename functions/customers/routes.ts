import * as v from 'valibot';
import { filterText, inQuery, isoMs, lookupText, text } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/paging.ts';
import type { Route } from '../../shared/core/routes.ts';
import { customerInputSchema } from '../../shared/domain/customer/input.ts';

export const listQuery = v.object({
  ...pageParameters,
  updated_after: v.optional(inQuery(isoMs('up'))),
  email: v.optional(inQuery(lookupText())),
  external_id: v.optional(text()),
  search: v.optional(filterText()),
});

const reading = { scope: 'customers:read', keys: 'secret' } as const;
const writing = { scope: 'customers:write', keys: 'secret' } as const;

export const routes = [
  { operation: 'listCustomers', method: 'GET', path: '/customers', ...reading, query: listQuery },
  { operation: 'createCustomer', method: 'POST', path: '/customers', ...writing, status: 201, idempotent: true, body: customerInputSchema },
  { operation: 'retrieveCustomer', method: 'GET', path: '/customers/{id}', ...reading },
] as const satisfies readonly Route[];
