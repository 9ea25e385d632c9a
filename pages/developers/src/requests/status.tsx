import type { ApiRequest } from '../contract.ts';
import { Badge, type Tone } from '../ui/parts.tsx';
import { statusWords } from '../ui/words.ts';

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'rejected' : 'bad');

export const RequestStatus = ({ request: { status } }: { readonly request: Pick<ApiRequest, 'status'> }) => (
  <Badge tone={toneOf(status)}>{statusWords(status)}</Badge>
);
