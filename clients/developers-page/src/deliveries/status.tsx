import type { Delivery } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';

export const DeliveryStatus = ({ of: { status, attempts } }: { readonly of: Pick<Delivery, 'status' | 'attempts'> }) => {
  if (status === 'delivered') return <Badge tone="good">Delivered</Badge>;
  if (status === 'failed') return <Badge tone="bad">Failed</Badge>;
  return <Badge tone="waiting">{attempts > 0 ? 'Retrying' : 'Pending'}</Badge>;
};

/** The endpoint's last response. */
export const responseOf = ({ last_status_code, last_error }: Pick<Delivery, 'last_status_code' | 'last_error'>): string =>
  [last_status_code, last_error].filter((one) => one !== null).join(' · ') || '–';
