import { createHmac } from 'node:crypto';

/**
 * Verifies `t=…,v1=…` as a receiver does. It follows the specification and shares no code with the
 * sender.
 */
export const isSignedWith = (secret: string, header: string, rawBody: Uint8Array): boolean => {
  const fields = new Map(header.split(',').map((field) => field.split('=', 2) as [string, string]));
  const signed = Buffer.concat([Buffer.from(`${fields.get('t')}.`), rawBody]);
  return (
    /^t=\d{10},v1=[0-9a-f]{64}$/.test(header) && createHmac('sha256', Buffer.from(secret)).update(signed).digest('hex') === fields.get('v1')
  );
};
