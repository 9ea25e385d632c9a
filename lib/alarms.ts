import { type IndexName, indexNames } from '../shared/table/schema.ts';

/** What an alarm watches for. Values are judged per period of five minutes. */
interface AlarmSpec {
  readonly description: string;
  /** 1 unless said otherwise. */
  readonly threshold?: number;
  /** `below` also fires where there is no data at all; `reaches`, the usual one, takes silence for health. */
  readonly when?: 'below';
  /** Consecutive periods; 1 unless a single one can pass by itself. */
  readonly periods?: number;
  /** Heading of its section in the runbook; its id unless several alarms share one. */
  readonly section?: string;
}

const fixedSpecs = {
  'delivery-dead-letters': {
    description: 'A queue message failed five times and was set aside.',
  },
  'search-dead-letters': {
    description: 'A changed product did not reach its search engine in five tries.',
  },
  'sweep-dead-letters': { description: 'A sweep was not run or did not finish.' },
  'records-parked': {
    description: 'A change could not be turned into events and is parked whole.',
  },
  'fan-out-iterator-age': {
    description: 'Changes wait over 5 minutes (ms) to become events.',
    threshold: 300_000,
    periods: 2,
  },
  'fan-out-missing': {
    description: 'Nothing, not even a heartbeat, has come through the change stream for 15 minutes: changes may not become events.',
    when: 'below',
    periods: 3,
  },
  'delivery-queue-age': {
    // Above the 5 minutes of the retry schedule's first delay plus the 6 of a visibility timeout.
    description: 'A delivery waits over 15 minutes (s) in the queue.',
    threshold: 900,
    periods: 2,
  },
  'search-queue-age': {
    // Above the 6 minutes of a visibility timeout: one try that failed does not fire it.
    description: 'A changed product waits over 15 minutes (s) for its search engine.',
    threshold: 900,
    periods: 2,
  },
  'schedules-failing': { description: 'EventBridge Scheduler cannot reach its target.', periods: 2 },
  'sweep-missing': { description: 'No sweep has run for 15 minutes.', when: 'below', periods: 3 },
  'checkout-page-internal-errors': {
    description: 'The checkout page or a payment notice was answered with 500, maybe between a charge and its order.',
  },
  'checkout-paid-twice': { description: 'A shopper paid for a session that is paid already.' },
  'gateway-fees-unbooked': {
    description: "A checkout's fee could not be booked on its day and waits for an operator; its order is made.",
  },
  'actions-internal-errors': { description: 'A dashboard action was answered with 500.' },
  'api-5xx': { description: 'Five or more requests ended with a server error.', threshold: 5 },
  'function-errors': {
    description: 'A function of the AWS account in this region crashed, timed out or did not start.',
  },
  'function-throttles': {
    // Only a lasting shortage: a burst is retried by Lambda, queues and stream, and a caller that gets a 503 counts in api-5xx. A new AWS
    // account may run ten executions, of which background work takes nine at its busiest.
    description: 'For 15 minutes the AWS account in this region had too little concurrency.',
    threshold: 10,
    periods: 3,
  },
  'table-read-throttles': {
    description: 'DynamoDB throttles reads of the data table.',
    periods: 2,
    section: 'table-throttles',
  },
  'table-write-throttles': {
    description: 'DynamoDB throttles writes to the data table.',
    periods: 2,
    section: 'table-throttles',
  },
} satisfies Record<string, AlarmSpec>;

type IndexAlarmId = `${IndexName}-write-throttles`;
export const indexAlarmId = (index: IndexName): IndexAlarmId => `${index}-write-throttles`;

/** One for each index: CloudWatch counts its throttles apart from the table's, although a throttled index holds up writes to the table. */
const indexSpecs = Object.fromEntries(
  indexNames.map((index) => [
    indexAlarmId(index),
    {
      description: `DynamoDB throttles writes to the index ${index} of the data table.`,
      periods: 2,
      section: 'table-throttles',
    },
  ]),
) as Record<IndexAlarmId, AlarmSpec>;

export type FixedAlarmId = keyof typeof fixedSpecs;
export type AlarmId = FixedAlarmId | IndexAlarmId;

/** Alarms of a region by id; each is named `<stack>-<id>`. */
export const alarmSpecs: Readonly<Record<AlarmId, AlarmSpec>> = { ...fixedSpecs, ...indexSpecs };

/** Heading of the section of the runbook that says what to do about an alarm. */
export const sectionOf = (id: AlarmId): string => alarmSpecs[id].section ?? id;
