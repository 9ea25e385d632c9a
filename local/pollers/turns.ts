/** Maximum number of simultaneous invocations. */
const mostInvocations = 32;
/** Maximum number of simultaneous invocations of one message group. */
const mostOfGroup = 8;
/** Invocations that only groups without any may take. */
const reserved = mostInvocations / 4;
/** Delay before a group takes an additional invocation. */
export const groupRampMs = 250;

/**
 * Shares invocations fairly between message groups. A free invocation goes to the group with the
 * fewest running ones; as in SQS, messages of other groups fill its batch. The last quarter of the
 * invocations is only for groups without any, so that a backlog of hanging deliveries cannot take
 * all. A group adds invocations one by one, so that short batches do not compete for their
 * endpoint's slots.
 */
export const createTurns = (nowMs: () => number) => {
  const holders = new Map<string, { readonly count: number; readonly lastStartMs: number }>();
  let free = mostInvocations;

  const runningCount = (group: string): number => holders.get(group)?.count ?? 0;
  const mayTake = (group: string): boolean => (runningCount(group) === 0 ? free > 0 : free > reserved && runningCount(group) < mostOfGroup);
  const isRamping = (group: string): boolean => nowMs() - (holders.get(group)?.lastStartMs ?? Number.NEGATIVE_INFINITY) < groupRampMs;

  return {
    /** Returns the next group to serve. `isRamping`: every eligible group must wait first. */
    next(waiting: readonly string[]): { readonly group: string | undefined; readonly isRamping: boolean } {
      const takers = waiting.filter(mayTake);
      const [first, ...others] = takers.filter((group) => !isRamping(group));
      const group = first && others.reduce((best, other) => (runningCount(other) < runningCount(best) ? other : best), first);
      return { group, isRamping: first === undefined && takers.length > 0 };
    },
    /** Whether messages of the group may fill the batch of another. */
    mayJoin: (group: string): boolean => runningCount(group) < mostOfGroup && !isRamping(group),
    take(groups: Iterable<string>) {
      free--;
      for (const group of groups) holders.set(group, { count: runningCount(group) + 1, lastStartMs: nowMs() });
    },
    giveBack(groups: Iterable<string>) {
      free++;
      for (const group of groups) {
        const { count = 1, lastStartMs = 0 } = holders.get(group) ?? {};
        if (count === 1) holders.delete(group);
        else holders.set(group, { count: count - 1, lastStartMs });
      }
    },
  };
};
