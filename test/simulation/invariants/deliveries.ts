import type { DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import { endpointVersions } from '../reading/endpoints.ts';
import type { Attempt } from '../world/receivers.ts';
import { deliveryIn } from './events.ts';
import { oncePer } from './invariant.ts';

/** The specification's number of attempts of one run, and the least delay after each failure. */
export const maxAttempts = 5;
const minuteMs = 60_000;
export const retryDelaysMs: readonly number[] = [5 * minuteMs, 30 * minuteMs, 120 * minuteMs, 1_440 * minuteMs];

/** One write that changed the view of a delivery record. */
export interface Step {
  readonly atMs: number;
  /** The invocation that wrote it: `process/number`. */
  readonly by: string;
  readonly was: DeliveryRecord | undefined;
  readonly is: DeliveryRecord | undefined;
}

/** The effect of a write on a record; `unknown` breaks the rules of the specification. */
export type StepKind = 'created' | 'redelivered' | 'delivered' | 'failure' | 'abandoned' | 'same' | 'deleted' | 'unknown';

/** Returns the effect of a write to a pending record. */
const outcomeOf = (was: DeliveryRecord, is: DeliveryRecord): StepKind => {
  if (is.status === 'delivered') return is.attempts === was.attempts ? 'delivered' : 'unknown';
  if (is.attempts === was.attempts + 1) return is.status === (is.attempts === maxAttempts ? 'failed' : 'pending') ? 'failure' : 'unknown';
  return is.status === 'failed' && is.attempts === was.attempts && is.last_error === 'endpoint_disabled' ? 'abandoned' : 'unknown';
};

const isNew = ({ status, attempts }: DeliveryRecord): boolean => status === 'pending' && attempts === 0;

const kindOf = ({ was, is }: Step): StepKind => {
  if (!is) return 'deleted';
  if (!was) return isNew(is) ? 'created' : 'unknown';
  if (is.run !== was.run) return is.run === was.run + 1 && isNew(is) ? 'redelivered' : 'unknown';
  if (is.status === was.status && is.attempts === was.attempts) return 'same';
  return was.status === 'pending' ? outcomeOf(was, is) : 'unknown';
};

/**
 * The queue keeps the message of an event's first attempt until the attempt ends. The sweep knows
 * the attempt only after the message has returned.
 */
export const isFirst = ({ run, attempts }: DeliveryRecord): boolean => run === 1 && attempts === 0;

/** Returns the writes of every delivery record, oldest first, by `endpoint/event`. */
export const deliverySteps = oncePer(({ region }): ReadonlyMap<string, readonly Step[]> => {
  const steps = new Map<string, Step[]>();
  for (const { position, key, before, after, atMs } of region.engine.table('simulated').changes) {
    const [kind, , endpoint] = String(key['pk']).split('#');
    if (kind !== 'dlv') continue;
    const name = `${endpoint}/${key['sk']}`;
    const known = steps.get(name) ?? [];
    steps.set(name, known);
    known.push({ atMs, by: region.authors[position] ?? '', was: deliveryIn(key, before), is: deliveryIn(key, after) });
  }
  return steps;
});

/**
 * Returns the requests of each delivery, by `endpoint/event`, without tests. No two endpoints ever
 * have the same URL.
 */
export const attemptsByDelivery = oncePer((evidence): ReadonlyMap<string, readonly Attempt[]> => {
  const owners = new Map<string, string>();
  for (const [id, versions] of endpointVersions(evidence)) for (const { endpoint } of versions) if (endpoint) owners.set(endpoint.url, id);
  const attempts = new Map<string, Attempt[]>();
  for (const attempt of evidence.region.receivers.attempts) {
    if (attempt.isTest) continue;
    const name = `${owners.get(attempt.url)}/${attempt.event}`;
    attempts.set(name, [...(attempts.get(name) ?? []), attempt]);
  }
  return attempts;
});

/**
 * A step and the attempt with the outcome that it stores; undefined if no attempt of its run
 * explains it.
 */
export interface Explained extends Step {
  readonly kind: StepKind;
  readonly attempt: Attempt | undefined;
}

const processOf = (by: string): string => by.slice(0, by.lastIndexOf('/'));

/**
 * Pairs every stored outcome with an attempt. The same process made it after the run began and knew
 * its result before the write. An attempt explains one outcome.
 */
const explain = (steps: readonly Step[], attempts: readonly Attempt[]): readonly Explained[] => {
  const used = new Set<Attempt>();
  let runBeganMs = 0;
  return steps.map((step) => {
    const kind = kindOf(step);
    if (kind === 'created' || kind === 'redelivered') runBeganMs = step.atMs;
    if (kind !== 'delivered' && kind !== 'failure') return { ...step, kind, attempt: undefined };
    const attempt = attempts.findLast(
      (one) =>
        !used.has(one) &&
        one.process.name === processOf(step.by) &&
        one.begunMs >= runBeganMs &&
        (one.endedMs ?? Number.POSITIVE_INFINITY) <= step.atMs &&
        one.result?.success === (kind === 'delivered'),
    );
    if (attempt) used.add(attempt);
    return { ...step, kind, attempt };
  });
};

/** The explained steps of all deliveries, by `endpoint/event`. */
export const explainedSteps = oncePer(
  (evidence): ReadonlyMap<string, readonly Explained[]> =>
    new Map([...deliverySteps(evidence)].map(([name, steps]) => [name, explain(steps, attemptsByDelivery(evidence).get(name) ?? [])])),
);
