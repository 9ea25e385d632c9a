import type { NewId } from '../core/ids.ts';
import { encodeTestEvent } from '../domain/event/envelope.ts';
import type { AttemptResult } from './outcome.ts';
import type { Sender } from './sender.ts';
import { deliveryHeaders } from './signing.ts';

/** Below the gateway's 30 s, so that the caller gets a response (decisions §6). */
const timeoutMs = 25_000;

interface TestedEndpoint {
  readonly account: string;
  readonly url: string;
  readonly secret: string;
  /** The replaced secret; only while its grace window lasts. */
  readonly previousSecret: string | undefined;
}

/**
 * Sends one `webhook.test` now, signed like any other event: no retry, no record, no statistics (§
 * Webhooks, Test rules).
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
