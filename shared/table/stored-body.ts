import { fullPersonalPart } from '../domain/erased-fields.ts';
import { emptyEvent, eraseEvent } from '../domain/erasure.ts';
import { customerIdOfEvent, decodeEvent, orderIdOfEvent } from '../domain/event/envelope.ts';
import type { Erasures } from './erasures.ts';

/**
 * Returns the stored body of an event without its customer, if an erasure of the customer has begun,
 * without the person whose erasure has removed their part of its order, and without any data if the
 * account was erased. Every reader of stored bodies calls it, because fan-out may store a body after
 * an erasure and fail before it looks for one (decisions §7).
 */
export const withoutErased = async (
  { erasures }: { readonly erasures: Pick<Erasures, 'extent'> },
  account: string,
  body: string,
): Promise<string> => {
  const event = decodeEvent(body);
  const customer = customerIdOfEvent(event);
  const extent = await erasures.extent(account, customer, orderIdOfEvent(event));
  if (extent === 'account') return emptyEvent(body);
  if (extent === undefined) return body;
  const nobody = { id: customer ?? '', email: null, phone: null, name: null };
  if (extent === 'customer') return eraseEvent(body, nobody, fullPersonalPart);
  // Later changes of the order are without the person, and may have other texts.
  const { updated_at, created_at } = event.data.object;
  return String(updated_at ?? created_at) <= extent.at ? eraseEvent(body, nobody, extent) : body;
};
