import type { NewId } from '../core/ids.ts';
import { encodeTestEvent } from '../domain/event/envelope.ts';
import type { AttemptResult } from './outcome.ts';
import type { Sender } from './sender.ts';
import { deliveryHeaders } from './signing.ts';

/** Shorter than the gateway's 30 s, so that the caller gets a response (decisions §6). */
const longestMs = 25_000;
/** Latest end of a test after its request began, because an API function may run for 29 s. */
const latestEndMs = 28_000;
/**
 * Latest start. Lambda suspends the work of a request that has run out of time, and the next
 * invocation continues it, perhaps hours after the endpoint was moved, disabled or deleted.
 */
const latestStartMs = 15_000;

interface TestedEndpoint {
  readonly account: string;
  readonly url: string;
  readonly secret: string;
  /** The replaced secret, during its grace period. */
  readonly previousSecret: string | undefined;
}

/**
 * Sends one `webhook.test` now, signed like every event, without retries, a delivery record or
 * statistics (§ Webhooks, Test rules). `requestStartMs` is the start of its request. Throws without sending
 * if that is too long ago.
 */
export const sendTestEvent = async (
  { sender, newId }: { readonly sender: Sender; readonly newId: NewId },
  { account, url, secret, previousSecret }: TestedEndpoint,
  { requestStartMs, nowMs }: { readonly requestStartMs: number; readonly nowMs: number },
): Promise<AttemptResult> => {
  const waitedMs = nowMs - requestStartMs;
  if (waitedMs > latestStartMs) throw new Error(`The test was not sent, because its request began ${waitedMs} ms before.`);
  const eventId = newId('evt', nowMs);
  const body = encodeTestEvent(eventId, account, nowMs);
  const headers = deliveryHeaders({ eventId, secret, previousSecret, nowMs, body });
  return await sender.send({ url, headers, body, once: true, timeoutMs: Math.min(longestMs, latestEndMs - waitedMs) });
};
