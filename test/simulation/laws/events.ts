import type { DynamoDBRecord } from 'aws-lambda';
import type { DeliveryRecord, Endpoint } from '../../../shared/domain/webhook.ts';
import { eventsOfChange } from '../../../shared/events/changes.ts';
import { eventIdOf } from '../../../shared/events/event-id.ts';
import { decodeEndpoint } from '../../../shared/table/endpoints.ts';
import { isHeartbeat } from '../../../shared/table/heartbeat.ts';
import { readStreamRecord } from '../../../shared/table/stream.ts';
import { byHand } from '../people/operator.ts';
import { type Evidence, itemsOf, type Law } from './law.ts';

/** An endpoint as it stood from a moment on; undefined once it was deleted. */
export interface Version {
  readonly atMs: number;
  readonly endpoint: Endpoint | undefined;
}

/** Every endpoint's versions, oldest first, from the history of the table. */
export const endpointVersions = ({ region }: Pick<Evidence, 'region'>): ReadonlyMap<string, readonly Version[]> => {
  const versions = new Map<string, Version[]>();
  for (const { atMs, key, after } of region.engine.table('simulated').changes) {
    if (!String(key['pk']).startsWith('whe#')) continue;
    const id = String(key['sk']);
    versions.set(id, [...(versions.get(id) ?? []), { atMs, endpoint: after && decodeEndpoint(after as Record<string, unknown>) }]);
  }
  return versions;
};

/** A change that nobody can read: it is parked, see `parked`. */
export const isByHand = (record: DynamoDBRecord): boolean => record.dynamodb?.Keys?.['sk']?.S?.startsWith(byHand) === true;

interface Expected {
  readonly id: string;
  readonly type: Endpoint['events'][number];
  readonly account: string;
  readonly changedMs: number;
  readonly doneMs: number | undefined;
}

/** The events of all changes, by their ids. */
const expectedEvents = ({ region }: Evidence): ReadonlyMap<string, Expected> => {
  const expected = new Map<string, Expected>();
  for (const { record, doneMs } of region.pipeline.stream.records) {
    if (isHeartbeat(record) || isByHand(record)) continue;
    const { account, change, changedMs, position } = readStreamRecord(record);
    for (const { type } of eventsOfChange(change)) {
      const id = eventIdOf(position, type, changedMs);
      expected.set(id, { id, type, account, changedMs, doneMs });
    }
  }
  return expected;
};

export const deliveryRecords = (evidence: Evidence): readonly DeliveryRecord[] =>
  itemsOf(evidence).flatMap((item) => (String(item['pk']).startsWith('dlv#') ? [item['view'] as unknown as DeliveryRecord] : []));

/** Of one run of the ladder, by the specification. */
const maxAttempts = 5;
/** How far a clock may be off, and a read of an endpoint before the change it is for. */
const skewMs = 1_000;

type Versions = ReadonlyMap<string, readonly Version[]>;

/**
 * Whether an endpoint, as it stood at each moment from the change until it was read, whatever clocks say, subscribed to the event. The
 * product's own judgement is not asked: it is what is judged.
 */
const subscriptions = (versions: readonly Version[], { type, account, changedMs, doneMs = changedMs }: Expected): readonly boolean[] => {
  const before = versions.findLast(({ atMs }) => atMs <= changedMs - skewMs);
  const seen = [before, ...versions.filter(({ atMs }) => atMs > changedMs - skewMs && atMs <= doneMs)];
  return seen.map((version) => {
    const endpoint = version?.endpoint;
    return endpoint !== undefined && endpoint.account === account && endpoint.enabled && endpoint.events.includes(type);
  });
};

const missing = (event: Expected, versions: Versions, records: ReadonlySet<string>): readonly string[] => {
  const { id, type, doneMs } = event;
  if (doneMs === undefined) return [`The change behind ${id} was never read.`];
  return [...versions].flatMap(([endpoint, all]) =>
    subscriptions(all, event).every(Boolean) && !records.has(`${id}/${endpoint}`)
      ? [`${endpoint} subscribed to ${type} and has no record of ${id}.`]
      : [],
  );
};

