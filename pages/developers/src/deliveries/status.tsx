import type { Delivery } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';
import { errorWords, statusWords } from '../ui/words.ts';

export const DeliveryStatus = ({ of: { status, attempts } }: { readonly of: Pick<Delivery, 'status' | 'attempts'> }) => {
  if (status === 'delivered') return <Badge tone="good">Delivered</Badge>;
  if (status === 'failed') return <Badge tone="bad">Failed</Badge>;
  return attempts > 0 ? <Badge tone="waiting">Retrying</Badge> : <Badge tone="neutral">Pending</Badge>;
};

/** The endpoint's last response in words. */
export const responseOf = ({ last_status_code: code, last_error: error }: Pick<Delivery, 'last_status_code' | 'last_error'>): string => {
  if (code !== null && error === 'endpoint_disabled') return `${code}, then disabled`;
  return [code === null ? '' : statusWords(code), errorWords(error)].filter((one) => one !== '').join(', ') || '–';
};
