import type { DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import { type Evidence, itemsOf } from './invariant.ts';

type Key = Readonly<Record<string, unknown>>;

export const deliveryRecords = (evidence: Evidence): readonly DeliveryRecord[] =>
  itemsOf(evidence).flatMap((item) => deliveryIn(item, item) ?? []);

/** Returns the record of an item, with the ids of its key; undefined for items of other kinds. */
export const deliveryIn = ({ pk, sk }: Key, item: Key | undefined): DeliveryRecord | undefined => {
  const [kind, account = '', endpoint = ''] = String(pk).split('#');
  return kind === 'dlv' && item ? { ...(item['view'] as DeliveryRecord), account, endpoint, id: String(sk) } : undefined;
};
