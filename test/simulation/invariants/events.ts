import type { DynamoDBRecord } from 'aws-lambda';
import { eventsOfChange } from '../../../shared/domain/event/changes.ts';
import { eventIdOf } from '../../../shared/domain/event/envelope.ts';
import type { DeliveryRecord, Endpoint } from '../../../shared/domain/webhook/record.ts';
import { decodeEndpoint } from '../../../shared/table/endpoints.ts';
import { isHeartbeat, readStreamRecord } from '../../../shared/table/stream.ts';
import { byHand } from '../people/operator.ts';
import { isEndpointKey } from './history.ts';
import { type Evidence, itemsOf, oncePer } from './invariant.ts';

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

/** Ids of the changes in batches that Lambda gave up. */
export const givenUp = oncePer(({ region }): ReadonlySet<string> => {
  const parked = [...region.pipeline.parking.objects.values()].map((json) => JSON.parse(json) as { readonly payload?: string });
  const batches = parked.flatMap(({ payload }) => (payload === undefined ? [] : [JSON.parse(payload)]));
  return new Set(
    (batches as { readonly Records: readonly { readonly eventID: string }[] }[]).flatMap(({ Records }) =>
      Records.map((one) => one.eventID),
    ),
  );
});

export interface Expected {
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
  /** Whether Lambda gave the change up, and no operator has replayed it. */
  readonly isLeft: boolean;
}

/** The most that a clock may be wrong, or that an endpoint may be read before the change. */
export const skewMs = 1_000;

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
      const isLeft = !region.isAttended && doneMs === undefined && givenUp({ region }).has(String(record.eventID));
      // An earlier reading of a change that was given up may have been at any time.
      const toMs = isLeft ? Number.POSITIVE_INFINITY : lastDoneMs;
      const closed = closedAt(account, changedMs - skewMs, toMs ?? changedMs);
      expected.set(id, { id, type, account, changedMs, doneMs, lastDoneMs: toMs, closed, isLeft });
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

/** Returns the versions of an endpoint between two times. */
export const standing = (versions: readonly Version[], fromMs: number, toMs: number): readonly (Endpoint | undefined)[] =>
  [versions.findLast(({ atMs }) => atMs <= fromMs), ...versions.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)].map(
    (version) => version?.endpoint,
  );
