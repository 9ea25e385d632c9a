/** Counts of a run so far. */
export interface Tally {
  passed: number;
  failed: number;
}

/** Proves one statement about one subject; resolves with whether it holds, never rejects. */
export type Check = (statement: string, prove: () => Promise<void>) => Promise<boolean>;

/** Checks of a subject, printed and counted as they end; a proof that throws fails, and what it threw is printed. */
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
