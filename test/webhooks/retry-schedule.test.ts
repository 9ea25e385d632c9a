import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { autoDisableAfter } from '../../shared/domain/webhook/record.ts';
import { maxAttempts, nextAttempt } from '../../shared/webhooks/outcome.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';

const failedAtMs = 1_700_000_000_123;

describe('the retry schedule', () => {
  test.each([
    [1, 5, 'queue'],
    [2, 30, 'schedule'],
    [3, 120, 'schedule'],
    [4, 1440, 'schedule'],
  ])('after failure %i the next attempt waits %i minutes by %s', (failures, minutes, channel) => {
    const delayMs = minutes * 60_000;
    expect(nextAttempt(failures, failedAtMs, productionPolicy)).toEqual({ atMs: failedAtMs + delayMs, channel, delayMs });
  });

  test('ends with the fifth failure', () => {
    expect(maxAttempts).toBe(5);
    expect(nextAttempt(5, failedAtMs, productionPolicy)).toBeUndefined();
    expect(nextAttempt(6, failedAtMs, productionPolicy)).toBeUndefined();
  });

  test('a delivery that always fails is attempted exactly five times over 26 h 35 min', () => {
    let attempts = 1;
    let atMs = failedAtMs;
    for (let next = nextAttempt(attempts, atMs, productionPolicy); next; next = nextAttempt(attempts, atMs, productionPolicy)) {
      attempts += 1;
      atMs = next.atMs;
    }
    expect({ attempts, minutes: (atMs - failedAtMs) / 60_000 }).toEqual({ attempts: 5, minutes: 1595 });
  });

  test('a queued wait fits the longest delay of the queue, 15 minutes', () => {
    for (const failures of [1, 2, 3, 4]) {
      const next = nextAttempt(failures, failedAtMs, productionPolicy);
      if (next?.channel === 'queue') expect(next.delayMs).toBeLessThanOrEqual(900_000);
    }
  });

  test('endpoints are disabled at ten consecutive failures', () => {
    expect(autoDisableAfter).toBe(10);
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
