import type { Delivery } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';
import { errorWords, statusWords } from '../ui/words.ts';

export const DeliveryStatus = ({ delivery: { status, attempts } }: { readonly delivery: Pick<Delivery, 'status' | 'attempts'> }) => {
  if (status === 'delivered') return <Badge tone="good">Delivered</Badge>;
  if (status === 'failed') return <Badge tone="bad">Failed</Badge>;
  return attempts > 0 ? <Badge tone="waiting">Retrying</Badge> : <Badge tone="neutral">Pending</Badge>;
};

type Outcome = Pick<Delivery, 'last_status_code' | 'last_error'> & Partial<Pick<Delivery, 'attempts' | 'last_response_code'>>;

/** The endpoint's last response in words, for example `503, then disabled`. */
export const responseOf = ({
  last_status_code: code,
  last_error: error,
  attempts = 0,
  last_response_code: last = null,
}: Outcome): string => {
  if (error === 'endpoint_disabled' && attempts > 0) return `${last ?? 'No response'}, then disabled`;
  return [code === null ? '' : statusWords(code), errorWords(error)].filter((one) => one !== '').join(', ') || '–';
};
