import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A stored answer is written by the KB, in a transaction at twice the price: up to this it fits into one beside its keys as it is. */
const plainBytes = 600;

/** The text as it is kept: deflated where it is long, unless that makes it no shorter. */
export const packBody = (body: string): string | Uint8Array => {
  const size = Buffer.byteLength(body);
  if (size <= plainBytes) return body;
  const deflated = deflateRawSync(body);
  return deflated.length < size ? deflated : body;
};

export const unpackBody = (kept: unknown): string => (typeof kept === 'string' ? kept : inflateRawSync(kept as Uint8Array).toString());
