import { test } from '@jest/globals';
import fc from 'fast-check';
import {
  autoDisableAfter,
  type Endpoint,
  freeSlotsClaim,
  guessedClaim,
  type SlotClaim,
  slotsPerEndpoint,
} from '../../../shared/domain/webhook/record.ts';
import { newEndpoint } from '../../../shared/domain/webhook/rules.ts';

const nowMs = 1_000;
const endpointOf = (consecutive_failures: number, slots: Endpoint['slots']): Endpoint => ({
  ...newEndpoint(
    { id: 'whe_1', account: { id: 'acct_1', status: 'active' }, secret: 'whsec_1' },
    { url: 'https://example.com', description: '', events: ['order.created'] },
    0,
  ),
  consecutive_failures,
  slots,
});
/** A free, an expired and a held slot. */
const lease = fc.constantFrom(null, [nowMs, 'lapsed'] as const, [nowMs + 1, 'held'] as const);
const endpoint = fc
  .record({
    failures: fc.integer({ min: 0, max: autoDisableAfter - 1 }),
    slots: fc.array(lease, { minLength: slotsPerEndpoint, maxLength: slotsPerEndpoint }),
  })
  .map(({ failures, slots }) => endpointOf(failures, slots));
const requestedCount = fc.integer({ min: 1, max: 10 });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const isFree = ({ slots }: Endpoint, slot: number): boolean => (slots[slot]?.[0] ?? 0) <= nowMs;
const countLeased = ({ slots }: Endpoint): number => slots.filter((_, slot) => !isFree({ slots } as Endpoint, slot)).length;
/** Whether the table would accept the claim. */
const holds = (claim: SlotClaim, at: Endpoint): boolean =>
  at.consecutive_failures <= claim.maxFailures && [...claim.slots, ...claim.idle].every((slot) => isFree(at, slot));
const isSafe = (claim: SlotClaim, at: Endpoint): boolean =>
  countLeased(at) + claim.slots.length <= Math.max(1, autoDisableAfter - at.consecutive_failures);

test('a successful claim never leases more slots than failures are left, whatever changed since the endpoint was read', () => {
  fc.assert(
    fc.property(endpoint, endpoint, requestedCount, (read, at, count) => {
      const claim = freeSlotsClaim(read, nowMs, count);
      return claim === undefined || !holds(claim, at) || isSafe(claim, at);
    }),
    { numRuns: 5_000 },
  );
});

test('a successful claim without a read leases no more slots than failures are left', () => {
  fc.assert(
    fc.property(endpoint, requestedCount, chance, (at, count, where) => {
      const claim = guessedClaim(count, where);
      return !holds(claim, at) || isSafe(claim, at);
    }),
    { numRuns: 5_000 },
  );
});

test('a claim succeeds if the endpoint has not changed, and asks for free slots only', () => {
  fc.assert(
    fc.property(endpoint, requestedCount, (read, count) => {
      const claim = freeSlotsClaim(read, nowMs, count);
      const room = Math.min(slotsPerEndpoint, Math.max(1, autoDisableAfter - read.consecutive_failures)) - countLeased(read);
      const expected = Math.max(0, Math.min(room, count));
      return claim === undefined ? expected === 0 : claim.slots.length === expected && holds(claim, read);
    }),
    { numRuns: 5_000 },
  );
});

test('a claim without a read requests one slot per message, at most five', () => {
  fc.assert(
    fc.property(
      requestedCount,
      chance,
      (count, where) => new Set(guessedClaim(count, where).slots).size === Math.min(count, slotsPerEndpoint),
    ),
    { numRuns: 200 },
  );
});
