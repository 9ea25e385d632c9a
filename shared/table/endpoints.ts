import { createHash } from 'node:crypto';
import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ApiError, invalidValue, notFound } from '../core/errors.ts';
import { type Endpoint, endpointsPerAccount, type SlotLease, slotsPerEndpoint } from '../domain/webhook.ts';
import type { Db } from './client.ts';
import { retentionSeconds } from './delivery-keys.ts';
import { nowSeconds, partition } from './keys.ts';
import { type Page, type PageRequest, queryPage } from './page.ts';
import type { Item, Write } from './write.ts';

/** What PATCH and rotate-secret may change; counters and slots have writers of their own. */
export type EndpointChanges = Partial<
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

export interface Endpoints {
  get(account: string, id: string): Promise<Endpoint | undefined>;
  /** Newest first. */
  list(account: string, page: PageRequest): Promise<Page<Endpoint>>;
  /** Every endpoint of the account; consistent. */
  all(account: string): Promise<readonly Endpoint[]>;
  /** Refuses with 409 where the URL is registered, 400 where the account has 10 endpoints. */
  createWrites(endpoint: Endpoint): readonly Write[];
  /** Refuses with 404 where the endpoint is gone, 409 where the new URL is registered. */
  updateWrites(endpoint: Endpoint, changes: EndpointChanges): readonly Write[];
  deleteWrites(endpoint: Endpoint): readonly Write[];
  /** Leases these slots; false where the endpoint is no longer as it was read. Repeated with the same lease, it finds its own. */
  acquireSlots(endpoint: Endpoint, slots: readonly number[], lease: SlotLease): Promise<boolean>;
}

const home = (account: string): string => partition('endpoint', account);
export const endpointKey = ({ account, id }: Pick<Endpoint, 'account' | 'id'>) => ({ pk: home(account), sk: id });

/** Per account one registry item: how many endpoints there are, and which id holds which URL. */
const registryKey = (account: string) => ({ pk: partition('endpointRegistry', account), sk: 'registry' });
/** Remembers a deleted endpoint for as long as its delivery log is kept, for whoever exports or erases the account. */
const formerPrefix = 'former#';
const formerKey = ({ account, id }: Pick<Endpoint, 'account' | 'id'>) => ({
  pk: partition('endpointRegistry', account),
  sk: `${formerPrefix}${id}`,
});
/** The deleted endpoint that a registry item remembers. */
export const formerEndpoint = (item: Item): string | undefined =>
  String(item['sk']).startsWith(formerPrefix) ? String(item['sk']).slice(formerPrefix.length) : undefined;

/** URLs are the same where the same request is sent: spelled alike by the URL standard, fragments aside. */
const urlAttribute = (url: string): string => {
  const sent = new URL(url);
  sent.hash = '';
  return `url_${createHash('sha256').update(sent.href).digest('hex')}`;
};

export const slotAttribute = (slot: number): string => `slot_${slot}`;
const slots = Array.from({ length: slotsPerEndpoint }, (_, slot) => slot);
const leaseOf = (item: Item | undefined, slot: number): SlotLease | null => (item?.[slotAttribute(slot)] as SlotLease | undefined) ?? null;

/** Whether an endpoint's item, as a refused write returns it, says that these slots are held by this lease. */
export const holdsSlots = (item: Record<string, AttributeValue> | undefined, held: readonly number[], [, token]: SlotLease): boolean => {
  const endpoint = item && unmarshall(item);
  return held.every((slot) => leaseOf(endpoint, slot)?.[1] === token);
};

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

/** Their changes rest on what was read: a rotation keeps the secret it replaces, a move gives back the URL it leaves. */
const restingOnRead = ['secret', 'url'] as const;

const changedMeanwhile = (): ApiError => new ApiError('conflict', 'The endpoint was changed at the same time; read it again and retry.');
const urlTaken = (): ApiError => new ApiError('conflict', 'This URL is already registered on the account.', { field: 'url' });

