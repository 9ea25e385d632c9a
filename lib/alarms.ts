/** What an alarm watches for; the runbook has a section per id. Values are judged per period of five minutes. */
export interface AlarmSpec {
  readonly description: string;
  readonly threshold: number;
  /** `below` also fires where there is no data at all; `reaches` takes silence for health. */
  readonly when: 'reaches' | 'below';
  /** Consecutive periods; 1 unless a single one can pass by itself. */
  readonly periods: number;
}

/** Alarms of a region by id; each is named `<stack>-<id>`. */
export const alarmSpecs = {
  'delivery-dead-letters': {
    description: 'A queue message failed five times and was set aside.',
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'search-dead-letters': {
    description: 'A changed product did not reach its search engine in five tries.',
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'sweep-dead-letters': { description: 'A sweep was not run or did not finish.', threshold: 1, when: 'reaches', periods: 1 },
  'records-parked': {
    description: 'A change could not be turned into events and is parked whole.',
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'fan-out-iterator-age': {
    description: 'Changes wait over 5 minutes (ms) to become events.',
    threshold: 300_000,
    when: 'reaches',
    periods: 2,
  },
  'fan-out-missing': {
    description: 'Nothing, not even a heartbeat, has come through the change stream for 15 minutes: changes may not become events.',
    threshold: 1,
    when: 'below',
    periods: 3,
  },
  'delivery-queue-age': {
    // Above the 5 minutes of the retry schedule's first delay plus the 6 of a visibility timeout.
    description: 'A delivery waits over 15 minutes (s) in the queue.',
    threshold: 900,
    when: 'reaches',
    periods: 2,
  },
  'search-queue-age': {
    // Above the 6 minutes of a visibility timeout: one try that failed does not fire it.
    description: 'A changed product waits over 15 minutes (s) for its search engine.',
    threshold: 900,
    when: 'reaches',
    periods: 2,
  },
  'schedules-failing': { description: 'EventBridge Scheduler cannot reach its target.', threshold: 1, when: 'reaches', periods: 2 },
  'sweep-missing': { description: 'No sweep has run for 15 minutes.', threshold: 1, when: 'below', periods: 3 },
  'checkout-page-internal-errors': {
    description: 'The checkout page or a payment notice was answered with 500, maybe between a charge and its order.',
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'checkout-paid-twice': { description: 'A shopper paid for a session that is paid already.', threshold: 1, when: 'reaches', periods: 1 },
  'gateway-fees-unbooked': {
    description: "A checkout's fee could not be booked on its day and waits for an operator; its order is made.",
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'actions-internal-errors': { description: 'A dashboard action was answered with 500.', threshold: 1, when: 'reaches', periods: 1 },
  'api-5xx': { description: 'Five or more requests ended with a server error.', threshold: 5, when: 'reaches', periods: 1 },
  'function-errors': {
    description: 'A function of the AWS account in this region crashed, timed out or did not start.',
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'function-throttles': {
    description: 'The concurrency of the AWS account in this region ran out.',
    threshold: 1,
    when: 'reaches',
    periods: 1,
  },
  'table-read-throttles': { description: 'DynamoDB throttles reads of the data table.', threshold: 1, when: 'reaches', periods: 2 },
  'table-write-throttles': { description: 'DynamoDB throttles writes to the data table.', threshold: 1, when: 'reaches', periods: 2 },
} as const satisfies Record<string, AlarmSpec>;

export type AlarmId = keyof typeof alarmSpecs;
