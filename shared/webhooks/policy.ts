/**
 * What differs between deliveries of a deployed stack and of the local service. Only the local
 * service uses another policy than `productionPolicy`.
 */
export interface DeliveryPolicy {
  /**
   * Whether receivers may have loopback addresses and `localhost` names, and use `http:` there. All
   * other forbidden ranges stay forbidden.
   */
  readonly allowLoopback: boolean;
  /** Number above 0 that divides every wait of the retry schedule. */
  readonly timeScale: number;
}

export const productionPolicy: DeliveryPolicy = { allowLoopback: false, timeScale: 1 };

/** Attempts of one run of a delivery (§ Delivery semantics 1). */
export const maxAttempts = 5;

/**
 * How a wait is made: `queue` is an SQS delay (at most 15 minutes), `schedule` is a one-time
 * schedule.
 */
type RetryChannel = 'queue' | 'schedule';

export interface NextAttempt {
  readonly atMs: number;
  readonly channel: RetryChannel;
  readonly delayMs: number;
}

const minuteMs = 60_000;

/** The wait after the first, second, third and fourth failure. */
const waits: readonly { readonly delayMs: number; readonly channel: RetryChannel }[] = [
  { delayMs: 5 * minuteMs, channel: 'queue' },
  { delayMs: 30 * minuteMs, channel: 'schedule' },
  { delayMs: 120 * minuteMs, channel: 'schedule' },
  { delayMs: 1440 * minuteMs, channel: 'schedule' },
];

/**
 * Returns when and how the attempt after this number of failures is made; undefined if no attempt
 * is left.
 */
export const nextAttempt = (failures: number, failedAtMs: number, policy: DeliveryPolicy): NextAttempt | undefined => {
  const wait = waits[failures - 1];
  if (!wait) return undefined;
  const delayMs = Math.ceil(wait.delayMs / policy.timeScale); // delays are minimums, so round up
  return { atMs: failedAtMs + delayMs, channel: wait.channel, delayMs };
};
