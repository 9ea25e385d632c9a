import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, onStop } from './children.ts';
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

/**
 * Runs the checks in a folder of their own, ends every program that they started, and prints the counts as the last
 * line. An error that ends them is one failure.
 */
export const runChecks = async (name: string, tally: Tally, main: (folder: string) => Promise<void>): Promise<never> => {
  onStop(() => void endAll().then(() => process.exit(1)));
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    await main(folder);
  } catch (error) {
    tally.failed += 1;
    process.stdout.write(`FAIL  ${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    await endAll();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
  process.exit(tally.failed > 0 ? 1 : 0);
};
