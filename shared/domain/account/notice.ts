import { createHash } from 'node:crypto';
import { makeId } from '../../core/ids.ts';
import { isoFromMs } from '../../core/time.ts';
import { autoDisableReason, type DeliveryRecord } from '../webhook/record.ts';
import type { ApiKey } from './record.ts';

/** Types of notices, which are the `detail-type` in EventBridge. */
type NoticeType = 'Webhook Endpoint Failing' | 'Webhook Endpoint Disabled' | 'API Key Used After Rest' | 'API Key Expiring';

/** A message to the platform team. Integrators never receive one (decisions §7). */
export interface Notice {
  /** A notice that is sent twice has the same id. */
  readonly id: string;
  readonly account: string;
  readonly type: NoticeType;
  readonly endpoint?: string;
  readonly key?: string;
  readonly reason: string;
  /** Type and outcome of the delivery that failed last, of a failing endpoint. */
  readonly event_type?: string;
  readonly last_status_code?: number | null;
  readonly last_error?: string | null;
  /** Time at which the endpoint failed for the fifth time or was disabled, the key was used, or the key expires. */
  readonly time: string;
}

const dayMs = 86_400_000;
const restDays = 90;
const warningMs = 7 * dayMs;

/**
 * Returns an id that depends only on type, subject and the time at which the notice is made. So a
 * repeated write creates no second notice, and ids sort by that time (decisions §7).
 */
const noticeId = (type: NoticeType, subject: string, atMs: number): string =>
  makeId(
    'ntc',
    atMs,
    createHash('sha256')
      .update(JSON.stringify([type, subject, atMs]))
      .digest(),
  );

/** A failed attempt, as a notice describes it. */
export type FailedAttempt = Pick<DeliveryRecord, 'type' | 'last_status_code' | 'last_error'>;

export const endpointFailing = (account: string, endpoint: string, { type: event_type, ...last }: FailedAttempt, atMs: number): Notice => {
  const type = 'Webhook Endpoint Failing';
  const time = isoFromMs(atMs);
  return { id: noticeId(type, endpoint, atMs), account, type, endpoint, reason: autoDisableReason, event_type, ...last, time };
};

export const endpointDisabled = (account: string, endpoint: string, atMs: number): Notice => {
  const type = 'Webhook Endpoint Disabled';
  return { id: noticeId(type, endpoint, atMs), account, type, endpoint, reason: autoDisableReason, time: isoFromMs(atMs) };
};

/**
 * Returns the day (`YYYY-MM-DD`) that is 90 days before `day`. If a key was last used on that day
 * or before, it was unused for 90 days.
 */
export const restedSince = (day: string): string => isoFromMs(Date.parse(day) - restDays * dayMs).slice(0, 10);

export const keyUsedAfterRest = ({ account, id }: Pick<ApiKey, 'account' | 'id'>, atMs: number): Notice => {
  const type = 'API Key Used After Rest';
  return { id: noticeId(type, id, atMs), account, type, key: id, reason: 'unused_for_90_days', time: isoFromMs(atMs) };
};

/**
 * Returns the notice that a key expires, with its due time: seven days before the expiry, but not
 * before now. Returns undefined if the key never expires or is revoked.
 */
export const keyExpiring = (
  { account, id, expires_at, revoked_at }: Pick<ApiKey, 'account' | 'id' | 'expires_at' | 'revoked_at'>,
  nowMs: number,
): { readonly notice: Notice; readonly dueMs: number } | undefined => {
  if (expires_at === null || revoked_at !== null) return undefined;
  const type = 'API Key Expiring';
  const dueMs = Math.max(Date.parse(expires_at) - warningMs, nowMs);
  return { notice: { id: noticeId(type, id, dueMs), account, type, key: id, reason: 'expires_in_7_days', time: expires_at }, dueMs };
};
