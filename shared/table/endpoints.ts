import { createHash } from 'node:crypto';
import { ApiError, changedMeanwhile, invalidValue, notFound, type StaleDecision } from '../core/errors.ts';
import { isoFromMs } from '../core/time.ts';
import { type Endpoint, endpointsPerAccount, type SlotClaim, type SlotLease, slotsPerEndpoint } from '../domain/webhook/record.ts';
import { accountKey } from './accounts.ts';
import type { Db, Item } from './client.ts';
import { allOf, attribute, type Change, exists, expr } from './expressions.ts';
import { expiryOf, partition } from './keys.ts';
import { type Page, type PageRequest, queryAll } from './page.ts';
import { readListPage } from './plan.ts';
import { checkItem, deleteItem, isOvertaken, putItem, sendAlone, updateItem, type Write } from './write.ts';

/** Fields that PATCH and rotate-secret may change. Counters and slots have writes of their own. */
type EndpointChanges = Partial<
  Pick<
    Endpoint,
    | 'url'
    | 'events'
    | 'description'
    | 'enabled'
    | 'disabled_reason'
    | 'consecutive_failures'
    | 'enabled_ms'
    | 'disabled_ms'
    | 'secret'
    | 'previous_secret'
    | 'previous_secret_until_ms'
    | 'updated_at'
  >
>;

export interface EndpointsWithFormer {
  readonly endpoints: readonly Endpoint[];
  /** Ids of deleted endpoints. Their delivery logs are kept for 30 days. */
  readonly former: readonly string[];
}

const endpointPartition = (account: string): string => partition('endpoint', account);
export const endpointKey = ({ account, id }: Pick<Endpoint, 'account' | 'id'>) => ({ pk: endpointPartition(account), sk: id });

/**
 * Each account has one registry item: the number of its endpoints, and the endpoint id of each URL.
 */
const registryKey = (account: string) => ({ pk: partition('endpointRegistry', account), sk: 'registry' });
/**
 * A mark of a deleted endpoint, which is kept as long as its delivery log. Fan-out, export and
 * erasure find the log with it. The marks sort by the time of deletion, and before all endpoints.
 */
const formerPrefix = 'former#';
const formerSince = (ms: number): string => `${formerPrefix}${isoFromMs(ms)}`;
const formerKey = ({ account, id }: Endpoint, deletedMs: number) => ({
  pk: endpointPartition(account),
  sk: `${formerSince(deletedMs)}#${id}`,
});
/** Every endpoint's id begins with it. */
const endpointIds = 'whe_';
/** Whether an item of the endpoints' partition is an endpoint, and not the mark of a deleted one. */
export const isEndpoint = (item: Item): boolean => String(item['sk']).startsWith(endpointIds);

/**
 * Two URLs are equal if they make the same request: the URL standard normalizes them to the same
 * text, without fragments.
 */
const urlAttribute = (url: string): string => {
  const sent = new URL(url);
  sent.hash = '';
  return `url_${createHash('sha256').update(sent.href).digest('hex')}`;
};

export const slotAttribute = (slot: number): string => `slot_${slot}`;
const slots = Array.from({ length: slotsPerEndpoint }, (_, slot) => slot);
const leaseOf = (item: Item | undefined, slot: number): SlotLease | null => (item?.[slotAttribute(slot)] as SlotLease | undefined) ?? null;

/** Whether the lease holds the slots, in the item that a failed write returned. */
export const holdsSlots = (item: Item | undefined, leased: readonly number[], [, token]: SlotLease): boolean =>
  leased.every((slot) => leaseOf(item, slot)?.[1] === token);

export const decodeEndpoint = (item: Item): Endpoint => {
  const { pk: _pk, sk, ...rest } = item;
  const record = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('slot_')));
  return {
    ...record,
    id: sk,
    slots: slots.map((slot) => leaseOf(item, slot)),
  } as unknown as Endpoint;
};

