import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { autoDisableAfter } from '../../shared/domain/webhook/record.ts';
import { foldOutcomes, type Outcome } from '../../shared/webhooks/outcome.ts';

const outcomesOf = (letters: string): Outcome[] => [...letters].map((letter) => (letter === 's' ? 'success' : 'failure'));
const anyOutcomes = fc.array(fc.constantFrom<Outcome>('failure', 'failure', 'failure', 'success'), { maxLength: 40 });

describe('combining a batch of outcomes', () => {
  test.each([
    ['', { successes: 0, failures: 0, leadingFailures: 0, trailingFailures: 0, longestRunAfterFirstSuccess: 0 }],
    ['s', { successes: 1, failures: 0, leadingFailures: 0, trailingFailures: 0, longestRunAfterFirstSuccess: 0 }],
    ['fff', { successes: 0, failures: 3, leadingFailures: 3, trailingFailures: 3, longestRunAfterFirstSuccess: 0 }],
    ['ffs', { successes: 1, failures: 2, leadingFailures: 2, trailingFailures: 0, longestRunAfterFirstSuccess: 0 }],
    ['sff', { successes: 1, failures: 2, leadingFailures: 0, trailingFailures: 2, longestRunAfterFirstSuccess: 2 }],
    ['fsfffsf', { successes: 2, failures: 5, leadingFailures: 1, trailingFailures: 1, longestRunAfterFirstSuccess: 3 }],
  ])('combining "%s" keeps the runs of failures at both ends and the longest one between', (letters, folded) => {
    expect(foldOutcomes(outcomesOf(letters))).toEqual(folded);
  });

  test('combining a batch of outcomes counts and disables exactly as counting one by one', () => {
    fc.assert(
      fc.property(fc.nat(9), anyOutcomes, (stored, outcomes) => {
        let consecutive = stored;
        let disabled = false;
        for (const outcome of outcomes) {
          consecutive = outcome === 'success' ? 0 : consecutive + 1;
          disabled ||= consecutive >= autoDisableAfter;
        }
        const { successes, leadingFailures, trailingFailures, longestRunAfterFirstSuccess } = foldOutcomes(outcomes);
        expect(successes === 0 ? stored + trailingFailures : trailingFailures).toBe(consecutive);
        expect(Math.max(stored + leadingFailures, longestRunAfterFirstSuccess) >= autoDisableAfter).toBe(disabled);
      }),
      { numRuns: 500 },
    );
  });
});
