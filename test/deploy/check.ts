/** A run's results so far. */
export interface Tally {
  passed: number;
  failed: number;
}

/** Checks one statement about a subject. Resolves with whether it holds; never rejects. */
export type Check = (statement: string, prove: () => Promise<void>) => Promise<boolean>;

/**
 * Runs the checks of a subject; prints and counts each as it ends. A check that throws fails, and
 * its error is printed.
 */
export const checksOf =
  (subject: string, tally: Tally, print: (line: string) => void): Check =>
  async (statement, prove) => {
    const startMs = performance.now();
    const seconds = () => `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
    try {
      await prove();
      tally.passed += 1;
      print(`ok    ${subject}: ${statement} (${seconds()})`);
      return true;
    } catch (error) {
      tally.failed += 1;
      print(`FAIL  ${subject}: ${statement} (${seconds()})\n${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