const encode = ({ id: _, slots: __, ...endpoint }: Endpoint): Item => ({ ...endpoint });

/**
 * A change fails if another write changed one of these fields after it was read. A rotation keeps
 * the replaced secret, and a change of URL frees the old URL, so both depend on the values that
 * were read.
 */
const comparedFields = ['secret', 'url'] as const;
/** The caller decides again, so the service does not. */
const endpointChanged = (): ApiError => new ApiError('conflict', changedMeanwhile('The endpoint').message);
const endpointsChanged = (): StaleDecision => changedMeanwhile('The list of endpoints');
const urlTaken = (): ApiError =>
  new ApiError('conflict', 'Another endpoint of the account has this URL. Use or update that endpoint.', { field: 'url' });

const registryWrite = (db: Db, { account }: Endpoint, change: Change, rejectWith: Write['rejectWith']): Write =>
  updateItem(db, registryKey(account), { ...change, showOld: true, rejectWith });

const moveUrl = (db: Db, endpoint: Endpoint, url: string): Write => {
  const [from, to] = [urlAttribute(endpoint.url), urlAttribute(url)];
  const isMovable = expr`attribute_not_exists(${attribute(to)}) AND ${attribute(from)} = ${endpoint.id}`;
  return registryWrite(db, endpoint, { set: { [to]: endpoint.id }, remove: [from], where: isMovable }, urlTaken);
};

const openReads = (db: Db) => ({
  async get(account: string, id: string) {
    const item = await db.get(endpointKey({ account, id }));
    return item && decodeEndpoint(item);
  },
  /** Returns a page of the account's endpoints, newest first. */
  list: (account: string, page: PageRequest): Promise<Page<Endpoint>> =>
    readListPage(db, { partitions: [endpointPartition(account)], from: endpointIds, decode: decodeEndpoint }, page),
  /** Returns every endpoint of the account. Reads consistently. */
  all: async (account: string): Promise<readonly Endpoint[]> =>
    (await queryAll(db, endpointPartition(account), (sk) => expr`begins_with(${sk}, ${endpointIds})`)).map(decodeEndpoint),
  /**
   * Returns every endpoint of the account, and the ids of endpoints that were deleted since a time.
   * Reads consistently, in one query.
   */
  async withFormer(account: string, sinceMs: number): Promise<EndpointsWithFormer> {
    const items = await queryAll(db, endpointPartition(account), (sk) => expr`${sk} >= ${formerSince(sinceMs)}`);
    const former = items.filter((item) => !isEndpoint(item)).map(({ sk }) => String(sk).slice(String(sk).lastIndexOf('#') + 1));
    return { endpoints: items.filter(isEndpoint).map(decodeEndpoint), former };
  },
});