export const openEndpoints = (db: Db): Endpoints => {
  const registryWrite = (
    endpoint: Endpoint,
    expression: string,
    condition: string,
    values: Item,
    names: Record<string, string>,
    refuse: Write['refuse'],
  ): Write => ({
    item: {
      Update: {
        TableName: db.table,
        Key: registryKey(endpoint.account),
        UpdateExpression: expression,
        ConditionExpression: condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    ...(refuse ? { refuse } : {}),
  });

  const moveUrl = (endpoint: Endpoint, to: string): Write =>
    registryWrite(
      endpoint,
      'SET #to = :id REMOVE #from',
      'attribute_not_exists(#to) AND #from = :id',
      { ':id': endpoint.id },
      { '#to': urlAttribute(to), '#from': urlAttribute(endpoint.url) },
      urlTaken,
    );

  return {
    async get(account, id) {
      const item = await db.get(endpointKey({ account, id }));
      return item && decodeEndpoint(item);
    },
    async list(account, page) {
      const { records, next } = await queryPage(db, { partition: home(account), home: home(account), isGone: () => false }, page);
      return { records: records.map(decodeEndpoint), ...(next ? { next } : {}) };
    },
    async all(account) {
      const { Items = [] } = await db.client.send(
        new QueryCommand({
          TableName: db.table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': home(account) },
          ConsistentRead: true,
        }),
      );
      return Items.map(decodeEndpoint);
    },
    createWrites: (endpoint) => [
      { item: { Put: { TableName: db.table, Item: { ...encode(endpoint), ...endpointKey(endpoint) } } } },
      registryWrite(
        endpoint,
        'SET #url = :id ADD #count :one',
        'attribute_not_exists(#url) AND (attribute_not_exists(#count) OR #count < :max)',
        { ':id': endpoint.id, ':one': 1, ':max': endpointsPerAccount },
        { '#url': urlAttribute(endpoint.url), '#count': 'count' },
        (old) =>
          old?.[urlAttribute(endpoint.url)] === undefined
            ? invalidValue('url', `An account has at most ${endpointsPerAccount} webhook endpoints; delete one first.`)
            : urlTaken(),
      ),
    ],
    updateWrites: (endpoint, changes) => {
      const names = Object.keys(changes) as (keyof EndpointChanges)[];
      const guarded = restingOnRead.filter((name) => changes[name] !== undefined);
      const update: Write = {
        item: {
          Update: {
            TableName: db.table,
            Key: endpointKey(endpoint),
            UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
            ConditionExpression: ['attribute_exists(pk)', ...guarded.map((name) => `#${name} = :read_${name}`)].join(' AND '),
            ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
            ExpressionAttributeValues: {
              ...Object.fromEntries(names.map((name) => [`:${name}`, changes[name]])),
              ...Object.fromEntries(guarded.map((name) => [`:read_${name}`, endpoint[name]])),
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refuse: (old) => (old ? changedMeanwhile() : notFound('Webhook endpoint')),
      };
      const moves = changes.url !== undefined && urlAttribute(changes.url) !== urlAttribute(endpoint.url);
      return moves ? [update, moveUrl(endpoint, changes.url)] : [update];
    },
    deleteWrites: (endpoint) => [
      {
        item: { Delete: { TableName: db.table, Key: endpointKey(endpoint), ConditionExpression: 'attribute_exists(pk)' } },
        refuse: () => notFound('Webhook endpoint'),
      },
      registryWrite(
        endpoint,
        'REMOVE #url ADD #count :less',
        '#url = :id',
        { ':id': endpoint.id, ':less': -1 },
        { '#url': urlAttribute(endpoint.url), '#count': 'count' },
        () => changedMeanwhile(),
      ),
      {
        item: {
          Put: {
            TableName: db.table,
            Item: { ...formerKey(endpoint), expires_at: nowSeconds(db.clock.now()) + retentionSeconds },
          },
        },
      },
    ],
    async acquireSlots(endpoint, chosen, lease) {
      const names = Object.fromEntries(slots.map((slot) => [`#s${slot}`, slotAttribute(slot)]));
      const read = slots.map((slot) => endpoint.slots[slot] ?? null);
      try {
        await db.client.send(
          new UpdateCommand({
            TableName: db.table,
            Key: endpointKey(endpoint),
            UpdateExpression: `SET ${chosen.map((slot) => `#s${slot} = :lease`).join(', ')}`,
            // Every slot and the failure count as they were read: the room left was computed from all of them.
            ConditionExpression: [
              'consecutive_failures = :failures AND enabled = :true',
              ...read.map((held, slot) => (held ? `#s${slot} = :s${slot}` : `attribute_not_exists(#s${slot})`)),
            ].join(' AND '),
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: {
              ':lease': lease,
              ':failures': endpoint.consecutive_failures,
              ':true': true,
              ...Object.fromEntries(read.flatMap((held, slot) => (held ? [[`:s${slot}`, held]] : []))),
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return true;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        // Only the answer was lost: the slots are one's own.
        return error.Item !== undefined && holdsSlots(error.Item, chosen, lease);
      }
    },
  };
};
