import type { LogGroupName } from './functions.ts';

/** What a member of a log line has to be; a line counts where all conditions of a metric hold. */
export type Condition =
  | { readonly member: string; readonly is: string | true }
  | { readonly member: string; readonly atLeast: number }
  /** The line has the member, as text. */
  | { readonly member: string; readonly present: true };

/** A metric that CloudWatch Logs makes from the functions' log lines: a metric filter per log group, no code at run time. */
interface MetricSpec {
  readonly description: string;
  /** The log groups whose lines count. */
  readonly logs: readonly LogGroupName[];
  readonly where: readonly Condition[];
  /** The numeric member that is the value; a line counts 1 where there is none. */
  readonly value?: string;
  readonly unit: 'Count' | 'Milliseconds';
  /** One dimension, from a member with few values: each is a metric of its own, and is paid for as one. */
  readonly dimension?: { readonly name: string; readonly member: string; readonly values: readonly string[] };
}

const op = (is: string): Condition => ({ member: 'op', is });
const code = (is: string): Condition => ({ member: 'code', is });
const isTrue = (member: string): Condition => ({ member, is: true });
const present = (member: string): Condition => ({ member, present: true });
const positive = (member: string): Condition => ({ member, atLeast: 1 });
/** Makes the member part of the pattern, as a value has to be; a line where it is no number does not count. */
const numeric = (member: string): Condition => ({ member, atLeast: 0 });
const attempt = [op('deliver'), present('outcome')] as const;

/** Every custom metric of a region, in the namespace of its stack's name. None has data at rest: a metric is paid for in hours that have. */
const metricSpecs = {
  Attempts: {
    description:
      'Webhook attempts; pending is a failure that will be retried, failed the last one, superseded one whose run a redelivery ended, or that another message of it had ended.',
    logs: ['deliver'],
    where: attempt,
    unit: 'Count',
    dimension: { name: 'Outcome', member: 'outcome', values: ['delivered', 'pending', 'failed', 'superseded'] },
  },
  AttemptErrors: {
    description: 'Why attempts failed.',
    logs: ['deliver'],
    where: [...attempt, present('error')],
    unit: 'Count',
    dimension: { name: 'Error', member: 'error', values: ['http_error', 'no_response', 'redirect_not_followed', 'invalid_url'] },
  },
  AttemptLatency: {
    description: 'Request to status line, of attempts that got one.',
    logs: ['deliver'],
    where: [...attempt, numeric('ms')],
    value: 'ms',
    unit: 'Milliseconds',
  },
  LadderDepth: {
    description: 'Failures before an attempt: 0 is the first, 4 the last.',
    logs: ['deliver'],
    where: [...attempt, numeric('attempt')],
    value: 'attempt',
    unit: 'Count',
  },
  FirstAttemptLag: {
    description: 'From a change to the end of its first attempt.',
    logs: ['deliver'],
    where: [...attempt, numeric('lag')],
    value: 'lag',
    unit: 'Milliseconds',
  },
  DeliveriesAbandoned: {
    description: 'Deliveries failed without a request: endpoint disabled or gone, account closed.',
    logs: ['deliver'],
    where: [op('deliver'), positive('abandoned')],
    value: 'abandoned',
    unit: 'Count',
  },
  EndpointsDisabled: {
    description: 'Endpoints disabled after ten failures in a row.',
    logs: ['deliver'],
    where: [op('deliver'), isTrue('disabled')],
    unit: 'Count',
  },
  FanOutLag: {
    description: 'From the oldest change of a batch to its messages being sent.',
    logs: ['fan-out'],
    where: [op('fan-out'), positive('messages'), numeric('lag')],
    value: 'lag',
    unit: 'Milliseconds',
  },
  RecordsParked: {
    description: 'Changes that nobody can read, parked by fan-out.',
    logs: ['fan-out'],
    where: [op('fan-out'), present('parked')],
    unit: 'Count',
  },
  WorkRetried: {
    description: 'Batches and messages that come back, by function; Lambda counts no error for them.',
    logs: ['fan-out', 'deliver', 'search-sync'],
    where: [present('op'), isTrue('retry')],
    unit: 'Count',
    dimension: { name: 'Function', member: 'op', values: ['fan-out', 'deliver', 'search-sync'] },
  },
  DeliveriesRequeued: {
    description: 'Overdue deliveries that the sweep put back on the queue.',
    logs: ['sweep'],
    where: [op('sweep'), positive('requeued')],
    value: 'requeued',
    unit: 'Count',
  },
  RateLimitHits: {
    description: 'Requests refused with 429.',
    logs: ['api'],
    where: [code('rate_limit_exceeded'), present('rule')],
    unit: 'Count',
    dimension: { name: 'Rule', member: 'rule', values: ['api-read', 'api-write', 'api-public-ip', 'webhook-test'] },
  },
  IdempotencyReplays: {
    description: 'Requests answered with the stored response.',
    logs: ['api'],
    where: [isTrue('replay')],
    unit: 'Count',
  },
  IdempotencyKeysReused: {
    description: 'Idempotency-Keys that came with another body.',
    logs: ['api'],
    where: [code('idempotency_key_reused')],
    unit: 'Count',
  },
  IdempotencyKeysInFlight: {
    description: 'Requests refused while the first with their key was being worked on.',
    logs: ['api'],
    where: [code('request_in_flight')],
    unit: 'Count',
  },
  KeysRefused: {
    description: 'Requests without a valid API key.',
    logs: ['api'],
    where: [code('invalid_api_key')],
    unit: 'Count',
  },
  OrderLimitRefusals: {
    description: "Orders and checkouts refused at the plan's limit.",
    logs: ['api'],
    where: [code('limit_reached')],
    unit: 'Count',
  },
  ApiInternalErrors: {
    description: 'API requests answered with 500.',
    logs: ['api'],
    where: [code('internal_error')],
    unit: 'Count',
  },
  ActionInternalErrors: {
    description: 'Dashboard actions answered with 500.',
    logs: ['actions'],
    where: [op('action'), code('internal_error')],
    unit: 'Count',
  },
  CheckoutPageInternalErrors: {
    description: 'Requests to the checkout page answered with 500.',
    logs: ['checkout-page'],
    where: [code('internal_error')],
    unit: 'Count',
  },
  CheckoutsSettled: {
    description: 'Checkouts that became orders.',
    logs: ['checkout-page'],
    where: [op('settle'), isTrue('settled')],
    unit: 'Count',
  },
  CheckoutsPaidTwice: {
    description: 'Second payments for a session that is paid.',
    logs: ['checkout-page'],
    where: [op('settle'), isTrue('paid_twice')],
    unit: 'Count',
  },
  GatewayFeesUnbooked: {
    description: 'Fees of checkouts that were kept aside.',
    logs: ['checkout-page'],
    where: [op('settle'), isTrue('fee_unbooked')],
    unit: 'Count',
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof metricSpecs;
export const metricNames = Object.keys(metricSpecs) as MetricName[];
/** The spec under its general type, so that optional members read uniformly. */
export const metricSpecOf = (name: MetricName): MetricSpec => metricSpecs[name];
