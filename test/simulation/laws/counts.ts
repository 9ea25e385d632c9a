import type { Attempt } from '../world/receivers.ts';
import { endpointVersions, type Version } from './events.ts';
import type { Evidence, Law } from './law.ts';

/** As the specification has them, and not as the product does. */
const failuresInARow = 10;
const slots = 5;
const disabledFor = 'consecutive_failures';

/** Attempts at an endpoint, wherever it lay: no two endpoints ever have the same URL. */
const attemptsAt = ({ region }: Evidence, versions: readonly Version[]): readonly Attempt[] => {
  const urls = new Set(versions.map(({ endpoint }) => endpoint?.url));
  return region.receivers.attempts.filter(({ url }) => urls.has(url));
};

/**
 * Outcomes may stay uncounted of an invocation that died between the end of an attempt and its count (decision 0006), and of one whose
 * count failed for good: it says so in its log. The second is a gap that no decision names.
 */
const uncounted = ({ region }: Evidence): ((attempt: Attempt) => boolean) => {
  const gaveUp = new Set(
    region.log.flatMap((line) => (line['op'] === 'deliver' && line['retry'] ? [`${line['process']}/${line['invocation']}`] : [])),
  );
  return ({ process, invocation }) => process.diedIn === invocation || gaveUp.has(`${process.name}/${invocation}`);
};

export const counted: Law = {
  number: 5,
  name: 'no attempt is counted twice or never, and an endpoint is disabled at ten failures in a row',
  breaches(evidence) {
    const mayBeUncounted = uncounted(evidence);
    return [...endpointVersions(evidence)].flatMap(([id, versions]) => {
      const last = versions.findLast(({ endpoint }) => endpoint)?.endpoint;
      const isDeleted = versions.at(-1)?.endpoint === undefined;
      if (!last) return [];
      const ended = attemptsAt(evidence, versions).filter(({ result }) => result !== undefined);
      const breaches = (['success', 'failure'] as const).flatMap((outcome) => {
        const made = ended.filter(({ result }) => result?.success === (outcome === 'success'));
        const count = outcome === 'success' ? last.success_count : last.failure_count;
        const least = made.filter((attempt) => !mayBeUncounted(attempt)).length;
        if (count > made.length) return [`${id} counts ${count} of ${outcome}, and ${made.length} were seen.`];
        // What ended after a deletion has nothing to be counted in.
        return count < least && !isDeleted
          ? [`${id} counts ${count} of ${outcome}, and ${least} were seen by invocations that lived.`]
          : [];
      });
      const late = versions.some(
        ({ endpoint }) => endpoint && endpoint.consecutive_failures >= failuresInARow + (endpoint.enabled ? 0 : 1),
      );
      const early = versions.some(({ atMs, endpoint }, i) => {
        if (endpoint?.disabled_reason !== disabledFor || versions[i - 1]?.endpoint?.disabled_reason === disabledFor) return false;
        return ended.filter(({ result, endedMs = 0 }) => !result?.success && endedMs <= atMs).length < failuresInARow;
      });
      return [
        ...breaches,
        ...(late ? [`${id} went on after ${failuresInARow} failures in a row.`] : []),
        ...(early ? [`${id} was disabled before it had failed ${failuresInARow} times.`] : []),
      ];
    });
  },
};

export const inFlight: Law = {
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
