import type { DynamoDBRecord } from 'aws-lambda';
import { eventsOfChange } from '../../../shared/domain/event/changes.ts';
import { eventIdOf } from '../../../shared/domain/event/envelope.ts';
import type { DeliveryRecord, Endpoint } from '../../../shared/domain/webhook/record.ts';
import { decodeEndpoint } from '../../../shared/table/endpoints.ts';
import { isHeartbeat, readStreamRecord } from '../../../shared/table/stream.ts';
import { byHand } from '../people/operator.ts';
import { isEndpointKey } from './history.ts';
import { type Evidence, type Invariant, itemsOf, oncePer } from './invariant.ts';

/** An endpoint's state from a time on; undefined after its deletion. */
export interface Version {
  readonly atMs: number;
  readonly endpoint: Endpoint | undefined;
}

/**
 * Returns the times at which each account was closed or opened, oldest first, from the history of
 * the table.
 */
const accountVersions = ({
  region,
}: Pick<Evidence, 'region'>): ReadonlyMap<string, readonly { readonly atMs: number; readonly closed: boolean }[]> => {
  const versions = new Map<string, { readonly atMs: number; readonly closed: boolean }[]>();
  for (const { atMs, key, after } of region.engine.table('simulated').changes) {
    const [kind, account = ''] = String(key['pk']).split('#');
    const { status } = (after?.['data'] ?? {}) as { readonly status?: string };
    if (kind === 'acc') versions.set(account, [...(versions.get(account) ?? []), { atMs, closed: status === 'closed' }]);
  }
  return versions;
};

/** Returns every endpoint's versions, oldest first, from the history of the table. */
export const endpointVersions = oncePer(({ region }): ReadonlyMap<string, readonly Version[]> => {
  const versions = new Map<string, Version[]>();
  for (const { atMs, key, after } of region.engine.table('simulated').changes) {
    if (!isEndpointKey(key)) continue;
    const id = String(key['sk']);
    versions.set(id, [...(versions.get(id) ?? []), { atMs, endpoint: after && decodeEndpoint(after as Record<string, unknown>) }]);
  }
  return versions;
});

/**
 * Whether an operator wrote the item by hand. No function can read it, so it is parked (see
 * `parked`).
 */
export const isByHand = (record: DynamoDBRecord): boolean => record.dynamodb?.Keys?.['sk']?.S?.startsWith(byHand) === true;

interface Expected {
  readonly id: string;
  readonly type: Endpoint['events'][number];
  readonly account: string;
  readonly changedMs: number;
  /** When it was first and last read: a batch may be repeated. */
  readonly doneMs: number | undefined;
  readonly lastDoneMs: number | undefined;
  /**
   * `then` if the account was closed at the change: the event must not be sent. `since` if it was
   * closed when the change was read: it need not be sent.
   */
  readonly closed: 'then' | 'since' | false;
}

/** The most that a clock may be wrong, or that an endpoint may be read before the change. */
const skewMs = 1_000;

/** Returns the expected event of every change, by event id. */
export const expectedEvents = ({ region }: Evidence): ReadonlyMap<string, Expected> => {
  const expected = new Map<string, Expected>();
  const accounts = accountVersions({ region });
  const closedAt = (account: string, fromMs: number, toMs: number): Expected['closed'] => {
    const versions = accounts.get(account) ?? [];
    const seen = [versions.findLast(({ atMs }) => atMs <= fromMs), ...versions.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)];
    if (seen.every((version) => version?.closed)) return 'then';
    return seen.some((version) => version?.closed) && 'since';
  };
  for (const { record, doneMs, lastDoneMs } of region.pipeline.stream.records) {
    if (isHeartbeat(record) || isByHand(record)) continue;
    const { account, change, changedMs, position } = readStreamRecord(record);
    for (const { type } of eventsOfChange(change)) {
      const id = eventIdOf(position, type, changedMs);
      const closed = closedAt(account, changedMs - skewMs, lastDoneMs ?? changedMs);
      expected.set(id, { id, type, account, changedMs, doneMs, lastDoneMs, closed });
    }
  }
  return expected;
};

type Key = Readonly<Record<string, unknown>>;

export const deliveryRecords = (evidence: Evidence): readonly DeliveryRecord[] =>
  itemsOf(evidence).flatMap((item) => deliveryIn(item, item) ?? []);

/** Returns the record of an item, with the ids of its key; undefined for items of other kinds. */
export const deliveryIn = ({ pk, sk }: Key, item: Key | undefined): DeliveryRecord | undefined => {
  const [kind, account = '', endpoint = ''] = String(pk).split('#');
  return kind === 'dlv' && item ? { ...(item['view'] as DeliveryRecord), account, endpoint, id: String(sk) } : undefined;
};

/** The specification's number of attempts of one run. */
const maxAttempts = 5;
type Versions = ReadonlyMap<string, readonly Version[]>;

/** Returns the versions of an endpoint between two times. */
export const standing = (versions: readonly Version[], fromMs: number, toMs: number): readonly (Endpoint | undefined)[] =>
  [versions.findLast(({ atMs }) => atMs <= fromMs), ...versions.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)].map(
    (version) => version?.endpoint,
  );

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
  const { id, type, doneMs } = event;
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
  arrived: boolean,
): readonly string[] => {
  const { account, status, attempts, last_error } = record;
  const subscribed = event !== undefined && event.account === account && mayHear(versions, event);
  const resting = versions.some(({ endpoint }) => !endpoint?.enabled || endpoint.account_closed);
  const byTheRules = attempts === maxAttempts || (last_error === 'endpoint_disabled' && resting);
  return [
    ...(subscribed ? [] : ['is a record of nothing that was subscribed to']),
    ...(status === 'pending' ? ['is pending, and nothing will wake it'] : []),
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
    const { erasures } = evidence.journal;
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    return [
      ...[...expected.values()].flatMap((event) => (ended.has(event.account) ? [] : missing(event, versions, known))),
      ...records.flatMap((record) =>
        findingsOf(record, expected.get(record.id), versions.get(record.endpoint) ?? [], taken.has(record.id)).map(
          (fault) => `${record.id} at ${record.endpoint} ${fault}.`,
        ),
      ),
      ...uncalledFor(evidence, versions),
    ];
  },
};
