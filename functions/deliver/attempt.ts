import { createHash } from 'node:crypto';
import { timeOfId } from '../../shared/core/ids.ts';
import { randomText } from '../../shared/core/random.ts';
import { type DeliveryRecord, type Endpoint, previousSecret, takesDeliveries } from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import type { AttemptResult, Outcome } from '../../shared/webhooks/outcome.ts';
import { type NextAttempt, nextAttempt } from '../../shared/webhooks/retry-schedule.ts';
import { deliveryHeaders } from '../../shared/webhooks/signing.ts';
import type { DeliverServices } from './services.ts';

/**
 * Error of a delivery that became due while its endpoint was disabled or deleted, or its account
 * closed.
 */
const endpointDisabled = 'endpoint_disabled';
/** Time limit of an attempt (§ Delivery semantics 2). */
const timeoutMs = 30_000;
const maxQueueDelayMs = 900_000;

/** An attempt to arrange for later. */
interface Arrangement extends Pick<NextAttempt, 'atMs' | 'channel'> {
  readonly message: DeliveryMessage;
}

/** An attempt that was made and stored. `next` must be arranged before the message is removed. */
export interface EndedAttempt {
  readonly outcome: Outcome;
  readonly atMs: number;
  readonly next: Arrangement | undefined;
}

/**
 * Makes one attempt: sends the event and stores the outcome. The invocation began at `begunMs`.
 * Returns undefined if the attempt has an outcome already or its run is over. Throws if the outcome
 * cannot be stored; the message then returns. If two copies of a message are handled at the same
 * time, both may send; the first outcome is stored and counted.
 */
export const attemptDelivery = async (
  services: DeliverServices,
  message: DeliveryMessage,
  { record, body, endpoint }: AttemptParts,
  begunMs: number,
): Promise<EndedAttempt | undefined> => {
  if (!waitsFor(record, message)) {
    await resume(services, message, record);
    return undefined;
  }
  if (!endpoint || !takesDeliveries(endpoint)) {
    await abandonDelivery(services, message);
    services.log({ op: 'deliver', account: message.account, endpoint: message.endpoint, abandoned: 1 });
    return undefined;
  }
  // Body and record expire together, so the record has expired.
  if (body === undefined) return undefined;
  return await once(services, message, async () => {
    const sentMs = services.clock.now();
    return await keep(services, message, sentMs, await send(services, endpoint, message.event, body), begunMs);
  });
};

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

/** Stores the outcome of an attempt. Returns undefined if another outcome is stored already. */
const keep = async (
  services: DeliverServices,
  message: DeliveryMessage,
  sentMs: number,
  { success, statusCode, responseTimeMs, error, answer }: AttemptResult,
  begunMs: number,
): Promise<EndedAttempt | undefined> => {
  const { store, clock, random, policy, log } = services;
  const { bounces: _, ...attempted } = message;
  const atMs = clock.now();
  const attempts = message.attempt + (success ? 0 : 1);
  const wait = success ? undefined : nextAttempt(attempts, atMs, policy);
  const status = success ? 'delivered' : wait ? 'pending' : 'failed';
  const ended = { status, attempts, statusCode, error, atMs, durationMs: atMs - sentMs, nextAtMs: wait?.atMs ?? null, answer } as const;
  const token = randomText(random, 9);
  const kept = await insist(services, begunMs, () => store.deliveries.finish(message, token, ended));
  log({
    op: 'deliver',
    ...attempted,
    outcome: kept ? status : 'superseded',
    // Absent instead of null, because a metric filter's wildcard may match null.
    status: statusCode ?? undefined,
    error: error ?? undefined,
    ms: responseTimeMs ?? undefined,
    lag: isFirst(message) ? atMs - timeOfId(message.event) : undefined,
  });
  const outcome = success ? 'success' : 'failure';
  if (kept) return { outcome, atMs, next: wait && { ...wait, message: afterFailure(message) } };
  // If the delivery was redelivered meanwhile, the request still counts.
  const inHistory = await insist(services, begunMs, () => store.attempts.keepSuperseded(message, ended));
  return inHistory ? { outcome, atMs, next: undefined } : undefined;
};

