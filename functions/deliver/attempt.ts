import { createHash, randomUUID } from 'node:crypto';
import { type Endpoint, previousSecret } from '../../shared/domain/webhook.ts';
import { nextAttempt } from '../../shared/webhooks/ladder.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import type { AttemptResult, Outcome } from '../../shared/webhooks/outcome.ts';
import { deliveryHeaders } from '../../shared/webhooks/signing.ts';
import { type DeliverServices, leaseMs } from './services.ts';

/** § Delivery semantics 2. */
const timeoutMs = 30_000;
const maxQueueDelaySeconds = 900;

/** Deterministic, so that arranging the same attempt twice makes one schedule. */
const scheduleName = ({ endpoint, event, run, attempt }: DeliveryMessage): string =>
  createHash('sha256').update([endpoint, event, run, attempt].join('#')).digest('hex').slice(0, 48);

/** Puts the next attempt where it waits: the queue up to 15 minutes, a schedule beyond. */
const arrange = async (
  { queue, scheduler, clock }: DeliverServices,
  message: DeliveryMessage,
  atMs: number,
  channel: 'queue' | 'schedule',
) => {
  const body = encodeMessage(message);
  if (channel === 'schedule') return await scheduler.schedule({ name: scheduleName(message), atMs, body, groupId: message.account });
  const delaySeconds = Math.min(maxQueueDelaySeconds, Math.max(0, Math.ceil((atMs - clock.now()) / 1000)));
  await queue.send([{ body, groupId: message.account, delaySeconds }]);
};

/**
 * A message whose attempt was refused is a duplicate, or stale, or the one of an attempt whose successor could not be arranged:
 * then the successor is arranged now.
 */
const resume = async (services: DeliverServices, message: DeliveryMessage): Promise<void> => {
  const record = await services.store.deliveries.get(message.account, message.endpoint, message.event);
  if (record?.status !== 'pending' || record.run !== message.run || record.attempts !== message.attempt + 1) return;
  const next = record.next_retry_at && nextAttempt(record.attempts, 0, services.policy);
  if (next) await arrange(services, withoutBounces(message, record.attempts), Date.parse(record.next_retry_at as string), next.channel);
};

const withoutBounces = ({ account, endpoint, event, run }: DeliveryMessage, attempt: number): DeliveryMessage => ({
  account,
  endpoint,
  event,
  run,
  attempt,
});

const send = async ({ sender, clock }: DeliverServices, endpoint: Endpoint, event: string, body: string): Promise<AttemptResult> => {
  const nowMs = clock.now();
  const headers = deliveryHeaders({
    eventId: event,
    secret: endpoint.secret,
    previousSecret: previousSecret(endpoint, nowMs),
    nowMs,
    body,
  });
  return await sender.send({ url: endpoint.url, headers, body, timeoutMs });
};

/**
 * One attempt: claim, send, record, arrange the next. Undefined where there was nothing to do: the attempt is over, superseded
 * or being made by another. Throws where the outcome or the next attempt could not be kept; the message then comes back.
 */
export const attemptDelivery = async (
  services: DeliverServices,
  endpoint: Endpoint,
  message: DeliveryMessage,
): Promise<Outcome | undefined> => {
  const { store, clock, policy, log } = services;
  const token = randomUUID();
  const [claimed, body] = await Promise.all([
    store.deliveries.claim(message, token, clock.now() + leaseMs),
    store.events.getBody(message.account, message.event),
  ]);
  if (!claimed) {
    await resume(services, message);
    return undefined;
  }
  // A body is kept as long as its record; without one there is nothing to send.
  const result = body === undefined ? undefined : await send(services, endpoint, message.event, body);
  const atMs = clock.now();
  const success = result?.success === true;
  const attempts = message.attempt + (success ? 0 : 1);
  const next = success || !result ? undefined : nextAttempt(attempts, atMs, policy);
  const kept = await store.deliveries.finish(message, token, {
    status: success ? 'delivered' : next ? 'pending' : 'failed',
    attempts,
    statusCode: result?.statusCode ?? null,
    error: result?.error ?? null,
    atMs,
    nextAtMs: next?.atMs ?? null,
  });
  const { account, event, run, attempt } = message;
  log({
    op: 'deliver',
    account,
    endpoint: endpoint.id,
    event,
    run,
    attempt,
    status: result?.statusCode,
    error: result?.error,
    ms: result?.responseTimeMs,
  });
  if (!kept || !result) return undefined;
  if (next) await arrange(services, withoutBounces(message, attempts), next.atMs, next.channel);
  return success ? 'success' : 'failure';
};
