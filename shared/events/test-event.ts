import { isoFromMs } from '../core/time.ts';
import { testEventType } from '../domain/event-types.ts';
import type { WebhookTestMessage } from '../domain/wire/shop-events.ts';
import { encodeEvent } from './envelope.ts';

const message = 'This is a test event from Bakery Commerce.';

/** The bytes of a `webhook.test` event. */
export const encodeTestEvent = (id: string, account: string, nowMs: number): string => {
  const object: WebhookTestMessage = { message, timestamp: isoFromMs(nowMs) };
  return encodeEvent({ id, type: testEventType, createdSeconds: Math.floor(nowMs / 1000), account, object });
};
