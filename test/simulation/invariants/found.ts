import type { DeliveryAttempt, DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import type { FindSight } from '../people/journal.ts';
import { storedBodies } from '../reading/bodies.ts';
import { type Endpoint, endpointsDuring, endpointVersions } from '../reading/endpoints.ts';
import type { Attempt } from '../world/receivers.ts';
import { attemptsByDelivery, deliverySteps, type Explained, explainedSteps } from './deliveries.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The documented number of runs with stored attempts. */
const storedRuns = 5;
/** By how much the start of an attempt may differ in two clocks, with the wait for its process. */
const slackMs = 61_000;

interface Shown extends Pick<DeliveryRecord, 'status' | 'attempts' | 'run' | 'last_error' | 'last_status_code'> {
  readonly endpoint_id: string;
  readonly url: string;
  readonly endpoint_enabled: boolean;
  readonly attempt_log: readonly DeliveryAttempt[];
}

interface Found {
  readonly event_id: string;
  readonly type: string;
  readonly deliveries: readonly Shown[];
  readonly body: string | null;
}

interface Delivery {
  readonly endpoint: readonly (Endpoint | undefined)[];
  /** The versions of its record that the read may have found; undefined if there was none yet. */
  readonly records: readonly (DeliveryRecord | undefined)[];
  readonly steps: readonly Explained[];
  readonly attempts: readonly Attempt[];
}

/** Returns the attempts that a log must have: those with an outcome before the read, in kept runs. */
const outcomesBefore = ({ steps }: Delivery, run: number, beforeMs: number): readonly Explained[] =>
  steps.filter(
    ({ kind, atMs, is }) =>
      (kind === 'delivered' || kind === 'failure') && atMs < beforeMs && is !== undefined && is.run > run - storedRuns,
  );

const isLogged = ({ attempt_log }: Shown, { kind, is, attempt }: Explained): boolean => {
  const number = (is?.attempts ?? 0) + (kind === 'delivered' ? 1 : 0);
  return attempt_log.some(
    (entry) =>
      entry.run === is?.run &&
      entry.attempt === number &&
      entry.status_code === attempt?.result?.statusCode &&
      entry.error === attempt?.result?.error,
  );
};

const wasMade = ({ attempts }: Delivery, { at, status_code, error }: DeliveryAttempt): boolean =>
  attempts.some(
    ({ result, begunMs, endedMs }) =>
      result?.statusCode === status_code &&
      result.error === error &&
      Date.parse(at) >= begunMs - slackMs &&
      Date.parse(at) <= (endedMs ?? begunMs) + slackMs,
  );

const sameState = (shown: Shown, record: DeliveryRecord | undefined): boolean =>
  record !== undefined &&
  (['status', 'attempts', 'run'] as const).every((name) => shown[name] === record[name]) &&
  (['last_error', 'last_status_code'] as const).every((name) => shown[name] === (record[name] ?? null));

const findingsOfShown = (shown: Shown, delivery: Delivery, { begunMs }: FindSight): readonly string[] => {
  const log = shown.attempt_log;
  const isOwn = delivery.endpoint.some((one) => one?.url === shown.url && one.enabled === shown.endpoint_enabled);
  const missing = outcomesBefore(delivery, shown.run, begunMs).filter((step) => !isLogged(shown, step));
  const names = log.map(({ run, attempt }) => `${run}/${attempt}`);
  return [
    ...(isOwn ? [] : [`shows ${shown.url}, which is not the endpoint's URL and state`]),
    ...(delivery.records.some((record) => sameState(shown, record)) ? [] : [`shows ${JSON.stringify(shown)}, which it never was`]),
    ...missing.map(({ is, kind }) => `lacks the ${kind} of run ${is?.run} after ${is?.attempts} failures`),
    ...log.filter((entry) => !wasMade(delivery, entry)).map((entry) => `logs ${JSON.stringify(entry)}, and no attempt had that outcome`),
    ...names.filter((name, i) => names.indexOf(name) < i).map((name) => `logs ${name} twice`),
  ];
};

/** Returns every delivery of an event, by endpoint, as a read between two times may find it. */
const deliveriesOf = (evidence: Evidence, { account, event, begunMs, endedMs }: FindSight): ReadonlyMap<string, Delivery> => {
  const deliveries = new Map<string, Delivery>();
  for (const [id, versions] of endpointVersions(evidence)) {
    const steps = deliverySteps(evidence).get(`${id}/${event}`) ?? [];
    const endpoint = endpointsDuring(versions, begunMs, endedMs);
    if (steps.length === 0 || !endpoint.some((one) => one?.account === account)) continue;
    const before = steps.findLast(({ atMs }) => atMs <= begunMs)?.is;
    const during = steps.filter(({ atMs }) => atMs > begunMs && atMs <= endedMs).map(({ is }) => is);
    deliveries.set(id, {
      endpoint,
      records: [before, ...during],
      steps: explainedSteps(evidence).get(`${id}/${event}`) ?? [],
      attempts: attemptsByDelivery(evidence).get(`${id}/${event}`) ?? [],
    });
  }
  return deliveries;
};

const bodyFindings = (evidence: Evidence, { account, event }: FindSight, { body, type }: Found): readonly string[] => {
  const stored = storedBodies(evidence).get(event);
  if (!stored) return [`shows an event without a body`];
  // A read removes a person once the erasure has begun.
  const mayBeErased = evidence.journal.erasures.some((erasure) => erasure.account === account);
  const isRight = body !== null && (stored.bodies.has(body) || mayBeErased) && type === stored.first.type;
  return isRight ? [] : [`shows ${type} with the body ${body}`];
};

const findingsOf = (evidence: Evidence, sight: FindSight): readonly string[] => {
  const found = sight.result as unknown as Found;
  const deliveries = deliveriesOf(evidence, sight);
  const shown = new Map(found.deliveries.map((one) => [one.endpoint_id, one]));
  return [
    ...(found.event_id === sight.event && shown.size === found.deliveries.length ? [] : ['shows another event, or a delivery twice']),
    ...[...deliveries].flatMap(([id, { records, endpoint }]) => {
      const isThere = records.every((record) => record) && endpoint.every((one) => one);
      return isThere && !shown.has(id) ? [`lacks the delivery to ${id}`] : [];
    }),
    ...found.deliveries.flatMap((one) => {
      const delivery = deliveries.get(one.endpoint_id);
      const findings = delivery ? findingsOfShown(one, delivery, sight) : ['is no delivery of the event'];
      return findings.map((finding) => `at ${one.endpoint_id} ${finding}`);
    }),
    ...bodyFindings(evidence, sight, found),
  ];
};

export const foundWhole: Invariant = {
  number: 27,
  name: 'delivery.find shows every delivery of an event as it stands, with the attempts of its last five runs',
  breaches: (evidence) =>
    evidence.journal.findings.flatMap((sight) =>
      findingsOf(evidence, sight).map(
        (finding) => `delivery.find of ${sight.event} at ${new Date(sight.begunMs).toISOString()} ${finding}.`,
      ),
    ),
};