/** Fails a delivery whose endpoint accepts no deliveries. */
export const abandonDelivery = async (services: DeliverServices, message: DeliveryMessage): Promise<void> => {
  await once(services, message, () => services.store.deliveries.abandon(message, endpointDisabled, services.clock.now()));
};

/**
 * Handles a message whose attempt is not pending: a duplicate or stale message, or one whose next
 * attempt was never arranged. In the last case, arranges the next attempt now. If it is due soon,
 * uses the queue, because a schedule could be too late.
 */
const resume = async (services: DeliverServices, message: DeliveryMessage, record: DeliveryRecord | undefined): Promise<void> => {
  const next = afterFailure(message);
  if (!record?.next_retry_at || !waitsFor(record, next)) return;
  const atMs = Date.parse(record.next_retry_at);
  const channel = atMs - services.clock.now() > maxQueueDelayMs ? 'schedule' : 'queue';
  await arrange(services, { message: next, atMs, channel });
};

/** Sends an attempt to the queue or schedules it. */
export const arrange = async ({ queue, scheduler, clock }: DeliverServices, { message, atMs, channel }: Arrangement): Promise<void> => {
  const body = encodeMessage(message);
  const groupId = message.account;
  if (channel === 'schedule') return await scheduler.schedule({ name: scheduleName(message), atMs, body, groupId });
  await queue.send([{ body, groupId, delaySeconds: Math.max(0, Math.ceil((atMs - clock.now()) / 1000)) }]);
};

const nameOf = ({ endpoint, event, run, attempt }: DeliveryMessage): string => [endpoint, event, run, attempt].join('#');

/**
 * Returns the schedule's name. Arranging the same attempt twice gives the same name, so there is
 * one schedule.
 */
const scheduleName = (message: DeliveryMessage): string => createHash('sha256').update(nameOf(message)).digest('hex').slice(0, 48);

const once = async <Result>({ onlyOnce }: DeliverServices, message: DeliveryMessage, work: () => Promise<Result>) =>
  await (onlyOnce ? onlyOnce(nameOf(message), work) : work());

/** Whether this is an event's first attempt, and neither a retry nor a redelivery. */
export const isFirst = ({ run, attempt }: DeliveryMessage): boolean => run === 1 && attempt === 0;

/** Returns the message of the next attempt, if this one fails. */
const afterFailure = ({ bounces: _, ...message }: DeliveryMessage): DeliveryMessage => ({ ...message, attempt: message.attempt + 1 });

const waitsFor = (record: DeliveryRecord | undefined, { run, attempt }: DeliveryMessage): boolean =>
  record?.status === 'pending' && record.run === run && record.attempts === attempt;

/**
 * Number of tries. Their pauses grow from 0.2 s to 3 s, so that an outage of about ten seconds
 * passes.
 */
const maxTries = 12;
const firstPauseMs = 100;
const longestPauseMs = 3_000;
/** Shorter than the function's 60 s. */
const lastTryMs = 57_000;

/**
 * Repeats a failed write while the invocation has time; it began at `begunMs`. Without this, an
 * outcome might never be counted, because its message finds nothing to do when it returns. Throws
 * the last error.
 */
export const insist = async <Result>(
  { clock, random }: Pick<DeliverServices, 'clock' | 'random'>,
  begunMs: number,
  write: () => Promise<Result>,
): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      const pauseMs = random.fraction() * Math.min(longestPauseMs, firstPauseMs * 2 ** tries);
      if (tries === maxTries || clock.now() + pauseMs > begunMs + lastTryMs) throw error;
      await clock.sleep(pauseMs);
    }
  }
};
