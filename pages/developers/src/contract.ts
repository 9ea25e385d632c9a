import type { ApiKey as StoredKey } from '../../../shared/domain/account/record.ts';
import type * as wire from '../../../shared/domain/webhook/fields.ts';
import type { AttemptResponse, DeliveryAttempt } from '../../../shared/domain/webhook/record.ts';

/** An API key without its value. Times are ISO 8601. */
export type ApiKey = Omit<StoredKey, 'account' | 'hash' | 'chosen_end'> & {
  /** UTC day; null if the key was never used. */
  readonly last_used_on: string | null;
};
export type Endpoint = wire.WebhookEndpoint;
/** One event for one endpoint, as listed in the log. */
export type Delivery = wire.Delivery & {
  /** The record that the event describes; null if the service does not know it. */
  readonly record_id: string | null;
  /** Status of the receiver's last response, also if the endpoint was disabled after it; null without one. */
  readonly last_response_code: number | null;
};

/** A request that reached the API. */
export interface ApiRequest {
  readonly time: string;
  /** Null if no route has the address. */
  readonly method: string | null;
  readonly route: string | null;
  readonly status: number;
  /** The `code` of the error's envelope; null if it succeeded. */
  readonly error_code: string | null;
  /** The field that the error names; null without one. */
  readonly field: string | null;
  readonly duration_ms: number;
  readonly key_id: string | null;
  /** Null if the key was deleted. */
  readonly key_name: string | null;
  /** The response's `X-Request-Id`. */
  readonly request_id: string;
}

interface Pagination {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Results of the actions that only read. */
interface ReadResults {
  /** A page, oldest first; the cursor is null on the last one. */
  readonly 'key.list': { readonly data: readonly ApiKey[]; readonly next_cursor: string | null };
  readonly 'webhook.list': { readonly data: readonly Endpoint[] };
  readonly 'delivery.list': {
    readonly data: readonly Delivery[];
    readonly pagination: Pagination;
  };
  readonly 'request.list': {
    readonly data: readonly ApiRequest[];
    readonly pagination: Pagination;
    /** End of the time that was searched. */
    readonly searched_until: string;
  };
  readonly 'delivery.get': wire.Delivery & {
    /** Every attempt of the last five runs, oldest first. A redelivery starts a run. */
    readonly attempt_log: readonly DeliveryAttempt[];
    /** Response of the last failed attempt, as far as it is stored. */
    readonly last_response: AttemptResponse | null;
    /** The body of the requests, byte for byte; null if it is no longer stored. */
    readonly body: string | null;
  };
}

/** Results of the actions that change something. Each call has a token. */
interface ChangeResults {
  /** The value is shown only once. */
  readonly 'key.create': ApiKey & { readonly key: string };
  /** The same, with the end of the old key. */
  readonly 'key.replace': ApiKey & { readonly key: string; readonly replaced: Pick<ApiKey, 'id' | 'expires_at'> };
  readonly 'key.revoke': ApiKey;
  readonly 'key.update': ApiKey;
  readonly 'webhook.create': wire.WebhookEndpointWithSecret;
  readonly 'webhook.update': Endpoint;
  readonly 'webhook.delete': wire.DeletedWebhookEndpoint;
  readonly 'webhook.test': wire.WebhookTestResult;
  readonly 'webhook.rotate_secret': wire.RotatedSecret;
  readonly 'webhook.enable': Endpoint;
  readonly 'webhook.disable': Endpoint;
  readonly 'webhook.redeliver': { readonly run: number };
  /** A page of redelivered failures; the cursor is null at the end. */
  readonly 'webhook.redeliver_failed': {
    readonly redelivered: number;
    /** Failures after this page, of those that were counted. */
    readonly left: number;
    /** There may be more than were counted. */
    readonly left_or_more: boolean;
    readonly next_cursor: string | null;
  };
}

/** Result types by action. test/developers-page compares them with the actions' real results. */
export interface PageResults extends ReadResults, ChangeResults {}

const names: Readonly<Record<keyof PageResults, true>> = {
  'key.list': true,
  'webhook.list': true,
  'delivery.list': true,
  'delivery.get': true,
  'request.list': true,
  'key.create': true,
  'key.replace': true,
  'key.revoke': true,
  'key.update': true,
  'webhook.create': true,
  'webhook.update': true,
  'webhook.delete': true,
  'webhook.test': true,
  'webhook.rotate_secret': true,
  'webhook.enable': true,
  'webhook.disable': true,
  'webhook.redeliver': true,
  'webhook.redeliver_failed': true,
};

/** All dashboard actions that the page calls. A host must allow these and no others. */
export const pageActions = Object.keys(names) as readonly PageAction[];
export type PageAction = keyof PageResults;

type Input = Readonly<Record<string, unknown>>;

/**
 * Runs a dashboard action on the account and resolves with its result. Rejects with an `Error` with
 * a message that the merchant can read; the page understands `code` and `field` of the standard
 * envelope. An error without `code` means that the service did not answer. Pass `token` on
 * unchanged: a change that is repeated because its response was lost has the same token.
 */
export type Invoke = (action: PageAction, input: Input, token?: string) => Promise<unknown>;

export type Read = <Action extends keyof ReadResults>(action: Action, input: Input) => Promise<PageResults[Action]>;
export type Change = <Action extends keyof ChangeResults>(action: Action, input: Input) => Promise<PageResults[Action]>;
