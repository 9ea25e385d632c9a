import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldOutcomes, type Outcome } from '../../../shared/domain/webhook/outcomes.ts';
import { autoDisableAfter } from '../../../shared/domain/webhook/record.ts';

const anyOutcomes = fc.array(fc.constantFrom<Outcome>('failure', 'failure', 'failure', 'success'), { maxLength: 40 });

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
