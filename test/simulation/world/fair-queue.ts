/** Shares and counts of SQS's page "How Amazon SQS fair queues work". */
const noisyShare = 0.1;
const leastInFlight = 30;
const quietAfterMs = 5 * 60_000;
/** SQS does not say how long "recent" is. */
const recentMs = 5 * 60_000;

type Group = string | undefined;

/** A message in flight. */
interface Flight {
  readonly groupId: Group;
  readonly takenMs: number;
}

const sharesOf = (weights: ReadonlyMap<Group, number>): ReadonlyMap<Group, number> => {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map([...weights].map(([group, weight]) => [group, total === 0 ? 0 : weight / total]));
};

const sums = (entries: Iterable<readonly [Group, number]>): Map<Group, number> => {
  const found = new Map<Group, number>();
  for (const [group, amount] of entries) found.set(group, (found.get(group) ?? 0) + amount);
  return found;
};

/**
 * Judges which message groups of a standard queue are noisy, as SQS does: by their share of the
 * messages in flight, from 30 messages on, or by their share of the recent processing time. SQS
 * gives other groups precedence over these.
 */
export class NoisyGroups {
  readonly #noisy = new Set<Group>();
  readonly #lastInFlightMs = new Map<Group, number>();
  #ended: { readonly groupId: Group; readonly tookMs: number; readonly atMs: number }[] = [];

  /** A message is no longer in flight. */
  end({ groupId, takenMs }: Flight, atMs: number): void {
    this.#ended.push({ groupId, tookMs: atMs - takenMs, atMs });
    this.#lastInFlightMs.set(groupId, atMs);
  }

  /** Returns the noisy groups among those with visible messages. */
  judge(waiting: ReadonlySet<Group>, flights: readonly Flight[], nowMs: number): ReadonlySet<Group> {
    this.#ended = this.#ended.filter(({ atMs }) => atMs > nowMs - recentMs);
    const inFlight = sums(flights.map(({ groupId }) => [groupId, 1]));
    const processing = sums([
      ...this.#ended.map(({ groupId, tookMs }) => [groupId, tookMs] as const),
      ...flights.map(({ groupId, takenMs }) => [groupId, nowMs - takenMs] as const),
    ]);
    const [concurrency, time] = [sharesOf(inFlight), sharesOf(processing)];
    for (const group of this.#noisy) {
      const isIdle = !inFlight.has(group) && nowMs - (this.#lastInFlightMs.get(group) ?? nowMs) >= quietAfterMs;
      if (!waiting.has(group) || isIdle) this.#noisy.delete(group);
    }
    for (const group of waiting)
      if (
        ((inFlight.get(group) ?? 0) >= leastInFlight && (concurrency.get(group) ?? 0) > noisyShare) ||
        (time.get(group) ?? 0) > noisyShare
      )
        this.#noisy.add(group);
    return this.#noisy;
  }
}
