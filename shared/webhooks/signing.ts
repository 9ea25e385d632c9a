import { createHmac } from 'node:crypto';
import { type Random, randomText } from '../core/random.ts';

const secretPrefix = 'whsec_';
const secretBytes = 32;
const userAgent = 'BakeryCommerce-Webhooks/1.0';

/** Returns a new secret: `whsec_` and 256 random bits in base64url. */
export const newSecret = (random: Pick<Random, 'bytes'>): string => `${secretPrefix}${randomText(random, secretBytes)}`;

/**
 * Returns `t=<unix seconds>,v1=<lowercase hex>`: an HMAC-SHA256 over `<t>.<rawBody>`. Its key is
 * the whole secret with its prefix, as UTF-8 (§ Signature).
 */
export const signatureHeader = (secret: string, tSeconds: number, rawBody: string | Uint8Array): string =>
  `t=${tSeconds},v1=${createHmac('sha256', secret).update(`${tSeconds}.`).update(rawBody).digest('hex')}`;

interface DeliveryToSign {
  readonly eventId: string;
  readonly secret: string;
  /** The replaced secret, during its grace period. */
  readonly previousSecret?: string | undefined;
  /** Time of signing, in milliseconds. Each attempt signs again. */
  readonly nowMs: number;
  /** The exact bytes to send; a string is sent as UTF-8. */
  readonly body: string | Uint8Array;
}

/** Returns the headers of one attempt (§ Request headers on every delivery). */
export const deliveryHeaders = ({ eventId, secret, previousSecret, nowMs, body }: DeliveryToSign): Record<string, string> => {
  const tSeconds = Math.floor(nowMs / 1000);
  return {
    'X-Webhook-Signature': signatureHeader(secret, tSeconds, body),
    'X-Webhook-Id': eventId,
    'X-Webhook-Timestamp': String(tSeconds),
    'Idempotency-Key': eventId,
    ...(previousSecret === undefined ? {} : { 'X-Webhook-Signature-Previous': signatureHeader(previousSecret, tSeconds, body) }),
    'User-Agent': userAgent,
    'Content-Type': 'application/json',
    // Firewalls with common rules reject a request without it.
    Accept: '*/*',
  };
};
