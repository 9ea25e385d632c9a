import { type GroupName, groupNames } from '../functions/groups.ts';
import { type FunctionName, functionNames } from './functions.ts';

/**
 * Names of log groups. All functions of the API, `fallback` included, share `api`. Every other
 * function has a group with its own name.
 */
export type LogGroupName = 'api' | Exclude<FunctionName, GroupName | 'fallback'>;

const apiFunctions: readonly FunctionName[] = [...groupNames, 'fallback'];

/**
 * Returns the log group of a function. The API's functions write the same lines and share a group,
 * so one metric filter replaces eight. `op` identifies the function of a line. For Lambda's own
 * lines, `@logStream` does: in a shared group it contains the function's name.
 */
export const logGroupOf = (name: FunctionName): LogGroupName => (apiFunctions.includes(name) ? 'api' : (name as LogGroupName));

export const logGroupNames: readonly LogGroupName[] = [...new Set(functionNames.map(logGroupOf))];

/** Condition on a field of a log line: equal to a text, true, at least a number, or any text. */
export type FieldCondition = string | true | { readonly atLeast: number } | { readonly present: true };

/** A metric that CloudWatch Logs makes from log lines, with a metric filter per log group. */
interface MetricSpec {
  readonly description: string;
  /** The log groups of the metric. */
  readonly logs: readonly LogGroupName[];
  /** A line counts if all of these fields match. */
  readonly where: Readonly<Record<string, FieldCondition>>;
  /** Numeric field that is the metric's value. If absent, each line counts 1. */
  readonly value?: string;
  /** Unit of the metric; a count if absent. */
  readonly unit?: 'Milliseconds';
  /** A dimension, from a field with few values. AWS bills each value as a metric. */
  readonly dimension?: { readonly name: string; readonly field: string; readonly values: readonly string[] };
}

const present = { present: true } as const;
const positive = { atLeast: 1 } as const;
/**
 * Adds a numeric field to the pattern, which must contain the metric's value. A line without the
 * number does not count.
 */
const numeric = { atLeast: 0 } as const;
const attempt = { op: 'deliver', outcome: present } as const;

/**
 * Every custom metric of a region. Its namespace is the stack's name. Without requests no metric
 * has data, because AWS bills a metric in each hour with data.
 */
