import { clockToleranceMs, isoFromMs } from '../../core/time.ts';
import type { EventType } from '../event/types.ts';

/** A webhook endpoint with its secrets and counters. */
export interface Endpoint {
  readonly id: string;
  readonly account: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  /**
   * Copy of the account's state, so that a delivery need not read the account. Every change of that
   * state writes it.
   */
  readonly account_closed: boolean;
  readonly secret: string;
  readonly previous_secret: string | null;
  /** End of the grace period after a rotation, in milliseconds. */
  readonly previous_secret_until_ms: number | null;
  readonly success_count: number;
  readonly failure_count: number;
  readonly consecutive_failures: number;
  readonly last_delivery_at: string | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  /**
   * When the endpoint was last enabled again, in milliseconds; 0 if never. It does not receive
   * changes from before this time, nor those from `disabled_ms` on while it is disabled.
   */
  readonly enabled_ms: number;
  readonly disabled_ms: number | null;
  /** Leases of running attempts, one per slot. */
  readonly slots: readonly (SlotLease | null)[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** When a slot's lease ends, in milliseconds, and its unique token. */
export type SlotLease = readonly [untilMs: number, token: string];

export const endpointsPerAccount = 10;
export const autoDisableReason = 'consecutive_failures';
export const slotsPerEndpoint = 5;
/**
 * Number of failures in a row, across all events, that disables an endpoint (§ Delivery semantics
 * 5).
 */
export const autoDisableAfter = 10;
/** Number of failures in a row after which the platform gets a notice (decisions §7). */
export const warnAfter = 5;
export const secretGraceMs = 24 * 3_600_000;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event for one endpoint (§ Delivery attempt record). */
export interface DeliveryRecord {
  /** The event id. */
  readonly id: string;
  readonly account: string;
  readonly endpoint: string;
  readonly type: string;
  /** The record that the event describes; null if the stored record has the body instead. */
  readonly record_id: string | null;
  readonly status: DeliveryStatus;
  /** Failures so far in this run. */
  readonly attempts: number;
  /** Rises with each redelivery; messages of earlier runs are stale. */
  readonly run: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  readonly next_retry_at: string | null;
  readonly last_attempt_at: string | null;
  readonly delivered_at: string | null;
  readonly failed_at: string | null;
  readonly created_at: string;
}

/** The stored part of a receiver's response, in addition to its status. */
export interface ReceiverResponse {
  /** Value of the header; null without it. */
  readonly contentType: string | null;
  /** Beginning of the body in UTF-8, decoded as its headers say, or a sentence if it cannot be. */
  readonly body: Uint8Array;
}

/** The response of an attempt, for people. */
export interface AttemptResponse {
  /** Run and attempt of the response, as in `DeliveryAttempt`. */
  readonly run: number;
  readonly attempt: number;
  readonly content_type: string | null;
  /**
   * Beginning of the body as UTF-8, up to the last complete character. Invalid bytes become U+FFFD.
   */
  readonly body: string;
}

/** An attempt that has ended. */
export interface DeliveryAttempt {
  /** Number of the run, from 1. Each redelivery starts another run. */
  readonly run: number;
  /** Number of the attempt in its run, from 1. */
  readonly attempt: number;
  readonly at: string;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Returns the delivery record of an event that was not sent yet. */
export const pendingDelivery = (
  ids: Pick<DeliveryRecord, 'id' | 'account' | 'endpoint' | 'type'> & Partial<Pick<DeliveryRecord, 'record_id'>>,
  changedMs: number,
): DeliveryRecord => ({
  record_id: null,
  ...ids,
  status: 'pending',
  attempts: 0,
  run: 1,
  last_status_code: null,
  last_error: null,
  next_retry_at: null,
  last_attempt_at: null,
  delivered_at: null,
  failed_at: null,
  created_at: isoFromMs(changedMs),
});

/** Whether attempts are made. An endpoint of a closed account gets none, even if it is enabled. */
export const takesDeliveries = ({ enabled, account_closed }: Endpoint): boolean => enabled && !account_closed;

/**
 * The longest time from the moment that a write names to its commit, by two clocks: the longest
 * time-out of a function, the difference of clocks, and the stream's rounding to seconds.
 */
export const longestCommitMs = 122_000;

/**
 * When a change was made, by the writer's clock, and when it was committed, by the stream's clock,
 * which may round down.
 */
export interface Moment {
  readonly changedMs: number;
  readonly committedMs: number;
}

/** The most that the stream rounds the time of a commit down, because it has no milliseconds. */
const roundedMs = 999;

/**
 * Whether a change is for this endpoint. A new endpoint receives every change that commits after
 * its registration, even if the clock of the function that registered it is ahead (decisions §6).
 */
export const subscribes = (endpoint: Endpoint, type: EventType, { changedMs, committedMs }: Moment): boolean =>
  !endpoint.account_closed &&
  endpoint.events.includes(type) &&
  Math.max(changedMs, committedMs + roundedMs) >= Date.parse(endpoint.created_at) - clockToleranceMs &&
  changedMs >= endpoint.enabled_ms &&
  (endpoint.enabled || (endpoint.disabled_ms !== null && changedMs < endpoint.disabled_ms));

/**
 * Whether an endpoint that does not receive a change may have received it when the change was read
 * before: only if a change of the endpoint was committed since.
 */
export const mayHaveSubscribed = ({ account_closed, updated_at }: Endpoint, { changedMs, committedMs }: Moment): boolean =>
  account_closed || Date.parse(updated_at) >= Math.min(changedMs, committedMs) - longestCommitMs;

/** Returns the old secret during its grace period. */
export const previousSecret = (endpoint: Endpoint, nowMs: number): string | undefined =>
  endpoint.previous_secret !== null && endpoint.previous_secret_until_ms !== null && nowMs < endpoint.previous_secret_until_ms
    ? endpoint.previous_secret
    : undefined;

/**
 * Returns the slots that may be leased now. Their number never exceeds the failures that are left
 * until the endpoint is disabled.
 */
const freeSlots = (endpoint: Endpoint, nowMs: number): number[] => {
  const isBusy = (lease: SlotLease | null): boolean => lease !== null && lease[0] > nowMs;
  const busy = endpoint.slots.filter(isBusy).length;
  const leasable = Math.min(slotsPerEndpoint, Math.max(1, autoDisableAfter - endpoint.consecutive_failures)) - busy;
  const free = endpoint.slots.flatMap((lease, slot) => (isBusy(lease) ? [] : [slot]));
  return leasable > 0 ? free.slice(0, leasable) : [];
};

/**
 * Slots to lease, and the condition that the endpoint must meet. It ensures that no more slots are
 * leased than failures are left.
 */
export interface SlotClaim {
  readonly slots: readonly number[];
  /** With more failures in a row than this, the claim fails. */
  readonly maxFailures: number;
  /** Other slots that must be free. */
  readonly idle: readonly number[];
}

/** Up to this number of failures in a row, all slots may be leased. */
const maxFailuresForAllSlots = autoDisableAfter - slotsPerEndpoint;

/**
 * Returns a claim on an endpoint that was not read. It succeeds if its slots are free, so it
 * succeeds more often if it asks for fewer. `chance`, from 0 to below 1, selects the first slot.
 */
export const guessedClaim = (requested: number, chance: number): SlotClaim => {
  const start = Math.floor(chance * slotsPerEndpoint);
  const slots = Array.from({ length: Math.min(requested, slotsPerEndpoint) }, (_, i) => (start + i) % slotsPerEndpoint);
  return { slots, maxFailures: maxFailuresForAllSlots, idle: [] };
};

/** Returns a claim on an endpoint that was read; undefined if no slot is free. */
export const freeSlotsClaim = (endpoint: Endpoint, nowMs: number, requested: number): SlotClaim | undefined => {
  const slots = freeSlots(endpoint, nowMs).slice(0, requested);
  if (slots.length === 0) return undefined;
  if (endpoint.consecutive_failures <= maxFailuresForAllSlots) return { slots, maxFailures: maxFailuresForAllSlots, idle: [] };
  const isBusy = (slot: number): boolean => (endpoint.slots[slot]?.[0] ?? 0) > nowMs;
  const others = Array.from({ length: slotsPerEndpoint }, (_, slot) => slot).filter((slot) => !slots.includes(slot));
  const idle = others.filter((slot) => !isBusy(slot));
  const leased = slots.length + others.length - idle.length;
  return { slots, maxFailures: Math.max(endpoint.consecutive_failures, autoDisableAfter - leased), idle };
};
