import type { FunctionName } from './functions.ts';
import { type GroupName, groupNames, groups } from './groups.ts';

/** What a member of a log line has to be; a line counts where all conditions of a metric hold. */
export type Condition =
  | { readonly member: string; readonly is: string | true }
  | { readonly member: string; readonly atLeast: number }
  /** The line has the member, as text. */
  | { readonly member: string; readonly present: true };

/** A metric that CloudWatch Logs makes from the functions' log lines: a metric filter per function, no code at run time. */
export interface MetricSpec {
  readonly description: string;
  readonly functions: readonly FunctionName[];
  readonly where: readonly Condition[];
  /** The numeric member that is the value; a line counts 1 where there is none. */
  readonly value?: string;
  readonly unit: 'Count' | 'Milliseconds';
  /** One dimension, from a member with few values: each is a metric of its own, and is paid for as one. */
  readonly dimension?: { readonly name: string; readonly member: string; readonly values: readonly string[] };
}

const groupsWith = (passes: (route: (typeof groups)[GroupName][number]) => boolean): readonly GroupName[] =>
  groupNames.filter((name) => groups[name].some(passes));

const idempotentGroups = groupsWith((route) => 'idempotent' in route);
const op = (is: string): Condition => ({ member: 'op', is });
const code = (is: string): Condition => ({ member: 'code', is });
const isTrue = (member: string): Condition => ({ member, is: true });
const present = (member: string): Condition => ({ member, present: true });
const positive = (member: string): Condition => ({ member, atLeast: 1 });
/** Makes the member part of the pattern, as a value has to be; a line where it is no number does not count. */
const numeric = (member: string): Condition => ({ member, atLeast: 0 });
const attempt = [op('deliver'), present('outcome')] as const;

/** Every custom metric of a region, in the namespace of its stack's name. */
export const metricSpecs = {
  Attempts: {
    description:
      'Webhook attempts; pending is a failure that will be retried, failed the last one, superseded one whose run a redelivery ended, or whose lease had gone.',
    functions: ['deliver'],
    where: attempt,
    unit: 'Count',
    dimension: { name: 'Outcome', member: 'outcome', values: ['delivered', 'pending', 'failed', 'superseded'] },
  },
  AttemptErrors: {
    description: 'Why attempts failed.',
    functions: ['deliver'],
    where: [...attempt, present('error')],
    unit: 'Count',
    dimension: { name: 'Error', member: 'error', values: ['http_error', 'no_response', 'redirect_not_followed', 'invalid_url'] },
  },
  AttemptLatency: {
    description: 'Request to status line, of attempts that got one.',
    functions: ['deliver'],
    where: [...attempt, numeric('ms')],
    value: 'ms',
    unit: 'Milliseconds',
  },
  LadderDepth: {
    description: 'Failures before an attempt: 0 is the first, 4 the last.',
    functions: ['deliver'],
    where: [...attempt, numeric('attempt')],
    value: 'attempt',
    unit: 'Count',
  },
  FirstAttemptLag: {
    description: 'From a change to the end of its first attempt.',
    functions: ['deliver'],
    where: [...attempt, numeric('lag')],
    value: 'lag',
    unit: 'Milliseconds',
  },
  DeliveriesAbandoned: {
    description: 'Deliveries failed without a request: endpoint disabled or gone, account closed.',
    functions: ['deliver'],
    where: [op('deliver'), positive('abandoned')],
    value: 'abandoned',
    unit: 'Count',
  },
  EndpointsDisabled: {
    description: 'Endpoints disabled after ten failures in a row.',
    functions: ['deliver'],
    where: [op('deliver'), isTrue('disabled')],
    unit: 'Count',
  },
  FanOutLag: {
    description: 'From the oldest change of a batch to its events being written.',
    functions: ['fan-out'],
    where: [op('fan-out'), numeric('lag')],
    value: 'lag',
    unit: 'Milliseconds',
  },
  FanOutMessages: {
    description: 'Messages sent to the delivery and search queues.',
    functions: ['fan-out'],
    where: [op('fan-out'), numeric('messages')],
    value: 'messages',
    unit: 'Count',
  },
  RecordsParked: {
    description: 'Changes that nobody can read, parked by fan-out.',
    functions: ['fan-out'],
    where: [op('fan-out'), present('parked')],
    unit: 'Count',
  },
  WorkRetried: {
    description: 'Batches and messages that come back, by function; Lambda counts no error for them.',
    functions: ['fan-out', 'deliver', 'search-sync'],
    where: [present('op'), isTrue('retry')],
    unit: 'Count',
    dimension: { name: 'Function', member: 'op', values: ['fan-out', 'deliver', 'search-sync'] },
  },
  DeliveriesRequeued: {
    description: 'Overdue deliveries that the sweep put back on the queue.',
    functions: ['sweep'],
    where: [op('sweep'), numeric('requeued')],
    value: 'requeued',
    unit: 'Count',
  },
  RateLimitHits: {
    description: 'Requests refused with 429.',
    functions: groupNames,
    where: [code('rate_limit_exceeded'), present('rule')],
    unit: 'Count',
    dimension: { name: 'Rule', member: 'rule', values: ['api-read', 'api-write', 'api-public-ip', 'webhook-test'] },
  },
  IdempotencyReplays: {
    description: 'Requests answered with the stored response.',
    functions: idempotentGroups,
    where: [isTrue('replay')],
    unit: 'Count',
  },
  IdempotencyKeysReused: {
    description: 'Idempotency-Keys that came with another body.',
    functions: idempotentGroups,
    where: [code('idempotency_key_reused')],
    unit: 'Count',
  },
  IdempotencyKeysInFlight: {
    description: 'Requests refused while the first with their key was being worked on.',
    functions: idempotentGroups,
    where: [code('request_in_flight')],
    unit: 'Count',
  },
  KeysRefused: {
    description: 'Requests without a valid API key.',
    functions: groupNames,
    where: [code('invalid_api_key')],
    unit: 'Count',
  },
  OrderLimitRefusals: {
    description: "Orders and checkouts refused at the plan's limit.",
    functions: ['checkout', 'orders'],
    where: [code('limit_reached')],
    unit: 'Count',
  },
  ApiInternalErrors: {
    description: 'API requests answered with 500.',
    functions: groupNames,
    where: [code('internal_error')],
    unit: 'Count',
  },
  ActionInternalErrors: {
    description: 'Dashboard actions answered with 500.',
    functions: ['actions'],
    where: [op('action'), code('internal_error')],
    unit: 'Count',
  },
  CheckoutPageInternalErrors: {
    description: 'Requests to the checkout page answered with 500.',
    functions: ['checkout-page'],
    where: [code('internal_error')],
    unit: 'Count',
  },
  CheckoutsSettled: {
    description: 'Checkouts that became orders.',
    functions: ['checkout-page'],
    where: [op('settle'), isTrue('settled')],
    unit: 'Count',
  },
  CheckoutsPaidTwice: {
    description: 'Second payments for a session that is paid.',
    functions: ['checkout-page'],
    where: [op('settle'), isTrue('paid_twice')],
    unit: 'Count',
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof metricSpecs;
export const metricNames = Object.keys(metricSpecs) as MetricName[];
/** The spec under its general type, so that optional members read uniformly. */
export const metricSpecOf = (name: MetricName): MetricSpec => metricSpecs[name];
