export type Outcome = 'success' | 'failure';

/**
 * Summary of a batch of outcomes. With it, one write per endpoint counts the outcomes and detects
 * 10 failures in a row.
 */
export interface FoldedOutcomes {
  readonly successes: number;
  readonly failures: number;
  /**
   * Number of failures before the first success, or of all failures without a success. They
   * continue the stored count.
   */
  readonly leadingFailures: number;
  /**
   * Number of failures after the last success, or of all failures without a success. It becomes the
   * new count.
   */
  readonly trailingFailures: number;
  /**
   * Longest run of failures after the first success, 0 without a success. It does not depend on the
   * stored count.
   */
  readonly longestRunAfterFirstSuccess: number;
}

/** Summarizes outcomes, given in the order in which they happened. */
export const foldOutcomes = (outcomes: readonly Outcome[]): FoldedOutcomes => {
  let successes = 0;
  let leadingFailures = 0;
  let run = 0;
  let longestRunAfterFirstSuccess = 0;
  for (const outcome of outcomes) {
    if (outcome === 'success') {
      successes += 1;
      run = 0;
      continue;
    }
    run += 1;
    if (successes === 0) leadingFailures = run;
    else longestRunAfterFirstSuccess = Math.max(longestRunAfterFirstSuccess, run);
  }
  return { successes, failures: outcomes.length - successes, leadingFailures, trailingFailures: run, longestRunAfterFirstSuccess };
};
