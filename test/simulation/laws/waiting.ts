import type { DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import type { Change } from '../engine/table.ts';
import { isByHand } from './events.ts';
import type { Evidence, Law } from './law.ts';

/** As the documents have them, and not as the product does. */
const sweepGraceMs = 2 * 60_000;
const sweepBudgetMs = 45_000;
const longestPostponeMs = 30 * 60_000;
const longestWaitMs = 180_000;
const dueShards = 8;
/** Two clocks may differ by so much. */
const skewMs = 1_000;
/** And an index may lie as far behind. */
const slackMs = 2 * skewMs;

const recordAt = (item: Change['after']): DeliveryRecord | undefined => item?.['view'] as DeliveryRecord | undefined;
const deliveryChanges = ({ region }: Evidence): readonly Change[] =>
  region.engine.table('simulated').changes.filter(({ key }) => String(key['pk']).startsWith('dlv#'));
const isPending = (record: DeliveryRecord | undefined): record is DeliveryRecord => record?.status === 'pending';
const nameOf = ({ id, endpoint, run, attempts }: DeliveryRecord): string => `${id} at ${endpoint}, run ${run}, attempt ${attempts}`;

const dueAt = ({ next_retry_at }: DeliveryRecord, otherwiseMs: number): number =>
  next_retry_at === null ? otherwiseMs : Date.parse(next_retry_at);

/** What the sweep would not find. */
const strands = ({ after, atMs }: Change): readonly string[] => {
  const record = recordAt(after);
  if (!isPending(record)) return [];
  const [shard, moment = ''] = [String(after?.['pk1']).match(/^due#(\d+)$/)?.[1], String(after?.['sk1']).slice(0, 24)];
  const latestMs = Math.max(dueAt(record, atMs), atMs + longestPostponeMs) + slackMs;
  const isFound = shard !== undefined && Number(shard) < dueShards && Date.parse(moment) <= latestMs;
  return isFound ? [] : [`${nameOf(record)} was pending where no sweep finds it in time.`];
};

export const woken: Law = {
  number: 3,
  name: 'what is pending has something that will wake it, and what nobody can read is parked',
  breaches(evidence) {
    const { pipeline } = evidence.region;
    const parked = [...pipeline.parking.objects.values()].join('\n');
    return [
      ...deliveryChanges(evidence).flatMap(strands),
      ...pipeline.stream.records.flatMap(({ record }) =>
        isByHand(record) && record.dynamodb?.NewImage && !parked.includes(String(record.eventID))
          ? [`The change ${record.eventID} cannot be read, and is not parked.`]
          : [],
      ),
    ];
  },
};

export const fair: Law = {
  number: 6,
  name: 'an account whose deliveries wait is handed one within three minutes, whatever hangs',
  breaches({ region }) {
    const last = new Map<string, number>();
    return region.pipeline.deliveries.handedOut.flatMap(({ body, visibleMs, atMs }) => {
      const { account } = JSON.parse(body) as { readonly account: string };
      const waitedMs = atMs - Math.max(visibleMs, last.get(account) ?? 0);
      last.set(account, atMs);
      return waitedMs > longestWaitMs ? [`${account} had a delivery waiting for ${waitedMs / 1000} s: ${body}`] : [];
    });
  },
};

type Entry = readonly [number: number, atMs: number, status: number | null, error: string | null, durationMs: number];

/** An attempt that began before its time: what two clocks may differ by is allowed. */
const early = ({ before, after }: Change): readonly string[] => {
  const [was, is] = [recordAt(before), recordAt(after)];
  if (!isPending(was) || !is || was.run !== is.run) return [];
  const history = `history_${was.run}`;
  const [old, now] = [(before?.[history] ?? []) as unknown as readonly Entry[], (after?.[history] ?? []) as unknown as readonly Entry[]];
  const entry = now[old.length];
  if (!entry || was.next_retry_at === null) return [];
  const [, atMs, , , durationMs] = entry;
  const earlyMs = Date.parse(was.next_retry_at) - (atMs - durationMs);
  return earlyMs > skewMs ? [`${nameOf(was)} was made ${earlyMs / 1000} s before its time.`] : [];
};

/** From when to when a record waited for one attempt. */
interface Wait {
  readonly record: DeliveryRecord;
  readonly dueMs: number;
  readonly endMs: number;
}

const waitsOf = (changes: readonly Change[]): readonly Wait[] => {
  const waits: Wait[] = [];
  const open = new Map<string, Omit<Wait, 'endMs'>>();
  for (const { key, after, atMs } of changes) {
    const id = `${key['pk']} ${key['sk']}`;
    const [wait, record] = [open.get(id), recordAt(after)];
    const isSame = wait && isPending(record) && wait.record.run === record.run && wait.record.attempts === record.attempts;
    if (isSame) continue;
    if (wait) waits.push({ ...wait, endMs: atMs });
    open.delete(id);
    if (isPending(record)) open.set(id, { record, dueMs: Math.max(atMs, dueAt(record, atMs)) });
  }
  return [...waits, ...[...open.values()].map((wait) => ({ ...wait, endMs: Number.POSITIVE_INFINITY }))];
};

/** Waits that a sweep should have ended, and left with nothing on its way. */
const left = (evidence: Evidence): readonly string[] => {
  const { sweeps, queues } = evidence.region.pipeline;
  const whole = sweeps.runs.filter(({ isWhole, beganMs, endedMs }) => isWhole && endedMs - beganMs < sweepBudgetMs);
  const sent = new Map<string, { readonly sentMs: number; readonly goneMs: number }[]>();
  for (const { body, sentMs, goneMs = Number.POSITIVE_INFINITY } of queues.delivery.history) {
    const { event, endpoint, run, attempt } = JSON.parse(body) as Record<string, unknown>;
    const name = `${event} at ${endpoint}, run ${run}, attempt ${attempt}`;
    sent.set(name, [...(sent.get(name) ?? []), { sentMs, goneMs }]);
  }
  return waitsOf(deliveryChanges(evidence)).flatMap(({ record, dueMs, endMs }) => {
    const messages = sent.get(nameOf(record)) ?? [];
    const missed = whole.find(
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

export const inTime: Law = {
  number: 7,
  name: 'a retry never comes before its time, and what is lost is sent again by the first sweep two minutes after it',
  breaches: (evidence) => [...deliveryChanges(evidence).flatMap(early), ...left(evidence)],
};
