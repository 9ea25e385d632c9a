/** How soon the engineer on call must act. The runbook defines the values. */
export type Urgency = 'Now' | 'Today' | 'Workday';

/** Keys of the configuration that create an alarm. */
export type AlarmOption = 'outsideChecks';

/** The condition of an alarm, evaluated per period of five minutes. */
interface AlarmSpec {
  readonly urgency: Urgency;
  /** One sentence for the engineer on call. */
  readonly description: string;
  /** Value at which the alarm fires; 1 if absent. */
  readonly threshold?: number;
  /**
   * `below` fires below the threshold and on missing data. If absent, the alarm fires at the
   * threshold and ignores missing data.
   */
  readonly when?: 'below';
  /** Number of periods that are evaluated; 1 if absent. More if the condition often ends without action. */
  readonly periods?: number;
  /** Number of the periods in which the condition must be met; all of them if absent. */
  readonly outOfThem?: number;
  /** Key of the configuration that creates the alarm. If absent, every stack has it. */
  readonly option?: AlarmOption;
  /** Heading of the section in the runbook; the alarm's id if absent. */
  readonly section?: string;
}

const fixedSpecs = {
  'delivery-dead-letters': {
    urgency: 'Today',
    description: 'A delivery message failed for two hours; receivers miss its event until you redrive it.',
  },
  'search-dead-letters': {
    urgency: 'Workday',
    description: 'A changed product did not reach its search engine for two hours.',
  },
  'sweep-dead-letters': { urgency: 'Workday', description: 'A sweep did not start or did not finish.' },
  'records-parked': {
    urgency: 'Today',
    description: 'A change could not be turned into events and is stored in the parking bucket for 30 days.',
  },
  'fan-out-iterator-age': {
    urgency: 'Now',
    description: 'Changes wait over 5 minutes (ms) to become events.',
    threshold: 300_000,
    periods: 2,
  },
  'fan-out-missing': {
    urgency: 'Now',
    description: 'For 15 minutes the change stream delivered nothing, not even a heartbeat: changes may not become events.',
    when: 'below',
    periods: 3,
  },
  'delivery-queue-age': {
    // Longer than the first retry delay (5 minutes) and a visibility timeout (6 minutes) together.
    urgency: 'Today',
    description: 'A delivery waits over 15 minutes (s) in the queue.',
    threshold: 900,
    periods: 2,
  },
  'search-queue-age': {
    // Longer than a visibility timeout (6 minutes), so that one failed try does not fire it.
    urgency: 'Workday',
    description: 'A changed product waits over 15 minutes (s) for its search engine.',
    threshold: 900,
    periods: 2,
  },
  'schedules-failing': {
    urgency: 'Workday',
    description: 'EventBridge Scheduler cannot put due retries on the delivery queue; the sweep does it instead.',
    periods: 2,
  },
  'sweep-missing': { urgency: 'Today', description: 'No sweep has run for 15 minutes.', when: 'below', periods: 3 },
  'api-unreachable': {
    // A lost request in one period does not fire it.
    urgency: 'Now',
    description: 'For ten minutes the public address of the API did not lead to this region.',
    periods: 2,
  },
  'outside-check-missing': {
    urgency: 'Today',
    description: 'No `ops check` from outside has passed for three hours.',
    when: 'below',
    periods: 36,
    option: 'outsideChecks',
  },
  'checkout-page-internal-errors': {
    urgency: 'Now',
    // A secret that Parameter Store does not return counts too, unless the merchant named none.
    description:
      'The checkout page or a payment notice failed with a 500, or could not read the secrets of a shop, which then takes no payments.',
  },
  'checkout-payment-without-order': { urgency: 'Today', description: 'A shopper paid, and the payment has no order.' },
  'gateway-fees-unbooked': {
    urgency: 'Workday',
    description: "A gateway fee could not be added to the day's expense and waits for an operator; the order exists.",
  },
  'actions-internal-errors': { urgency: 'Workday', description: 'A dashboard action failed with a 500.' },
  'api-5xx': {
    // The specified 503 does not count: any caller can cause it.
    urgency: 'Now',
    description: 'Five or more API requests failed with an error that is not specified.',
    threshold: 5,
  },
  'gateway-5xx': {
    // Subtracts what the functions logged, so specified errors do not count. The lines may arrive a
    // period later than the gateway's count, so one period is no proof.
    urgency: 'Now',
    description: 'In two of three periods, five or more requests failed with a server error that no function logged.',
    threshold: 5,
    periods: 3,
    outOfThem: 2,
  },
  'function-errors': {
    // One crash is retried by its caller, queue or stream.
    urgency: 'Now',
    description: 'In two of three periods, a function of the AWS account in this AWS region crashed, timed out or did not start.',
    periods: 3,
    outOfThem: 2,
  },
  'function-throttles': {
    // Fires only at a lasting shortage, because Lambda, queues and the stream retry after a burst.
    // Callers that get a 503 are counted by `gateway-5xx`. A new AWS account may run ten executions,
    // of which background work takes up to nine.
    urgency: 'Now',
    description: 'For 15 minutes the AWS account had too little concurrency in this AWS region.',
    threshold: 10,
    periods: 3,
  },
  // Without the indexes: their reads are another metric, and a region at rest has 1 cent left.
  'table-read-throttles': {
    urgency: 'Today',
    description: 'DynamoDB throttles reads of the data table.',
    periods: 2,
    section: 'table-throttles',
  },
  // A request counts once if the table or an index throttles it, so these cover every index.
  'table-put-throttles': {
    urgency: 'Today',
    description: 'DynamoDB throttles puts of the data table or of an index.',
    periods: 2,
    section: 'table-throttles',
  },
  'table-update-throttles': {
    urgency: 'Today',
    description: 'DynamoDB throttles updates of the data table or of an index.',
    periods: 2,
    section: 'table-throttles',
  },
  'table-transaction-throttles': {
    urgency: 'Today',
    description: 'DynamoDB throttles transactions of the data table or of an index.',
    periods: 2,
    section: 'table-throttles',
  },
  'bucket-throttles': {
    urgency: 'Today',
    description: 'DynamoDB throttles the table of rate buckets: limits are counted per process, or keys get a 429 too early.',
    periods: 2,
  },
} satisfies Record<string, AlarmSpec>;

export type AlarmId = keyof typeof fixedSpecs;

/** Alarms of a region by id. An alarm's name is `<stack>-<id>`. */
export const alarmSpecs: Readonly<Record<AlarmId, AlarmSpec>> = fixedSpecs;

/** Returns the heading of the alarm's section in the runbook. */
export const sectionOf = (id: AlarmId): string => alarmSpecs[id].section ?? id;
