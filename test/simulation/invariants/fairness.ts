import type { HandedOut } from '../world/event-source.ts';
import type { Invariant } from './invariant.ts';

/** The function's timeout, as documented. */
const longestInvocationMs = 60_000;
/** SQS's published share, and the time for which processing counts, as the model has it. */
const noisyShare = 0.1;
const recentMs = 5 * 60_000;
/** A quiet account is next: it waits until the first invocation ends. */
const longestQuietWaitMs = longestInvocationMs;
/**
 * The longest wait of an account that is noisy itself, while no message of it is left in flight:
 *
 * - An invocation with messages of the account ends. Until then the other accounts may have fewer
 *   messages in flight, and come first.
 * - The others pass a tenth of the processing time, and so are noisy too. With twenty messages in
 *   flight for the five minutes that count, the account used up to 6,000 s of it. The others use
 *   667 s in a minute, if each invocation takes the usual five or six messages.
 * - Then the account has the fewest messages in flight, none, and the next invocation is for it.
 */
const longestNoisyWaitMs = 3 * longestInvocationMs;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns how much of a span the others cover. */
const covered = (within: Span, spans: readonly Span[]): number => {
  let [sum, atMs] = [0, within.fromMs];
  for (const { fromMs, toMs } of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const [beginMs, endMs] = [Math.max(atMs, fromMs), Math.min(toMs, within.toMs)];
    if (endMs <= beginMs) continue;
    sum += endMs - beginMs;
    atMs = endMs;
  }
  return sum;
};

const accountOf = ({ body }: Pick<HandedOut, 'body'>): string => (JSON.parse(body) as { readonly account: string }).account;

/** Returns each account's messages, in the order in which they were received. */
const byAccount = (handedOut: readonly HandedOut[]): ReadonlyMap<string, readonly HandedOut[]> => Map.groupBy(handedOut, accountOf);

/**
 * Returns the processing time that counts at a moment: of messages in flight, or that were it
 * shortly before.
 */
const processingMs = (messages: readonly HandedOut[], nowMs: number): number =>
  messages.reduce((sum, { atMs, untilMs = Number.POSITIVE_INFINITY }) => {
    const endMs = Math.min(untilMs, nowMs);
    return endMs > nowMs - recentMs && endMs > atMs ? sum + endMs - atMs : sum;
  }, 0);

/** Whether an account used over a tenth of the processing time, at a moment at which a batch was received. */
const wasNoisy = (account: string, { fromMs, toMs }: Span, handedOut: readonly HandedOut[]): boolean => {
  const near = handedOut.filter(({ atMs, untilMs = Number.POSITIVE_INFINITY }) => atMs <= toMs && untilMs > fromMs - 2 * recentMs);
  const own = near.filter((one) => accountOf(one) === account);
  const moments = new Set(near.flatMap(({ atMs }) => (atMs > fromMs - recentMs ? [atMs] : [])));
  return [...moments, toMs].some((nowMs) => processingMs(own, nowMs) > noisyShare * processingMs(near, nowMs));
};

/** Returns when the account had a message in flight that no invocation handled any more. */
const unhandledSpans = (messages: readonly HandedOut[]): readonly Span[] =>
  messages.flatMap(({ endedMs, untilMs }) =>
    endedMs !== undefined && untilMs !== undefined && untilMs > endedMs ? [{ fromMs: endedMs, toMs: untilMs }] : [],
  );

/**
 * Returns the waits that are too long. A message that an invocation left unhandled stays in flight
 * until its visibility timeout ends, because SQS does not know that the invocation died. Meanwhile
 * its account counts as busy and may be served after all others, so this time is not counted. It is
 * at most one visibility timeout per wait, because nothing of the account was received since.
 */
export const longWaits = (handedOut: readonly HandedOut[]): readonly string[] =>
  [...byAccount(handedOut)].flatMap(([account, messages]) => {
    const unhandled = unhandledSpans(messages);
    return messages.flatMap(({ body, visibleMs, atMs }, i) => {
      const wait = { fromMs: Math.max(visibleMs, messages[i - 1]?.atMs ?? 0), toMs: atMs };
      const countedMs = atMs - wait.fromMs - covered(wait, unhandled);
      if (countedMs <= longestQuietWaitMs) return [];
      const longestMs = wasNoisy(account, wait, handedOut) ? longestNoisyWaitMs : longestQuietWaitMs;
      return countedMs > longestMs ? [`${account} waited ${countedMs / 1000} s, and not for invocations that died: ${body}`] : [];
    });
  });

export const fair: Invariant = {
  number: 6,
  name: 'an account with waiting deliveries gets one within a minute, or three if it is busy itself, whatever hangs',
  breaches: ({ region: { pipeline } }) => [
    ...longWaits(pipeline.deliveries.handedOut),
    // Few scenarios keep both invocations busy for long, so a wrong group would seldom cause a wait.
    ...[pipeline.queues.delivery, pipeline.queues.search].flatMap(({ history }) =>
      history.flatMap((message) => (message.groupId === accountOf(message) ? [] : [`${message.body} is in the group ${message.groupId}.`])),
    ),
  ],
};
