import type { DeliveryRecord, Endpoint } from '../../../shared/domain/webhook/record.ts';
import { isFirst, maxAttempts } from './deliveries.ts';
import { deliveryRecords, type Expected, endpointVersions, expectedEvents, skewMs, standing, type Version } from './events.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { leftToOperator } from './unattended.ts';

type Versions = ReadonlyMap<string, readonly Version[]>;

const takes = (endpoint: Endpoint | undefined, { type, account }: Expected): boolean =>
  endpoint !== undefined && endpoint.account === account && endpoint.enabled && endpoint.events.includes(type);

/**
 * Whether an endpoint subscribed to the event at every time from the change until its read, within
 * the tolerance of clocks. Does not use the product's code, which it checks.
 */
const hasToHear = (versions: readonly Version[], event: Expected): boolean =>
  event.closed === false &&
  standing(versions, event.changedMs - skewMs, event.doneMs ?? event.changedMs).every((endpoint) => takes(endpoint, event));

/** The most time between the moment that is stored as the start of an endpoint and the write. */
const longestDecisionMs = 60_000;

/**
 * Whether the endpoint may receive the event: it was enabled at the change, within the tolerance of
 * clocks and open requests, and subscribed at one time when the change was read.
 */
const mayHear = (versions: readonly Version[], event: Expected): boolean => {
  const { account, changedMs, lastDoneMs = changedMs, closed } = event;
  const fromMs = changedMs - skewMs;
  const wasEnabled = standing(versions, fromMs, changedMs + skewMs + longestDecisionMs).some(
    (endpoint) => endpoint?.account === account && endpoint.enabled,
  );
  return closed !== 'then' && wasEnabled && standing(versions, fromMs, lastDoneMs).some((endpoint) => takes(endpoint, event));
};

const missing = (event: Expected, versions: Versions, records: ReadonlySet<string>): readonly string[] => {
  const { id, type, doneMs, isLeft } = event;
  if (isLeft) return [];
  if (doneMs === undefined) return [`The change behind ${id} was never read.`];
  return [...versions].flatMap(([endpoint, all]) =>
    hasToHear(all, event) && !records.has(`${id}/${endpoint}`) ? [`${endpoint} subscribed to ${type} and has no record of ${id}.`] : [],
  );
};

/** Returns the errors of a record. */
const findingsOf = (
  record: DeliveryRecord,
  event: Expected | undefined,
  versions: readonly Version[],
  { arrived, mayStay }: { readonly arrived: boolean; readonly mayStay: boolean },
): readonly string[] => {
  const { account, status, attempts, last_error } = record;
  const subscribed = event !== undefined && event.account === account && mayHear(versions, event);
  const resting = versions.some(({ endpoint }) => !endpoint?.enabled || endpoint.account_closed);
  const byTheRules = attempts === maxAttempts || (last_error === 'endpoint_disabled' && resting);
  return [
    ...(subscribed ? [] : ['is a record of nothing that was subscribed to']),
    ...(status === 'pending' && !mayStay ? ['is pending, and nothing will wake it'] : []),
    ...(status === 'delivered' && !arrived ? ['is said to be delivered, and no receiver took it'] : []),
    ...(status === 'failed' && !byTheRules ? [`failed after ${attempts} attempts with ${last_error}`] : []),
  ];
};

/** The most time between the lease that returned the URL and the request, within one invocation. */
const longestInvocationMs = 60_000;

/** Returns attempts at a URL that no active endpoint has had since the start of the invocation. */
const uncalledFor = ({ region }: Evidence, versions: Versions): readonly string[] => {
  const byUrl = new Map<string, Set<string>>();
  for (const [id, all] of versions)
    for (const { endpoint } of all) if (endpoint) byUrl.set(endpoint.url, (byUrl.get(endpoint.url) ?? new Set()).add(id));
  return region.receivers.attempts.flatMap(({ url, event, begunMs, isTest }) => {
    const stood = [...(byUrl.get(url) ?? [])].flatMap((id) => standing(versions.get(id) ?? [], begunMs - longestInvocationMs, begunMs));
    // The owner of a closed account may still test an endpoint. A test is not a delivery.
    const wasCalledFor = stood.some((endpoint) => endpoint?.url === url && endpoint.enabled && (isTest || !endpoint.account_closed));
    return wasCalledFor ? [] : [`${event} was sent to ${url} over a minute after its endpoint had moved, or was disabled or deleted.`];
  });
};

export const oneRecord: Invariant = {
  number: 3,
  name: 'every subscribed, enabled endpoint has one record per event, and it ends by the rules',
  breaches(evidence) {
    const versions = endpointVersions(evidence);
    const expected = expectedEvents(evidence);
    const records = deliveryRecords(evidence);
    const known = new Set(records.map(({ id, endpoint }) => `${id}/${endpoint}`));
    const taken = new Set(evidence.region.receivers.attempts.flatMap(({ event, result }) => (result?.success ? [event] : [])));
    const left = leftToOperator(evidence);
    const { erasures } = evidence.journal;
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    return [
      ...[...expected.values()].flatMap((event) => (ended.has(event.account) ? [] : missing(event, versions, known))),
      ...records.flatMap((record) => {
        const { id, endpoint } = record;
        const mayStay = left.has(`${endpoint}/${id}`) || (expected.get(id)?.isLeft === true && isFirst(record));
        return findingsOf(record, expected.get(id), versions.get(endpoint) ?? [], { arrived: taken.has(id), mayStay }).map(
          (fault) => `${id} at ${endpoint} ${fault}.`,
        );
      }),
      ...uncalledFor(evidence, versions),
    ];
  },
};
