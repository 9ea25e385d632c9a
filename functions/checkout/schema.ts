import { checkoutInputSchema } from '../../shared/domain/checkout/input.ts';

export const createBody = checkoutInputSchema;
