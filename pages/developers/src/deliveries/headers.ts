import type { DeliveryAttempt } from '../../../../shared/domain/webhook/record.ts';

/** Errors of attempts that sent nothing. */
const unsent: readonly (string | null)[] = ['invalid_url', 'endpoint_disabled'];

/**
 * Returns the headers that bind an attempt's request to its event and its time. They follow from
 * what is stored: `at` is when the attempt ended, and it was signed when it began. The digest needs
 * the secret, which the page never has.
 */
export const signedHeaders = ({ at, duration_ms, error }: DeliveryAttempt, eventId: string): readonly (readonly [string, string])[] => {
  if (unsent.includes(error)) return [];
  const seconds = Math.floor((Date.parse(at) - duration_ms) / 1000);
  return [
    ['X-Webhook-Id', eventId],
    ['X-Webhook-Timestamp', String(seconds)],
    ['X-Webhook-Signature', `t=${seconds},v1=…`],
    ['Idempotency-Key', eventId],
  ];
};
