import { createHash } from 'node:crypto';
import { timeOfId } from '../../shared/core/ids.ts';
import { randomText } from '../../shared/core/random.ts';
import type { FailedAttempt } from '../../shared/domain/account/notice.ts';
import type { Outcome } from '../../shared/domain/webhook/outcomes.ts';
import { type DeliveryRecord, type Endpoint, previousSecret, takesDeliveries } from '../../shared/domain/webhook/record.ts';
import type { Services } from '../../shared/services.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import type { Store } from '../../shared/table/store.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { type AttemptResult, type NextAttempt, nextAttempt } from '../../shared/webhooks/outcome.ts';
import { deliveryHeaders } from '../../shared/webhooks/signing.ts';

export interface DeliverServices extends Pick<Services, 'queue' | 'scheduler' | 'sender' | 'policy' | 'clock' | 'random' | 'log'> {
  readonly store: Pick<Store, 'attempts' | 'deliveries' | 'endpoints' | 'endpointStats' | 'erasures'>;
  /**
   * Runs the work, unless the same work is running or has just run. Set only if invocations share a
   * process, as in the local service.
   */
  readonly onlyOnce?: <Result>(name: string, work: () => Promise<Result>) => Promise<Result | undefined>;
}

/**
 * Error code of a delivery that was due while its endpoint was disabled or deleted, or its account
 * was closed.
 */
const endpointDisabled = 'endpoint_disabled';
/** Timeout of one attempt (§ Delivery semantics 2). */
const timeoutMs = 30_000;
const maxQueueDelayMs = 900_000;

/** A later attempt: its time, and how its message is sent. */
interface Arrangement extends Pick<NextAttempt, 'atMs' | 'channel'> {
  readonly message: DeliveryMessage;
}

/**
 * An attempt that was made and recorded. If it has `next`, that attempt must be arranged before the
 * message is removed.
 */
export interface EndedAttempt {
  readonly outcome: Outcome;
  /** What a notice says about the attempt. */
  readonly attempted: FailedAttempt;
  readonly atMs: number;
  readonly next: Arrangement | undefined;
}

/**
 * Makes one attempt, in an invocation that began at `begunMs`: sends the request and records the
 * outcome. Returns undefined if there is nothing to count: no request was sent, or another outcome of
 * this attempt was stored first. Throws if the outcome could not be stored; SQS then delivers the
 * message again. If two copies of a message are handled at once, both may send.
 */
export const attemptDelivery = async (
  services: DeliverServices,
  message: DeliveryMessage,
  { record, body, endpoint }: AttemptParts,
  begunMs: number,
): Promise<EndedAttempt | undefined> => {
  if (!waitsFor(record, message)) {
    await arrangeMissedAttempt(services, message, record);
    return undefined;
  }
  if (!endpoint || !takesDeliveries(endpoint)) {
    await abandonDelivery(services, message);
    services.log({ op: 'deliver', account: message.account, endpoint: message.endpoint, abandoned: 1 });
    return undefined;
  }
  // The body expires with its record, so this attempt can no longer be made.
  if (body === undefined) return undefined;
  if (await scheduleIfEarly(services, message)) return undefined;
  return await runOnce(services, message, async () => {
    // Fan-out has looked for erasures before the messages of the first run, but a redelivery may
    // send a body that fan-out stored before it failed.
    const sent = message.run === 1 ? body : await withoutErased(services.store, message.account, body);
    const sentMs = services.clock.now();
    const result = await sendRequest(services, endpoint, message.event, sent, sentMs);
    const end = await recordOutcome(services, message, sentMs, result, begunMs);
    return end && { ...end, attempted: { type: record.type, last_status_code: result.statusCode, last_error: result.error } };
  });
};

/**
 * Gives a message that came before its time to a schedule. Returns false if it is due. The rest of a
 * duplicate whose schedule has fired is due too, so no schedule is made in the past.
 */
const scheduleIfEarly = async (
  services: DeliverServices,
  { notBeforeMs: atMs = 0, bounces: _, ...message }: DeliveryMessage,
): Promise<boolean> => {
  if (atMs <= services.clock.now()) return false;
  await arrange(services, { message, atMs, channel: 'schedule' });
  return true;
};

/** Sends the request. Its signature has the time from which the attempt's duration counts. */
const sendRequest = async (
  { sender }: DeliverServices,
  endpoint: Endpoint,
  event: string,
  body: string,
  nowMs: number,
): Promise<AttemptResult> => {
  const headers = deliveryHeaders({
    eventId: event,
    secret: endpoint.secret,
    previousSecret: previousSecret(endpoint, nowMs),
    nowMs,
    body,
  });
  return await sender.send({ url: endpoint.url, headers, body, timeoutMs });
};