const openWrites = (db: Db) => ({
  /**
   * Fails with 409 if the URL is registered or the account was closed or opened meanwhile, and with
   * 400 if the account has 10 endpoints.
   */
  createWrites(endpoint: Endpoint): readonly Write[] {
    const url = urlAttribute(endpoint.url);
    const isAsRead = endpoint.account_closed ? expr`data.status = ${'closed'}` : expr`NOT data.status = ${'closed'}`;
    const isFree = allOf(
      expr`attribute_not_exists(${attribute(url)})`,
      expr`attribute_not_exists(count) OR count < ${endpointsPerAccount}`,
    );
    const tooMany = () => invalidValue('url', `An account has at most ${endpointsPerAccount} webhook endpoints. Delete one first.`);
    return [
      checkItem(db, accountKey(endpoint.account), isAsRead, () => changedMeanwhile('The account')),
      putItem(db, { ...encode(endpoint), ...endpointKey(endpoint) }),
      registryWrite(db, endpoint, { set: { [url]: endpoint.id }, add: { count: 1 }, where: isFree }, (old) =>
        old?.[url] === undefined ? tooMany() : urlTaken(),
      ),
    ];
  },
  /** Fails with 404 if the endpoint is deleted, and with 409 if the new URL is registered. */
  updateWrites(endpoint: Endpoint, changes: EndpointChanges): readonly Write[] {
    const change = updateItem(db, endpointKey(endpoint), {
      set: changes,
      where: allOf(
        exists,
        changes.updated_at !== undefined && expr`updated_at <= ${changes.updated_at}`,
        ...comparedFields.map((name) => changes[name] !== undefined && expr`${attribute(name)} = ${endpoint[name]}`),
      ),
      showOld: true,
      rejectWith(old) {
        if (isOvertaken(old, changes.updated_at)) return endpointsChanged();
        return old ? endpointChanged() : notFound('Webhook endpoint');
      },
    });
    const moves = changes.url !== undefined && urlAttribute(changes.url) !== urlAttribute(endpoint.url);
    return moves ? [change, moveUrl(db, endpoint, changes.url)] : [change];
  },
  deleteWrites(endpoint: Endpoint): readonly Write[] {
    const url = urlAttribute(endpoint.url);
    const nowMs = db.clock.now();
    return [
      deleteItem(db, endpointKey(endpoint), { where: exists, rejectWith: () => notFound('Webhook endpoint') }),
      registryWrite(db, endpoint, { remove: [url], add: { count: -1 }, where: expr`${attribute(url)} = ${endpoint.id}` }, endpointChanged),
      putItem(db, { ...formerKey(endpoint, nowMs), expires_at: expiryOf('deliveryRecord', nowMs) }),
    ];
  },
});

export const openEndpoints = (db: Db) => ({
  ...openReads(db),
  ...openWrites(db),
  /**
   * Copies the account's state to its endpoints. Commit it with every change of an account's
   * status. Fails as stale if an endpoint was registered or deleted meanwhile.
   */
  accountWrites(account: string, closed: boolean, endpoints: readonly Endpoint[]): readonly Write[] {
    // If the registry has as many endpoints as were read, and each of them still exists, then no
    // endpoint is missing.
    const isComplete = endpoints.length === 0 ? expr`attribute_not_exists(count) OR count = ${0}` : expr`count = ${endpoints.length}`;
    return [
      checkItem(db, registryKey(account), isComplete, endpointsChanged),
      ...endpoints.map((endpoint) =>
        updateItem(db, endpointKey(endpoint), { set: { account_closed: closed }, where: exists, rejectWith: endpointsChanged }),
      ),
    ];
  },
  /**
   * Leases slots of an enabled endpoint and reads it, in one call. A repeated call with the same
   * lease finds its own slots. If the slots are not free, returns the stored endpoint; undefined if
   * it is deleted.
   */
  async acquireSlots(ref: Pick<Endpoint, 'account' | 'id'>, { slots: chosen, maxFailures, idle }: SlotClaim, lease: SlotLease) {
    const now = db.clock.now();
    const isFree = (slot: number) => {
      const leaseAttribute = attribute(slotAttribute(slot));
      return expr`attribute_not_exists(${leaseAttribute}) OR ${leaseAttribute}[0] <= ${now}`;
    };
    const take = updateItem(db, endpointKey(ref), {
      set: Object.fromEntries(chosen.map((slot) => [slotAttribute(slot), lease])),
      where: allOf(
        expr`enabled = ${true} AND NOT account_closed = ${true} AND consecutive_failures <= ${maxFailures}`,
        ...[...chosen, ...idle].map(isFree),
      ),
      showOld: true,
    });
    const { done, item } = await sendAlone(db, take, 'ALL_NEW');
    // If only the response was lost, this call holds the slots.
    const taken = done || (item !== undefined && holdsSlots(item, chosen, lease));
    return { taken, endpoint: item && decodeEndpoint(item) };
  },
});

export type Endpoints = ReturnType<typeof openEndpoints>;
