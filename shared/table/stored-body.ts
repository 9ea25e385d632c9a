import { emptyEvent, eraseEvent } from '../domain/erasure.ts';
import { customerOfEvent, decodeEvent } from '../domain/event/envelope.ts';
import type { Erasures } from './erasures.ts';

/**
 * Returns the stored body of an event without its customer, if an erasure of the customer has begun,
 * and without any data if the account was erased. Every reader of stored bodies calls it, because
 * fan-out may store a body after an erasure and fail before it looks for one (decisions §7).
 */
export const withoutErased = async (
  { erasures }: { readonly erasures: Pick<Erasures, 'extent'> },
  account: string,
  body: string,
): Promise<string> => {
  const customer = customerOfEvent(decodeEvent(body));
  const extent = await erasures.extent(account, customer);
  if (extent === 'account') return emptyEvent(body);
  return (extent && eraseEvent(body, { id: customer ?? '', email: null, phone: null, name: null })) ?? body;
};
