import type { NewId } from '../core/ids.ts';
import { encodeTestEvent } from '../domain/event/envelope.ts';
import type { AttemptResult } from './outcome.ts';
import type { Sender } from './sender.ts';
import { deliveryHeaders } from './signing.ts';

/** Shorter than the gateway's 30 s, so that the caller gets a response (decisions §6). */
const timeoutMs = 25_000;

interface TestedEndpoint {
  readonly account: string;
  readonly url: string;
  readonly secret: string;
  /** The replaced secret, during its grace period. */
  readonly previousSecret: string | undefined;
}

/**
 * Sends one `webhook.test` now, signed like every event, without retries, a delivery record or
 * statistics (§ Webhooks, Test rules).
 */
export const sendTestEvent = async (
  { sender, newId }: { readonly sender: Sender; readonly newId: NewId },
  { account, url, secret, previousSecret }: TestedEndpoint,
  nowMs: number,
): Promise<AttemptResult> => {
  const eventId = newId('evt', nowMs);
  const body = encodeTestEvent(eventId, account, nowMs);
  const headers = deliveryHeaders({ eventId, secret, previousSecret, nowMs, body });
  return await sender.send({ url, headers, body, once: true, timeoutMs });
};
