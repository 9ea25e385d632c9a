import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextAttempt } from '../../shared/webhooks/outcome.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';

test('a time scale shortens the wait in proportion, and does not change the channel', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 1_000_000 }), fc.nat(2 ** 41), (failures, timeScale, atMs) => {
      const plain = nextAttempt(failures, atMs, productionPolicy);
      const scaled = nextAttempt(failures, atMs, { ...productionPolicy, timeScale });
      expect(scaled?.channel).toBe(plain?.channel);
      expect(scaled?.atMs).toBe(atMs + (scaled?.delayMs ?? Number.NaN));
      expect((scaled?.delayMs ?? 0) * timeScale).toBeGreaterThanOrEqual(plain?.delayMs ?? Number.NaN);
      expect((scaled?.delayMs ?? 0) - 1).toBeLessThan((plain?.delayMs ?? Number.NaN) / timeScale);
    }),
  );
});
