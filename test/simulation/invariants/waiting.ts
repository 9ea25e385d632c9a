import type { DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import { isByHand } from '../reading/expected-events.ts';
import type { Message } from '../world/queue.ts';
import type { Attempt } from '../world/receivers.ts';
import { attemptsByDelivery, deliverySteps, type Explained, explainedSteps, isFirst, retryDelaysMs, type Step } from './deliveries.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The documented values, not the product's constants. */
const sweepGraceMs = 2 * 60_000;
const sweepBudgetMs = 45_000;
const longestPostponeMs = 30 * 60_000;
const dueShards = 8;
/** The most by which two clocks differ. */
const skewMs = 1_000;
/** Tolerance for the clocks and the lag of an index. */
const slackMs = 2 * skewMs;

type Pending = DeliveryRecord & { readonly status: 'pending' };
const isPending = (record: DeliveryRecord | undefined): record is Pending => record?.status === 'pending';
const nameOf = ({ id, endpoint, run, attempts }: DeliveryRecord): string => `${id} at ${endpoint}, run ${run}, attempt ${attempts}`;

/**
 * Entry of a pending record in the due index: its shard, and the time from which the sweep finds
 * it.
 */
interface IndexEntry {
  readonly record: Pending;
  readonly atMs: number;
  readonly shard: number;
  readonly foundMs: number;
}

const indexEntries = ({ region }: Evidence): ReadonlyMap<string, readonly IndexEntry[]> => {
  const entries = new Map<string, IndexEntry[]>();
  for (const { key, after, atMs } of region.engine.table('simulated').changes) {
    const [kind, , endpoint] = String(key['pk']).split('#');
    const record = after?.['view'] as unknown as DeliveryRecord | undefined;
    if (kind !== 'dlv' || !isPending(record)) continue;
    const shard = Number(/^due#(\d+)$/.exec(String(after?.['pk1']))?.[1] ?? Number.NaN);
    const name = `${endpoint}/${key['sk']}`;
    const known = entries.get(name) ?? [];
    entries.set(name, known);
    known.push({ record, atMs, shard, foundMs: Date.parse(String(after?.['sk1'])) });
  }
  return entries;
};

/** Returns deliveries that the sweep would not find in time. */
const strands = (waits: readonly Wait[], entries: readonly IndexEntry[]): readonly string[] =>
  entries.flatMap(({ record: { run, attempts }, atMs, shard, foundMs }) => {
    // Two writes may have the same time, so the attempt tells which wait an entry belongs to.
    const wait = waits.findLast(({ record, sinceMs }) => record.run === run && record.attempts === attempts && sinceMs <= atMs);
    const latestMs = Math.max(wait?.dueMs ?? atMs, atMs + longestPostponeMs) + slackMs;
    const isLeftToQueue = Number.isNaN(shard) && wait !== undefined && isFirst(wait.record);
    return (shard < dueShards && foundMs <= latestMs) || isLeftToQueue || !wait
      ? []
      : [`${nameOf(wait.record)} was pending where no sweep finds it in time.`];
  });

interface Sent {
  readonly sentMs: number;
  readonly goneMs: number;
}

/** Returns messages by the attempt that they request. */
const byAttempt = (messages: readonly Message[]): ReadonlyMap<string, readonly Sent[]> => {
  const sent = new Map<string, Sent[]>();
  for (const { body, sentMs, goneMs = Number.POSITIVE_INFINITY } of messages) {
    const { event, endpoint, run, attempt } = JSON.parse(body) as Record<string, unknown>;
    const name = `${event} at ${endpoint}, run ${run}, attempt ${attempt}`;
    sent.set(name, [...(sent.get(name) ?? []), { sentMs, goneMs }]);
  }
  return sent;
};

/** Returns first attempts that ended after all their messages were removed. */
const letGo = (waits: readonly Wait[], sent: ReadonlyMap<string, readonly Sent[]>): readonly string[] =>
  waits.flatMap(({ record, endMs }) => {
    const messages = sent.get(nameOf(record)) ?? [];
    const lastMs = Math.max(...messages.map(({ goneMs }) => goneMs));
    return isFirst(record) && messages.length > 0 && lastMs + slackMs < endMs
      ? [`${nameOf(record)} lost its message before it ended.`]
      : [];
  });

export const woken: Invariant = {
  number: 3,
  name: 'everything that is pending will continue, and unreadable records are parked',
  breaches(evidence) {
    const { pipeline } = evidence.region;
    const entries = indexEntries(evidence);
    // A message that the queue gives up becomes a dead letter, which counts too.
    const sent = byAttempt([...pipeline.queues.delivery.history, ...pipeline.queues['delivery-dead-letters'].history]);
    const parked = [...pipeline.parking.objects.values()].join('\n');
    return [
      ...[...deliverySteps(evidence)].flatMap(([name, steps]) => strands(waitsOf(steps), entries.get(name) ?? [])),
      ...[...deliverySteps(evidence).values()].flatMap((steps) => letGo(waitsOf(steps), sent)),
      ...pipeline.stream.records.flatMap(({ record }) =>
        isByHand({ sk: record.dynamodb?.Keys?.['sk']?.S }) && record.dynamodb?.NewImage && !parked.includes(String(record.eventID))
          ? [`The change ${record.eventID} cannot be read, and is not parked.`]
          : [],
      ),
    ];
  },
};

/**
 * The time for which a record waited for one attempt, and when the specification makes that attempt
 * due.
 */
interface Wait {
  readonly record: DeliveryRecord;
  readonly sinceMs: number;
  readonly dueMs: number;
  readonly endMs: number;
}

/** Returns the time from which an attempt may be made that has waited since `sinceMs`. */
const dueOf = ({ attempts }: DeliveryRecord, sinceMs: number): number => sinceMs + (retryDelaysMs[attempts - 1] ?? 0);

const waitsOf = (steps: readonly Step[]): readonly Wait[] => {
  const waits: Wait[] = [];
  let open: Omit<Wait, 'endMs'> | undefined;
  for (const { is, atMs } of steps) {
    if (open && isPending(is) && open.record.run === is.run && open.record.attempts === is.attempts) continue;
    if (open) waits.push({ ...open, endMs: atMs });
    open = isPending(is) ? { record: is, sinceMs: atMs, dueMs: dueOf(is, atMs) } : undefined;
  }
  return open ? [...waits, { ...open, endMs: Number.POSITIVE_INFINITY }] : waits;
};

/**
 * Compares the product's time of the next attempt with the specification's delays after the failure
 * that a receiver saw.
 */
const misdated = (steps: readonly Explained[]): readonly string[] =>
  steps.flatMap(({ is, kind, atMs, attempt }) => {
    if (kind !== 'failure' || !isPending(is)) return [];
    const delayMs = retryDelaysMs[is.attempts - 1] ?? 0;
    const reportedMs = Date.parse(is.next_retry_at ?? '');
    const isRight = reportedMs >= (attempt?.endedMs ?? 0) + delayMs - skewMs && reportedMs <= atMs + delayMs + skewMs;
    return isRight ? [] : [`${nameOf(is)} is to be made at ${is.next_retry_at}, ${delayMs / 60_000} minutes after a failure at ${atMs}.`];
  });

/**
 * Returns attempts before the specification's delay after the last failure, or after the end of
 * their run.
 */
const early = (steps: readonly Explained[], attempts: readonly Attempt[]): readonly string[] =>
  attempts.flatMap(({ event, url, invokedMs, begunMs }) => {
    const at = steps.findLastIndex(({ atMs }) => atMs <= invokedMs);
    const meanwhile = steps.slice(at + 1).filter(({ atMs }) => atMs <= begunMs);
    const record = steps[at]?.is;
    if (!record || meanwhile.some(({ is }) => is?.run !== record.run)) return [];
    if (!isPending(record)) return [`${event} was sent to ${url} after its run had ended ${record.status}.`];
    if (record.attempts === 0) return [];
    const failure = steps.findLast(({ is, kind }, i) => i <= at && kind === 'failure' && is?.attempts === record.attempts);
    const dueMs = dueOf(record, failure?.attempt?.endedMs ?? failure?.atMs ?? 0);
    return dueMs - begunMs > skewMs ? [`${nameOf(record)} was made ${(dueMs - begunMs) / 1000} s before its time.`] : [];
  });

/** Returns waits that a sweep should have ended and for which no message exists. */
const overdueWaits = (evidence: Evidence): readonly string[] => {
  const { sweeps, queues } = evidence.region.pipeline;
  const completeSweeps = sweeps.runs.filter(({ isWhole, beganMs, endedMs }) => isWhole && endedMs - beganMs < sweepBudgetMs);
  const sent = byAttempt(queues.delivery.history);
  const ofSweep = [...deliverySteps(evidence).values()].flatMap(waitsOf).filter(({ record }) => !isFirst(record));
  return ofSweep.flatMap(({ record, dueMs, endMs }) => {
    const messages = sent.get(nameOf(record)) ?? [];
    const missed = completeSweeps.find(
      ({ beganMs, endedMs }) =>
        beganMs >= dueMs + sweepGraceMs + slackMs &&
        endedMs < endMs &&
        !messages.some(({ sentMs, goneMs }) => sentMs <= endedMs && goneMs >= beganMs - longestPostponeMs - slackMs),
    );
    return missed
      ? [
          `${nameOf(record)} was due at ${new Date(dueMs).toISOString()}, and the sweep of ${new Date(missed.beganMs).toISOString()} left it.`,
        ]
      : [];
  });
};

export const inTime: Invariant = {
  number: 7,
  name: 'a retry never comes before its time, and what is lost is sent again by the first sweep two minutes after it',
  breaches(evidence) {
    const attempts = attemptsByDelivery(evidence);
    return [
      ...[...explainedSteps(evidence)].flatMap(([name, steps]) => [...misdated(steps), ...early(steps, attempts.get(name) ?? [])]),
      ...overdueWaits(evidence),
    ];
  },
};
