import type { Change } from '../engine/table.ts';
import { type Endpoint, endpointVersions, isEndpointKey, type Version } from '../reading/endpoints.ts';
import type { Attempt } from '../world/receivers.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The specification's number, not the product's constant. */
const failuresInARow = 10;
const slots = 5;
const disabledFor = 'consecutive_failures';

/**
 * Returns the attempts at an endpoint under all its URLs. No two endpoints ever have the same URL.
 */
const attemptsAt = ({ region }: Evidence, versions: readonly Version[]): readonly Attempt[] => {
  const urls = new Set(versions.map(({ endpoint }) => endpoint?.url));
  return region.receivers.attempts.filter(({ url, isTest }) => !isTest && urls.has(url));
};

/** An outcome of an attempt in the history of its delivery record. */
interface StoredEnd {
  readonly success: boolean;
  /** The invocation that wrote it. */
  readonly by: string;
}

type History = readonly (readonly [number, number, number | null, ...unknown[]])[];

/** Returns every outcome that was ever stored, by endpoint, including those of former runs. */
const storedEndsOf = ({ region }: Evidence): ReadonlyMap<string, readonly StoredEnd[]> => {
  const ends = new Map<string, StoredEnd[]>();
  for (const { position, key, before, after } of region.engine.table('simulated').changes) {
    const [kind, , endpoint = ''] = String(key['pk']).split('#');
    if (kind !== 'dlv' || !after) continue;
    for (const name of Object.keys(after).filter((one) => one.startsWith('history_'))) {
      const fresh = (after[name] as unknown as History).slice(((before?.[name] ?? []) as unknown as History).length);
      const by = region.authors[position] ?? '';
      const known = ends.get(endpoint) ?? [];
      known.push(...fresh.map(([, , status]) => ({ success: status !== null && status >= 200 && status <= 299, by })));
      ends.set(endpoint, known);
    }
  }
  return ends;
};

/** Returns the number of outcomes that each invocation counted, by endpoint. */
const countedBy = ({ region }: Evidence): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const counts = new Map<string, Map<string, number>>();
  const sumOf = (item: Readonly<Record<string, unknown>> | undefined) =>
    Number(item?.['success_count'] ?? 0) + Number(item?.['failure_count'] ?? 0);
  for (const { position, key, before, after } of region.engine.table('simulated').changes) {
    if (!isEndpointKey(key) || !before || !after || sumOf(after) === sumOf(before)) continue;
    const by = region.authors[position] ?? '';
    const known = counts.get(String(key['sk'])) ?? new Map<string, number>();
    known.set(by, (known.get(by) ?? 0) + sumOf(after) - sumOf(before));
    counts.set(String(key['sk']), known);
  }
  return counts;
};

/** The number of stored outcomes, and of those that no count includes (decision 0006). */
export interface Uncounted {
  readonly ends: number;
  /** Counts that are missing because the invocation died after it stored an outcome. */
  readonly killed: number;
  /** Counts that failed. */
  readonly failed: number;
}

/** Outcomes of endpoints that still exist. */
export const uncountedEnds = (evidence: Evidence): Uncounted => {
  const [storedEnds, counts, versions] = [storedEndsOf(evidence), countedBy(evidence), endpointVersions(evidence)];
  const sum = { ends: 0, killed: 0, failed: 0 };
  for (const [id, ends] of storedEnds) {
    const last = versions.get(id)?.at(-1)?.endpoint;
    if (!last) continue;
    const uncounted = Math.max(0, ends.length - last.success_count - last.failure_count);
    const uncountedBy = (by: string) => ends.filter((end) => end.by === by).length - (counts.get(id)?.get(by) ?? 0);
    const killed = [...new Set(ends.map(({ by }) => by))]
      .filter((by) => evidence.region.pipeline.lost.has(by))
      .reduce((total, by) => total + Math.max(0, uncountedBy(by)), 0);
    sum.ends += ends.length;
    sum.killed += Math.min(uncounted, killed);
    sum.failed += uncounted - Math.min(uncounted, killed);
  }
  return sum;
};

/**
 * A count is repeated a dozen times, with three tries of the client each. Fewer faults do not
 * excuse a missing count.
 */
const leastFaults = 12;
const nearlyOverMs = 45_000;

/**
 * Returns whether an invocation died between outcome and count, or its count failed and it logged
 * so (decision 0006).
 */
