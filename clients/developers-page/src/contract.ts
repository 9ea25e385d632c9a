import type { EventType } from '../../../shared/domain/event/types.ts';
import type { DeliveryAttempt, DeliveryStatus } from '../../../shared/domain/webhook/record.ts';

/** What only shows. */
const reads = ['key.list', 'webhook.list', 'delivery.list', 'delivery.get'] as const;
export type PageRead = (typeof reads)[number];

/** What changes something: each is asked for with a token. */
const changes = [
  'key.create',
  'key.revoke',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.test',
  'webhook.rotate_secret',
  'webhook.enable',
  'webhook.disable',
  'webhook.redeliver',
  'webhook.redeliver_failed',
] as const;
export type PageChange = (typeof changes)[number];

/** Every dashboard action the page may ask for: what a host has to let through, and all that it should. */
export const pageActions = [...reads, ...changes] as const;
export type PageAction = (typeof pageActions)[number];

type Input = Readonly<Record<string, unknown>>;

/**
 * Runs one dashboard action on the account that is shown and resolves with its result. Rejects with an `Error` whose message is fit to be
 * read by the merchant; `code` and `field` of the standard envelope, where it has them, are understood. `token` goes into the call as it
 * is: a change that is asked for again, because its answer was lost, comes with the token of before.
 */
export type Invoke = (action: PageAction, input: Input, token?: string) => Promise<unknown>;

export type Read = (action: PageRead, input: Input) => Promise<unknown>;
export type Change = (action: PageChange, input: Input) => Promise<unknown>;

/** An API key without its value. Times are ISO 8601. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly type: 'secret' | 'publishable';
  /** Null where the key holds single scopes. */
  readonly group: string | null;
  readonly scopes: readonly string[];
  readonly prefix: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
}

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly enabled: boolean;
  readonly disabled_reason?: string | null;
  readonly delivery_stats: {
    readonly success_count: number;
    readonly failure_count: number;
    readonly consecutive_failures: number;
    readonly last_delivery_at: string | null;
    readonly last_success_at: string | null;
    readonly last_failure_at: string | null;
  };
  readonly created_at: string;
}

export interface TestResult {
  readonly success: boolean;
  readonly status_code: number | null;
  readonly response_time_ms: number | null;
  readonly error: string | null;
}

export interface Rotation {
  readonly secret: string;
  readonly previous_secret_expires_at: string;
}

/** One event for one endpoint, as the log shows it. */
export interface Delivery {
  /** The event's. */
  readonly id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  /** Failures so far in this run. */
  readonly attempts: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  readonly next_retry_at: string | null;
  readonly last_attempt_at: string | null;
  readonly delivered_at: string | null;
  readonly failed_at: string | null;
  readonly created_at: string;
}

export interface DeliveryDetail extends Delivery {
  /** Every attempt of the last five runs, oldest first: a redelivery begins a run. */
  readonly attempt_log: readonly DeliveryAttempt[];
  /** What is sent, byte for byte; null where it is no longer kept. */
  readonly body: string | null;
}

/** What came of asking for a page of failed deliveries again. */
export interface Redelivered {
  readonly redelivered: number;
  /** Null at the end. */
  readonly next_cursor: string | null;
}
