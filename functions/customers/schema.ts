import * as v from 'valibot';
import { filterText, inQuery, isoMs } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/page-parameters.ts';
import { customerInputSchema } from '../../shared/domain/customer/input.ts';

export const listQuery = v.object({
  ...pageParameters,
  updated_after: v.optional(inQuery(isoMs())),
  email: v.optional(filterText()),
  search: v.optional(filterText()),
});

export const createBody = customerInputSchema;
