import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextAttempt } from '../../shared/webhooks/outcome.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';

test('a time scale shortens the wait in proportion, and does not change the channel', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 1_000_000 }), fc.nat(2 ** 41), (failures, timeScale, atMs) => {
      const plain = nextAttempt(failures, atMs, productionPolicy);
      const scaled = nextAttempt(failures, atMs, { ...productionPolicy, timeScale });
      const [plainMs, scaledMs] = [plain, scaled].map((next) => (next?.atMs ?? Number.NaN) - atMs) as [number, number];
      expect(scaled?.channel).toBe(plain?.channel);
      expect(scaledMs * timeScale).toBeGreaterThanOrEqual(plainMs);
      expect(scaledMs - 1).toBeLessThan(plainMs / timeScale);
    }),
  );
});