const metricSpecs = {
  Attempts: {
    description:
      'Webhook attempts. pending: a failure that will be retried; failed: the last failure; superseded: a redelivery or another message ended the run meanwhile.',
    logs: ['deliver'],
    where: attempt,
    dimension: { name: 'Outcome', field: 'outcome', values: ['delivered', 'pending', 'failed', 'superseded'] },
  },
  AttemptErrors: {
    description: 'Reasons of failed attempts.',
    logs: ['deliver'],
    where: { ...attempt, error: present },
    dimension: { name: 'Error', field: 'error', values: ['http_error', 'no_response', 'redirect_not_followed', 'invalid_url'] },
  },
  AttemptLatency: {
    description: 'From request to status line, for attempts that got one.',
    logs: ['deliver'],
    where: { ...attempt, ms: numeric },
    value: 'ms',
    unit: 'Milliseconds',
  },
  LadderDepth: {
    description: 'Failures before an attempt: 0 for the first attempt, 4 for the last.',
    logs: ['deliver'],
    where: { ...attempt, attempt: numeric },
    value: 'attempt',
  },
  FirstAttemptLag: {
    description: 'From a change to the end of its first attempt.',
    logs: ['deliver'],
    where: { ...attempt, lag: numeric },
    value: 'lag',
    unit: 'Milliseconds',
  },
  DeliveriesAbandoned: {
    description: 'Deliveries failed without a request: endpoint disabled or gone, account closed.',
    logs: ['deliver'],
    where: { op: 'deliver', abandoned: positive },
    value: 'abandoned',
  },
  EndpointsDisabled: {
    description: 'Endpoints disabled after ten failures in a row.',
    logs: ['deliver'],
    where: { op: 'deliver', disabled: true },
  },
  FanOutLag: {
    description: 'From the oldest change of a batch to its messages being sent.',
    logs: ['fan-out'],
    where: { op: 'fan-out', messages: positive, lag: numeric },
    value: 'lag',
    unit: 'Milliseconds',
  },
  RecordsParked: {
    description: 'Changes that fan-out could not read and parked.',
    logs: ['fan-out'],
    where: { op: 'fan-out', parked: present },
  },
  WorkRetried: {
    description: 'Batches and messages that are retried, by function; Lambda counts no error for them.',
    logs: ['fan-out', 'deliver', 'search-sync'],
    where: { op: present, retry: true },
    dimension: { name: 'Function', field: 'op', values: ['fan-out', 'deliver', 'search-sync'] },
  },
  DeliveriesRequeued: {
    description: 'Overdue deliveries that the sweep put back on the queue.',
    logs: ['sweep'],
    where: { op: 'sweep', requeued: positive },
    value: 'requeued',
  },
  Unreachable: {
    description: "Sweeps for which the region's public address did not lead to the region.",
    logs: ['sweep'],
    where: { op: 'sweep', unreachable: present },
  },
  ChecksPassed: {
    // A check parks last, so the line says that all links before it work.
    description: 'Runs of `ops check` in which every link works.',
    logs: ['actions'],
    where: { op: 'action', action: 'stream.check_parking', ok: true },
  },
  RateLimitHits: {
    description: 'Requests rejected with 429.',
    logs: ['api'],
    where: { code: 'rate_limit_exceeded', rule: present },
    dimension: { name: 'Rule', field: 'rule', values: ['api-read', 'api-write', 'api-public-ip', 'webhook-test'] },
  },
  IdempotencyReplays: {
    description: 'Requests that got the stored response.',
    logs: ['api'],
    where: { replay: true },
  },
  IdempotencyKeysReused: {
    description: 'Idempotency-Keys sent with a different body.',
    logs: ['api'],
    where: { code: 'idempotency_key_reused' },
  },
  IdempotencyKeysInFlight: {
    description: 'Requests rejected while the first request with their key was running.',
    logs: ['api'],
    where: { code: 'request_in_flight' },
  },
  KeysRefused: {
    description: 'Requests without a valid API key.',
    logs: ['api'],
    where: { code: 'invalid_api_key' },
  },
  OrderLimitRefusals: {
    description: "Orders and checkouts rejected at the plan's limit.",
    logs: ['api'],
    where: { code: 'limit_reached' },
  },
  ApiInternalErrors: {
    description: 'API requests that failed with a 500 that the specification does not name.',
    logs: ['api'],
    where: { code: 'internal_error', 'error.name': present },
  },
  ServerErrorsLogged: {
    description: 'Requests to which a function of the API or the checkout page responded with a 5xx, specified or not.',
    logs: ['api', 'checkout-page'],
    where: { status: { atLeast: 500 } },
  },
  ActionInternalErrors: {
    description: 'Dashboard actions that failed with 500.',
    logs: ['actions'],
    where: { op: 'action', code: 'internal_error' },
  },
  CheckoutPageInternalErrors: {
    description: 'Requests to the checkout page that failed with 500, and reads of secrets that failed there.',
    logs: ['checkout-page'],
    where: { code: 'internal_error' },
  },
  SecretsUnreadable: {
    description: 'Secrets that Parameter Store did not return, for a reason that no merchant caused.',
    logs: ['api', 'checkout-page', 'actions', 'search-sync'],
    where: { op: 'secrets', unreadable: present },
  },
  CheckoutsSettled: {
    description: 'Checkouts that became orders.',
    logs: ['checkout-page'],
    where: { op: 'settle', settled: true },
  },
  CheckoutPaymentsWithoutOrder: {
    description: 'Payments of checkouts that have no order.',
    logs: ['checkout-page', 'actions'],
    where: { op: 'settle', without_order: true },
  },
  GatewayFeesUnbooked: {
    description: 'Fees of checkouts that wait to be booked.',
    logs: ['checkout-page'],
    where: { op: 'settle', fee_unbooked: true },
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof metricSpecs;
export const metricNames = Object.keys(metricSpecs) as MetricName[];
/** Returns a metric's spec with the general type, so that optional fields can be read. */
export const metricSpecOf = (name: MetricName): MetricSpec => metricSpecs[name];
