import { createHash } from 'node:crypto';
import { timeOfId } from '../../shared/core/ids.ts';
import { randomText } from '../../shared/core/random.ts';
import {
  type DeliveryRecord,
  type DeliveryStatus,
  type Endpoint,
  previousSecret,
  takesDeliveries,
} from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import type { AttemptResult, Outcome } from '../../shared/webhooks/outcome.ts';
import { type NextAttempt, nextAttempt, type RetryChannel } from '../../shared/webhooks/retry-schedule.ts';
import { deliveryHeaders } from '../../shared/webhooks/signing.ts';
import { insist } from './insist.ts';
import type { DeliverServices } from './services.ts';

/** What a delivery is told that fell due while its endpoint was disabled, deleted, or its account closed. */
const endpointDisabled = 'endpoint_disabled';
/** § Delivery semantics 2. */
const timeoutMs = 30_000;
const maxQueueDelayMs = 900_000;

/** An attempt to be made later. */
export interface Arrangement {
  readonly message: DeliveryMessage;
  readonly atMs: number;
  readonly channel: RetryChannel;
}

/** An attempt that was made and recorded; `next` has to be arranged before its message is done. */
export interface EndedAttempt {
  readonly outcome: Outcome;
  readonly atMs: number;
  readonly next: Arrangement | undefined;
}

const nameOf = ({ endpoint, event, run, attempt }: DeliveryMessage): string => [endpoint, event, run, attempt].join('#');

/** Deterministic, so that arranging the same attempt twice makes one schedule. */
const scheduleName = (message: DeliveryMessage): string => createHash('sha256').update(nameOf(message)).digest('hex').slice(0, 48);

/** Puts an attempt where it waits. */
export const arrange = async ({ queue, scheduler, clock }: DeliverServices, { message, atMs, channel }: Arrangement): Promise<void> => {
  const body = encodeMessage(message);
  const groupId = message.account;
  if (channel === 'schedule') return await scheduler.schedule({ name: scheduleName(message), atMs, body, groupId });
  await queue.send([{ body, groupId, delaySeconds: Math.max(0, Math.ceil((atMs - clock.now()) / 1000)) }]);
};

/** The message of the attempt after so many failures. */
const messageOf = ({ account, endpoint, event, run }: DeliveryMessage, attempt: number): DeliveryMessage => ({
  account,
  endpoint,
  event,
  run,
  attempt,
});

/**
 * A message whose record does not wait for it is a duplicate, or stale, or the one of an attempt whose successor could not be arranged:
 * then the successor is arranged now. A schedule may be gone already, or its time past, so what is near goes through the queue.
 */
const resume = async (services: DeliverServices, message: DeliveryMessage, record: DeliveryRecord | undefined): Promise<void> => {
  if (!record?.next_retry_at || !waitsFor(record, messageOf(message, message.attempt + 1))) return;
  const atMs = Date.parse(record.next_retry_at);
  const channel = atMs - services.clock.now() > maxQueueDelayMs ? 'schedule' : 'queue';
  await arrange(services, { message: messageOf(message, record.attempts), atMs, channel });
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

const waitsFor = (record: DeliveryRecord | undefined, { run, attempt }: DeliveryMessage): boolean =>
  record?.status === 'pending' && record.run === run && record.attempts === attempt;

const outcomeOf = (success: boolean, wait: NextAttempt | undefined): DeliveryStatus => {
  if (success) return 'delivered';
  return wait ? 'pending' : 'failed';
};

const once = async <Result>({ onlyOnce }: DeliverServices, message: DeliveryMessage, work: () => Promise<Result>) =>
  await (onlyOnce ? onlyOnce(nameOf(message), work) : work());

/** Fails what is due for an endpoint that takes no deliveries. */
export const abandonDelivery = async (services: DeliverServices, message: DeliveryMessage): Promise<void> => {
  await once(services, message, () => services.store.deliveries.abandon(message, endpointDisabled, services.clock.now()));
};

/** Sends and records; undefined where another end was kept. */
const makeAttempt = async (
  services: DeliverServices,
  message: DeliveryMessage,
  { endpoint, body, begunMs }: { readonly endpoint: Endpoint; readonly body: string; readonly begunMs: number },
): Promise<EndedAttempt | undefined> => {
  const { store, clock, random, policy, log } = services;
  const sentMs = clock.now();
  const { success, statusCode, responseTimeMs, error, answer } = await send(services, endpoint, message.event, body);
  const atMs = clock.now();
  const attempts = message.attempt + (success ? 0 : 1);
  const wait = success ? undefined : nextAttempt(attempts, atMs, policy);
  const status = outcomeOf(success, wait);
  const ended = { status, attempts, statusCode, error, atMs, durationMs: atMs - sentMs, nextAtMs: wait?.atMs ?? null, answer } as const;
  const token = randomText(random, 9);
  const kept = await insist(services, begunMs, () => store.deliveries.finish(message, token, ended));
  const { account, event, run, attempt } = message;
  log({
    op: 'deliver',
    account,
    endpoint: endpoint.id,
    event,
    run,
    attempt,
    outcome: kept ? status : 'superseded',
    // Absent where there is none: a metric filter's wildcard may take null for a value.
    status: statusCode ?? undefined,
    error: error ?? undefined,
    ms: responseTimeMs ?? undefined,
    ...(run === 1 && attempt === 0 ? { lag: atMs - timeOfId(event) } : {}),
  });
  const outcome = success ? 'success' : 'failure';
  // Where a redelivery took the record over, what was sent was sent, and counts.
  if (!kept) {
    const inHistory = await insist(services, begunMs, () => store.attempts.keepSuperseded(message, ended));
    return inHistory ? { outcome, atMs, next: undefined } : undefined;
  }
  const next = wait && { message: messageOf(message, attempts), atMs: wait.atMs, channel: wait.channel };
  return { outcome, atMs, next };
};

/**
 * One attempt of an invocation that began at `begunMs`: send and record. Undefined where there was nothing to do: the attempt is over or superseded. Throws where the outcome
 * could not be kept; the message then comes back. Of two messages of one attempt that are worked at the same moment both may send; the
 * first end is kept and counted, the other one is not.
 */
export const attemptDelivery = async (
  services: DeliverServices,
  message: DeliveryMessage,
  { record, body, endpoint, begunMs }: AttemptParts & { readonly begunMs: number },
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
  // A body is kept as long as its record: nobody sees this one any more.
  if (body === undefined) return undefined;
  return await once(services, message, () => makeAttempt(services, message, { endpoint, body, begunMs }));
};
