import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextAttempt } from '../../shared/webhooks/outcome.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';

const failedAtMs = 1_700_000_000_123;

const minuteMs = 60_000;

describe('the retry schedule', () => {
  test.each([
    [1, 5 * minuteMs],
    [2, 30 * minuteMs],
    [3, 2 * 60 * minuteMs],
    [4, 24 * 60 * minuteMs],
  ])('the attempt after %i failures waits the minutes of the specification: %i milliseconds', (failures, waitMs) => {
    expect(nextAttempt(failures, failedAtMs, productionPolicy)).toMatchObject({ delayMs: waitMs, atMs: failedAtMs + waitMs });
  });

  test('a delivery that failed five times is not attempted again', () => {
    expect(nextAttempt(5, failedAtMs, productionPolicy)).toBeUndefined();
  });

  test('a queued wait fits the longest delay of the queue, 15 minutes', () => {
    for (const failures of [1, 2, 3, 4]) {
      const next = nextAttempt(failures, failedAtMs, productionPolicy);
      if (next?.channel === 'queue') expect(next.delayMs).toBeLessThanOrEqual(900_000);
    }
  });

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
});
