import type { DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import { type Endpoint, endpointsByUrl, endpointsDuring, endpointVersions, type Version } from '../reading/endpoints.ts';
import { type Expected, expectedEvents, skewMs } from '../reading/expected-events.ts';
import type { Attempt } from '../world/receivers.ts';
import { isFirst, maxAttempts } from './deliveries.ts';
import { deliveryRecords } from './events.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { unattendedDeliveries } from './unattended.ts';

type Versions = ReadonlyMap<string, readonly Version[]>;

const takes = (endpoint: Endpoint | undefined, { type, account }: Expected): boolean =>
  endpoint !== undefined && endpoint.account === account && endpoint.enabled && (endpoint.events as readonly string[]).includes(type);

/**
 * Whether an endpoint subscribed to the event at every time from the change until its read, within
 * the tolerance of clocks. A new endpoint receives what commits after its registration (decisions
 * §6), also if the change has an earlier time. Does not use the product's code, which it checks.
 */
const hasToHear = (versions: readonly Version[], event: Expected): boolean => {
  const { changedMs, committedMs, doneMs = committedMs, closed } = event;
  const registeredMs = versions[0]?.atMs ?? Number.POSITIVE_INFINITY;
  const fromMs = registeredMs < committedMs ? Math.max(changedMs - skewMs, registeredMs) : changedMs - skewMs;
  return closed === false && endpointsDuring(versions, fromMs, doneMs).every((endpoint) => takes(endpoint, event));
};

/** The most time between the moment that is stored as the start of an endpoint and the write. */
const longestDecisionMs = 60_000;

/**
 * Whether the endpoint may receive the event: it was enabled at the change, or is new at the commit,
 * within the tolerance of clocks and open requests, and subscribed at one time when the change was
 * read.
 */
const mayHear = (versions: readonly Version[], event: Expected): boolean => {
  const { account, changedMs, committedMs, lastDoneMs = committedMs, closed } = event;
  const fromMs = changedMs - skewMs;
  const [lateMs, [registered]] = [skewMs + longestDecisionMs, versions];
  const isNew = registered !== undefined && registered.atMs > fromMs && registered.atMs <= committedMs + lateMs;
  const stood = [...endpointsDuring(versions, fromMs, changedMs + lateMs), ...(isNew ? [registered.endpoint] : [])];
  const wasEnabled = stood.some((endpoint) => endpoint?.account === account && endpoint.enabled);
  return closed !== 'then' && wasEnabled && endpointsDuring(versions, fromMs, lastDoneMs).some((endpoint) => takes(endpoint, event));
};

const missing = (event: Expected, versions: Versions, records: ReadonlySet<string>): readonly string[] => {
  const { id, type, subject, doneMs, isLeft } = event;
  if (isLeft) return [];
  if (doneMs === undefined) return [`The change of ${subject} behind ${type} was never read.`];
  return [...versions].flatMap(([endpoint, all]) =>
    hasToHear(all, event) && !records.has(`${id}/${endpoint}`)
      ? [`${endpoint} subscribed to ${type} and has no record of ${id ?? 'that event'} of ${subject}.`]
      : [],
  );
};

/** Returns the errors of a record. */
const findingsOf = (
  record: DeliveryRecord,
  event: Expected | undefined,
  versions: readonly Version[],
  { arrived, mayStay }: { readonly arrived: boolean; readonly mayStay: boolean },
): readonly string[] => {
  const { account, type, status, attempts, last_error } = record;
  const subscribed = event !== undefined && event.account === account && event.type === type && mayHear(versions, event);
  const resting = versions.some(({ endpoint }) => !endpoint?.enabled || endpoint.account_closed);
  const byTheRules = attempts === maxAttempts || (last_error === 'endpoint_disabled' && resting);
  return [
    ...(subscribed ? [] : ['is a record of nothing that was subscribed to']),
    ...(status === 'pending' && !mayStay ? ['is pending, and nothing will wake it'] : []),
    ...(status === 'delivered' && !arrived ? ['is said to be delivered, and its receiver did not take it'] : []),
    ...(status === 'failed' && !byTheRules ? [`failed after ${attempts} attempts with ${last_error}`] : []),
  ];
};

/** The most time between the lease that returned the URL and the request, within one invocation. */
const longestInvocationMs = 60_000;

interface Sent extends Attempt {
  /** The endpoints that had the URL since the start of the invocation. */
  readonly owners: readonly string[];
}

/** Returns every request to a receiver, with the endpoints to which its URL belonged. */
const requestsOf = ({ region }: Evidence, versions: Versions): readonly Sent[] => {
  const byUrl = endpointsByUrl({ region });
  return region.receivers.attempts.map((attempt) => {
    const { url, begunMs } = attempt;
    const had = (id: string) =>
      endpointsDuring(versions.get(id) ?? [], begunMs - longestInvocationMs, begunMs).some((endpoint) => endpoint?.url === url);
    return { ...attempt, owners: [...(byUrl.get(url) ?? [])].filter(had) };
  });
};

/** Returns attempts at a URL that no active endpoint has had since the start of the invocation. */
const uncalledFor = (sent: readonly Sent[], versions: Versions): readonly string[] =>
  sent.flatMap(({ url, event, begunMs, isTest, owners }) => {
    const stood = owners.flatMap((id) => endpointsDuring(versions.get(id) ?? [], begunMs - longestInvocationMs, begunMs));
    // The owner of a closed account may still test an endpoint. A test is not a delivery.
    const wasCalledFor = stood.some((endpoint) => endpoint?.url === url && endpoint.enabled && (isTest || !endpoint.account_closed));
    return wasCalledFor ? [] : [`${event} was sent to ${url} over a minute after its endpoint had moved, or was disabled or deleted.`];
  });

/** Returns events that were sent to the URL of an endpoint that did not subscribe to them. */
const misdirected = (sent: readonly Sent[], versions: Versions, events: ReadonlyMap<string, Expected>): readonly string[] =>
  sent.flatMap(({ url, event: id, body, isTest, owners }) => {
    const event = events.get(id);
    const isRight = isTest || (event && owners.some((owner) => mayHear(versions.get(owner) ?? [], event)));
    return isRight ? [] : [`${id} was sent to ${url}, whose endpoint had not subscribed to it: ${body}`];
  });

export const oneRecord: Invariant = {
  number: 3,
  name: 'every subscribed, enabled endpoint has one record per event, and it ends by the rules',
  breaches(evidence) {
    const versions = endpointVersions(evidence);
    const expected = expectedEvents(evidence);
    const byId = new Map(expected.flatMap((event) => (event.id === undefined ? [] : [[event.id, event] as const])));
    const records = deliveryRecords(evidence);
    const known = new Set(records.map(({ id, endpoint }) => `${id}/${endpoint}`));
    const sent = requestsOf(evidence, versions);
    const taken = new Set(sent.flatMap(({ event, result, owners }) => (result?.success ? owners.map((owner) => `${event}/${owner}`) : [])));
    const unattended = unattendedDeliveries(evidence);
    const { erasures } = evidence.journal;
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    return [
      ...expected.flatMap((event) => (ended.has(event.account) ? [] : missing(event, versions, known))),
      ...records.flatMap((record) => {
        const { id, endpoint } = record;
        const event = byId.get(id);
        const arrived = taken.has(`${id}/${endpoint}`);
        const mayStay = unattended.has(`${endpoint}/${id}`) || (event?.isLeft === true && isFirst(record));
        return findingsOf(record, event, versions.get(endpoint) ?? [], { arrived, mayStay }).map(
          (fault) => `${id} at ${endpoint} ${fault}.`,
        );
      }),
      ...uncalledFor(sent, versions),
      ...misdirected(sent, versions, byId),
    ];
  },
};
