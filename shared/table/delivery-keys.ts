import { createHash } from 'node:crypto';
import { makeId } from '../core/ids.ts';
import type { DeliveryRecord, DeliveryStatus } from '../domain/webhook/record.ts';
import { indexEntry, nowSeconds, partition } from './keys.ts';
import { separator } from './page.ts';
import { dueIndex, dueShards } from './schema.ts';

/** Of records and event bodies (decisions §7). */
export const retentionSeconds = 30 * 86_400;

export const home = (account: string, endpoint: string): string => partition('deliveryRecord', account, endpoint);
export const deliveryKey = ({
  account,
  endpoint,
  event,
}: {
  readonly account: string;
  readonly endpoint: string;
  readonly event: string;
}) => ({
  pk: home(account, endpoint),
  sk: event,
});
export const statusPartition = (account: string, endpoint: string, status: DeliveryStatus): string =>
  partition('deliveryRecord', account, endpoint, status);
export const statusIndex = 'gsi2' as const;

const shardOf = (endpoint: string, event: string): number =>
  createHash('sha256').update(endpoint).update(event).digest().readUInt8(0) % dueShards;
export const duePartition = (shard: number): string => partition('due', String(shard));
export const duePosition = (atMs: number, endpoint: string, event: string): string =>
  [new Date(atMs).toISOString(), endpoint, event].join(separator);

export const dueEntry = (atMs: number, endpoint: string, event: string) =>
  indexEntry(dueIndex, duePartition(shardOf(endpoint, event)), duePosition(atMs, endpoint, event));
export const statusEntry = ({ account, endpoint, id }: Pick<DeliveryRecord, 'account' | 'endpoint' | 'id'>, status: DeliveryStatus) =>
  indexEntry(statusIndex, statusPartition(account, endpoint, status), `${separator}${id}`);

export const expiryOf = ({ created_at }: DeliveryRecord): number => nowSeconds(Date.parse(created_at)) + retentionSeconds;
/** The least id of an event whose record is kept: ids begin with the moment of the change, as records do, and expiry goes by whole seconds. */
export const leastKept = (nowMs: number): string => makeId('evt', (nowSeconds(nowMs) - retentionSeconds + 1) * 1000, new Uint8Array(16));
