import type { EventType } from '../event/types.ts';

/** An endpoint an account registered, with its secrets and counters. */
export interface Endpoint {
  readonly id: string;
  readonly account: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  /**
   * A copy of the account's state, written whenever that changes, so that a delivery need not read
   * the account.
   */
  readonly account_closed: boolean;
  readonly secret: string;
  readonly previous_secret: string | null;
  /** End of the rotation grace window in ms; expired at that moment. */
  readonly previous_secret_until_ms: number | null;
  readonly success_count: number;
  readonly failure_count: number;
  readonly consecutive_failures: number;
  readonly last_delivery_at: string | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  /**
   * Set when it is enabled again; 0 before. Changes made before this moment, or from `disabled_ms`
   * on while disabled, are not delivered here.
   */
  readonly enabled_ms: number;
  readonly disabled_ms: number | null;
  /** Leases of the attempts in flight; one per slot. */
  readonly slots: readonly (SlotLease | null)[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** When a slot's lease ends, in milliseconds, and its unique token. */
export type SlotLease = readonly [untilMs: number, token: string];

export const endpointsPerAccount = 10;
export const autoDisableReason = 'consecutive_failures';
export const slotsPerEndpoint = 5;
/** Attempts stop at this many failures in a row, across all events (§ Delivery semantics 5). */
export const autoDisableAfter = 10;
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

/** A receiver's response beside its status, as far as it is stored. */
export interface Answer {
  /** As its header says; null without one. */
  readonly contentType: string | null;
  /** Beginning of the body, undecoded. */
  readonly body: Uint8Array;
}

/** The response of one attempt, as people read it. */
export interface AttemptAnswer {
  /** Run and attempt of the response, as in `DeliveryAttempt`. */
  readonly run: number;
  readonly attempt: number;
  readonly content_type: string | null;
  /** As UTF-8, up to the last complete character; invalid bytes are U+FFFD. */
  readonly body: string;
}

/** One attempt of a delivery, as it ended. */
export interface DeliveryAttempt {
  /** From 1, one more with each redelivery. */
  readonly run: number;
  /** From 1 in each run. */
  readonly attempt: number;
  readonly at: string;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** The record of an event that was not sent yet. */
export const pendingDelivery = (of: Pick<DeliveryRecord, 'id' | 'account' | 'endpoint' | 'type'>, changedMs: number): DeliveryRecord => ({
  ...of,
  status: 'pending',
  attempts: 0,
  run: 1,
  last_status_code: null,
  last_error: null,
  next_retry_at: null,
  last_attempt_at: null,
  delivered_at: null,
  failed_at: null,
  created_at: new Date(changedMs).toISOString(),
});

/** Whether attempts are made: a closed account emits nothing, whatever its endpoints say. */
export const takesDeliveries = ({ enabled, account_closed }: Endpoint): boolean => enabled && !account_closed;

/** The most by which the clocks of two functions differ. */
const clockToleranceMs = 1_000;

/**
 * When a change was made, by its writer's clock, and when it was committed, by the stream's, which
 * may round down.
 */
interface Moment {
  readonly changedMs: number;
  readonly committedMs: number;
}

/**
 * Whether a change is for this endpoint. A new endpoint receives every change that commits after
 * its registration, also if the clock of the function that registered it is ahead (decisions §6).
 */
export const subscribes = (endpoint: Endpoint, type: EventType, { changedMs, committedMs }: Moment): boolean =>
  !endpoint.account_closed &&
  endpoint.events.includes(type) &&
  Math.max(changedMs, committedMs) >= Date.parse(endpoint.created_at) - clockToleranceMs &&
  changedMs >= endpoint.enabled_ms &&
  (endpoint.enabled || (endpoint.disabled_ms !== null && changedMs < endpoint.disabled_ms));

/**
 * Whether an endpoint that does not receive a change may have received it when the change was read
 * before: only if the endpoint was changed since.
 */
export const mayHaveSubscribed = ({ account_closed, updated_at }: Endpoint, { changedMs }: Moment): boolean =>
  account_closed || Date.parse(updated_at) >= changedMs - clockToleranceMs;

/** The old secret while its grace window lasts. */
export const previousSecret = (endpoint: Endpoint, nowMs: number): string | undefined =>
  endpoint.previous_secret !== null && endpoint.previous_secret_until_ms !== null && nowMs < endpoint.previous_secret_until_ms
    ? endpoint.previous_secret
    : undefined;

/** Attempts that may start now: never so many that a run of failures could pass the limit. */
const freeSlots = (endpoint: Endpoint, nowMs: number): number[] => {
  const isBusy = (lease: SlotLease | null): boolean => lease !== null && lease[0] > nowMs;
  const busy = endpoint.slots.filter(isBusy).length;
  const room = Math.min(slotsPerEndpoint, Math.max(1, autoDisableAfter - endpoint.consecutive_failures)) - busy;
  const free = endpoint.slots.flatMap((lease, slot) => (isBusy(lease) ? [] : [slot]));
  return room > 0 ? free.slice(0, room) : [];
};

/**
 * Slots to lease, and what the endpoint has to be like for that; more of them than failures are
 * left are never leased.
 */
export interface SlotClaim {
  readonly slots: readonly number[];
  /** With more failures in a row than this the claim does not hold. */
  readonly mostFailures: number;
  /** Slots beside its own that have to be free. */
  readonly idle: readonly number[];
}

/** With so few failures in a row, all slots are free to use. */
const roomForAll = autoDisableAfter - slotsPerEndpoint;

/**
 * A claim on an endpoint that was not read: as good as any where none of its slots is held, and
 * better the fewer it asks for. `chance`, from 0 to below 1, says where its slots begin.
 */
export const unseenClaim = (wanted: number, chance: number): SlotClaim => {
  const start = Math.floor(chance * slotsPerEndpoint);
  const slots = Array.from({ length: Math.min(wanted, slotsPerEndpoint) }, (_, i) => (start + i) % slotsPerEndpoint);
  return { slots, mostFailures: roomForAll, idle: [] };
};

/** Returns a claim on an endpoint as it was read; undefined if no slot is free. */
export const claimOf = (endpoint: Endpoint, nowMs: number, wanted: number): SlotClaim | undefined => {
  const slots = freeSlots(endpoint, nowMs).slice(0, wanted);
  if (slots.length === 0) return undefined;
  if (endpoint.consecutive_failures <= roomForAll) return { slots, mostFailures: roomForAll, idle: [] };
  const isBusy = (slot: number): boolean => (endpoint.slots[slot]?.[0] ?? 0) > nowMs;
  const others = Array.from({ length: slotsPerEndpoint }, (_, slot) => slot).filter((slot) => !slots.includes(slot));
  const idle = others.filter((slot) => !isBusy(slot));
  const held = slots.length + others.length - idle.length;
  return { slots, mostFailures: Math.max(endpoint.consecutive_failures, autoDisableAfter - held), idle };
};