/** What is wrong with a record that stands. */
const faultsOf = (
  record: DeliveryRecord,
  event: Expected | undefined,
  versions: readonly Version[],
  arrived: boolean,
): readonly string[] => {
  const { account, status, attempts, last_error } = record;
  const subscribed = event !== undefined && event.account === account && subscriptions(versions, event).some(Boolean);
  const resting = versions.some(({ endpoint }) => !endpoint?.enabled);
  const byTheRules = attempts === maxAttempts || (last_error === 'endpoint_disabled' && resting);
  return [
    ...(subscribed ? [] : ['is a record of nothing that was subscribed to']),
    ...(status === 'pending' ? ['is pending, and nothing will wake it'] : []),
    ...(status === 'delivered' && !arrived ? ['is said to be delivered, and no receiver took it'] : []),
    ...(status === 'failed' && !byTheRules ? [`failed after ${attempts} attempts with ${last_error}`] : []),
  ];
};

/** Records that were begun again, or fell behind what had been tried: only a redelivery begins a run, and it is the next one. */
const wentBack = ({ region }: Evidence): readonly string[] =>
  region.engine.table('simulated').changes.flatMap(({ key, before, after }) => {
    if (!String(key['pk']).startsWith('dlv#') || !before || !after) return [];
    const [was, is] = [before['view'] as unknown as DeliveryRecord, after['view'] as unknown as DeliveryRecord];
    const ended = was.status !== 'pending';
    const goesOn = is.run === was.run && is.attempts >= was.attempts && (!ended || is.status === was.status);
    return goesOn || is.run === was.run + 1 ? [] : [`${is.id} at ${is.endpoint} was begun again, and nobody redelivered it.`];
  });

/** A request follows the lease that returned its URL within the invocation, whatever befalls it. */
const longestInvocationMs = 60_000;

/** Attempts at a URL that no endpoint which takes deliveries has had since the invocation may have begun. */
const uncalledFor = ({ region }: Evidence, versions: Versions): readonly string[] => {
  const byUrl = new Map<string, Set<string>>();
  for (const [id, all] of versions)
    for (const { endpoint } of all) if (endpoint) byUrl.set(endpoint.url, (byUrl.get(endpoint.url) ?? new Set()).add(id));
  return region.receivers.attempts.flatMap(({ url, event, begunMs }) => {
    const sinceMs = begunMs - longestInvocationMs;
    const stood = [...(byUrl.get(url) ?? [])].flatMap((id) => {
      const all = versions.get(id) ?? [];
      return [all.findLast(({ atMs }) => atMs <= sinceMs), ...all.filter(({ atMs }) => atMs > sinceMs && atMs <= begunMs)];
    });
    const wasCalledFor = stood.some(
      (version) => version?.endpoint?.url === url && version.endpoint.enabled && !version.endpoint.account_closed,
    );
    return wasCalledFor ? [] : [`${event} was sent to ${url}, whose endpoint had moved, or been disabled or deleted, for a minute.`];
  });
};

export const oneRecord: Law = {
  number: 3,
  name: 'every subscribed, enabled endpoint has one record per event, and it ends by the rules',
  breaches(evidence) {
    const versions = endpointVersions(evidence);
    const expected = expectedEvents(evidence);
    const records = deliveryRecords(evidence);
    const known = new Set(records.map(({ id, endpoint }) => `${id}/${endpoint}`));
    const taken = new Set(evidence.region.receivers.attempts.flatMap(({ event, result }) => (result?.success ? [event] : [])));
    return [
      ...[...expected.values()].flatMap((event) => missing(event, versions, known)),
      ...records.flatMap((record) =>
        faultsOf(record, expected.get(record.id), versions.get(record.endpoint) ?? [], taken.has(record.id)).map(
          (fault) => `${record.id} at ${record.endpoint} ${fault}.`,
        ),
      ),
      ...wentBack(evidence),
      ...uncalledFor(evidence, versions),
    ];
  },
};

export const sameBytes: Law = {
  number: 4,
  name: 'an event is made once, and its bytes never differ',
  breaches(evidence) {
    const expected = expectedEvents(evidence);
    const stored = new Map(
      itemsOf(evidence).flatMap((item) => (String(item['pk']).startsWith('evt#') ? [[String(item['sk']), String(item['body'])]] : [])),
    );
    const rewritten = evidence.region.engine.table('simulated').changes.flatMap(({ key, before, after }) => {
      if (!String(key['pk']).startsWith('evt#') || !before || !after || before['body'] === after['body']) return [];
      return [`${key['sk']} was stored again with other bytes.`];
    });
    return [
      ...rewritten,
      ...[...stored.keys()].flatMap((id) => (expected.has(id) ? [] : [`${id} is an event of no change.`])),
      ...evidence.region.receivers.attempts.flatMap(({ event, body, url, isTest }) =>
        isTest || stored.get(event) === body ? [] : [`${event} came to ${url} with other bytes than those that are stored.`],
      ),
    ];
  },
};