/** Records the outcome of an attempt. Returns undefined if another outcome was stored before. */
const recordOutcome = async (
  services: DeliverServices,
  message: DeliveryMessage,
  sentMs: number,
  { success, statusCode, responseTimeMs, error, receiverResponse }: AttemptResult,
  begunMs: number,
): Promise<Omit<EndedAttempt, 'attempted'> | undefined> => {
  const { store, clock, random, policy, log } = services;
  const { bounces: _, notBeforeMs: __, ...attempted } = message;
  const atMs = clock.now();
  const attempts = message.attempt + (success ? 0 : 1);
  const next = success ? undefined : nextAttempt(attempts, atMs, policy);
  const statusOfFailure = next ? 'pending' : 'failed';
  const status = success ? 'delivered' : statusOfFailure;
  const ended = {
    status,
    attempts,
    statusCode,
    error,
    atMs,
    durationMs: atMs - sentMs,
    nextAtMs: next?.atMs ?? null,
    receiverResponse,
  } as const;
  const token = randomText(random, 9);
  const isStored = await retryWrite(services, begunMs, () => store.deliveries.finish(message, token, ended));
  log({
    op: 'deliver',
    ...attempted,
    outcome: isStored ? status : 'superseded',
    // The field is absent instead of null, because the wildcard of a metric filter may match null.
    status: statusCode ?? undefined,
    error: error ?? undefined,
    ms: responseTimeMs ?? undefined,
    waited: responseTimeMs === null ? ended.durationMs : undefined,
    lag: isFirst(message) ? atMs - timeOfId(message.event) : undefined,
  });
  const outcome = success ? 'success' : 'failure';
  if (isStored) return { outcome, atMs, next: next && { ...next, message: afterFailure(message) } };
  // If a redelivery replaced this run, the request still appears in the history.
  const inHistory = await retryWrite(services, begunMs, () => store.attempts.recordSuperseded(message, ended));
  return inHistory ? { outcome, atMs, next: undefined } : undefined;
};

/** Records the due delivery as failed, because its endpoint accepts no deliveries. */
export const abandonDelivery = async (services: DeliverServices, message: DeliveryMessage): Promise<void> => {
  await runOnce(services, message, () => services.store.deliveries.abandon(message, endpointDisabled, services.clock.now()));
};

/**
 * Handles a message for which no attempt is due: a duplicate, a stale message, or one whose next
 * attempt was never arranged. In the last case, arranges the next attempt now. If that time is
 * near, the queue is used, because a schedule may already be deleted or run too late.
 */
const arrangeMissedAttempt = async (
  services: DeliverServices,
  message: DeliveryMessage,
  record: DeliveryRecord | undefined,
): Promise<void> => {
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

const attemptName = ({ endpoint, event, run, attempt }: DeliveryMessage): string => [endpoint, event, run, attempt].join('#');

/** Returns a deterministic name, so that arranging the same attempt twice creates one schedule. */
const scheduleName = (message: DeliveryMessage): string => createHash('sha256').update(attemptName(message)).digest('hex').slice(0, 48);

const runOnce = async <Result>({ onlyOnce }: DeliverServices, message: DeliveryMessage, work: () => Promise<Result>) =>
  await (onlyOnce ? onlyOnce(attemptName(message), work) : work());

/** Whether this is the first attempt of the first run. No retry or redelivery has made it due. */
export const isFirst = ({ run, attempt }: DeliveryMessage): boolean => run === 1 && attempt === 0;

/** Returns the message of the attempt that follows if this attempt fails. */
const afterFailure = ({ bounces: _, notBeforeMs: __, ...message }: DeliveryMessage): DeliveryMessage => ({
  ...message,
  attempt: message.attempt + 1,
});

const waitsFor = (record: DeliveryRecord | undefined, { run, attempt }: DeliveryMessage): record is DeliveryRecord =>
  record?.status === 'pending' && record.run === run && record.attempts === attempt;

/**
 * Maximum number of tries. With pauses that grow from 0.2 s to 3 s, they bridge an outage of about
 * ten seconds.
 */
const maxTries = 12;
const firstPauseMs = 100;
const longestPauseMs = 3_000;
/** Latest time of a try, because the function may run for 60 s. */
const lastTryMs = 57_000;

/**
 * Runs the write, and repeats it after a failure while the invocation that began at `begunMs` has
 * time. If the write were lost, the outcome would never be counted, because a repeated message does
 * not repeat the attempt. Throws the last error.
 */
export const retryWrite = async <Result>(
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
