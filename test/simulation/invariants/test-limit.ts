import type { TestAction } from '../people/journal.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The specification's limit of tests of one account in one window. */
const mostTests = 10;
const windowMs = 60_000;
/** The most that the clock of a function may be wrong. */
const skewMs = 1_000;

const windowsOf = ({ begunMs, endedMs }: TestAction): readonly number[] => {
  const [first, last] = [begunMs - skewMs, endedMs + skewMs].map((ms) => Math.floor(ms / windowMs)) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
};

const findingsOf = (account: string, tests: readonly TestAction[]): readonly string[] => {
  const countIn = (window: number, counts: (test: TestAction) => number): number =>
    tests.reduce((sum, test) => sum + (windowsOf(test).includes(window) ? counts(test) : 0), 0);
  // A throttled table does not count a test, which its process then admits.
  const isCounted = (test: TestAction) => test.outcome === 'passed' && test.counts === 1 && windowsOf(test).length === 1;
  const passedIn = (window: number) => countIn(window, (test) => (isCounted(test) ? 1 : 0));
  const all = [...new Set(tests.flatMap(windowsOf))];
  const early = tests.filter(
    (test) => test.outcome === 'limited' && windowsOf(test).every((window) => countIn(window, ({ counts }) => counts) <= mostTests),
  );
  return [
    ...all
      .filter((window) => passedIn(window) > mostTests)
      .map((window) => `${account} made ${passedIn(window)} tests within a minute, and the limit is ${mostTests}.`),
    ...early.map(() => `${account} was refused a test below ${mostTests} a minute.`),
  ];
};

export const testLimit: Invariant = {
  number: 9,
  name: 'no account tests its endpoints more than ten times a minute, and none is refused below that',
  breaches: ({ journal: { tests } }: Evidence) =>
    [...new Set(tests.map(({ account }) => account))].flatMap((account) =>
      findingsOf(
        account,
        tests.filter((test) => test.account === account),
      ),
    ),
};