const mayBeUncounted = ({ region }: Evidence): ((end: StoredEnd) => boolean) => {
  const gaveUp = new Set(
    region.log.flatMap((line) => (line['op'] === 'deliver' && line['retry'] ? [`${line['process']}/${line['invocation']}`] : [])),
  );
  const couldNot = (by: string): boolean => {
    const { faults = 0, freezes = 0, ms = 0 } = region.pipeline.met.get(by) ?? {};
    return faults >= leastFaults || freezes > 0 || ms >= nearlyOverMs;
  };
  return ({ by }) => region.pipeline.lost.has(by) || (gaveUp.has(by) && couldNot(by));
};

const miscounted = (id: string, last: Endpoint, ends: readonly StoredEnd[], excused: (end: StoredEnd) => boolean): readonly string[] =>
  (['success', 'failure'] as const).flatMap((outcome) => {
    const matching = ends.filter(({ success }) => success === (outcome === 'success'));
    const count = outcome === 'success' ? last.success_count : last.failure_count;
    const least = matching.filter((end) => !excused(end)).length;
    if (count > matching.length) return [`${id} counts ${count} of ${outcome}, and ${matching.length} were kept.`];
    return count < least ? [`${id} counts ${count} of ${outcome}, and ${least} were kept by invocations that lived.`] : [];
  });

/**
 * Checks that an endpoint is disabled at the tenth failure in a row, and counts no failure after
 * that.
 */
const switchFindings = (id: string, row: number, before: Change['before'], after: NonNullable<Change['after']>): readonly string[] => {
  const isDisabled = before?.['enabled'] === true && after['enabled'] === false && after['disabled_reason'] === disabledFor;
  return [
    ...(row >= failuresInARow + (after['enabled'] === true ? 0 : 1) ? [`${id} went on after ${row} failures in a row.`] : []),
    ...(isDisabled && row < failuresInARow ? [`${id} was disabled after ${row} failures in a row.`] : []),
  ];
};

/** Compares each stored run of failures with a count of outcomes one by one. */
const rowFindings = ({ region }: Evidence): readonly string[] => {
  const rows = new Map<string, number>();
  return region.engine.table('simulated').changes.flatMap(({ position, key, before, after }) => {
    if (!isEndpointKey(key) || !after) return [];
    const id = String(key['sk']);
    const more = (name: string) => Number(after[name]) - Number(before?.[name] ?? 0);
    const [successes, failures, reportedFailures] = [more('success_count'), more('failure_count'), Number(after['consecutive_failures'])];
    const isByCaller = successes + failures === 0 && reportedFailures === 0 && region.authors[position]?.startsWith('webhooks#') === true;
    const known = isByCaller || successes > 0 ? 0 : (rows.get(id) ?? 0);
    // If one write counts a success and failures, either may be the last.
    const row = successes > 0 && reportedFailures <= failures ? reportedFailures : known + failures;
    rows.set(id, row);
    return [
      ...(reportedFailures === row ? [] : [`${id} says ${reportedFailures} failures in a row, and ${row} were counted.`]),
      ...switchFindings(id, row, before, after),
    ];
  });
};

export const counted: Invariant = {
  number: 5,
  name: 'no attempt is counted twice or never, and an endpoint is disabled at ten failures in a row',
  breaches(evidence) {
    const excused = mayBeUncounted(evidence);
    const ends = storedEndsOf(evidence);
    const perEndpoint = [...endpointVersions(evidence)].flatMap(([id, versions]) => {
      const last = versions.at(-1)?.endpoint;
      const failures = attemptsAt(evidence, versions).filter(({ result }) => result && !result.success);
      const early = versions.some(({ atMs, endpoint }, i) => {
        if (endpoint?.disabled_reason !== disabledFor || versions[i - 1]?.endpoint?.disabled_reason === disabledFor) return false;
        return failures.filter(({ endedMs = 0 }) => endedMs <= atMs).length < failuresInARow;
      });
      return [
        // An outcome after a deletion cannot be counted.
        ...(last ? miscounted(id, last, ends.get(id) ?? [], excused) : []),
        ...(early ? [`${id} was disabled before it had failed ${failuresInARow} times.`] : []),
      ];
    });
    return [...perEndpoint, ...rowFindings(evidence)];
  },
};

export const inFlight: Invariant = {
  number: 6,
  name: 'never more attempts are in flight at one endpoint than it has slots',
  breaches(evidence) {
    return [...endpointVersions(evidence)].flatMap(([id, versions]) => {
      const attempts = attemptsAt(evidence, versions);
      const endOf = ({ endedMs, process }: Attempt) => endedMs ?? process.diedMs ?? Number.POSITIVE_INFINITY;
      const most = Math.max(
        0,
        ...attempts.map(({ begunMs }) => attempts.filter((other) => other.begunMs <= begunMs && endOf(other) > begunMs).length),
      );
      return most > slots ? [`${most} attempts were in flight at ${id}.`] : [];
    });
  },
};
