import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventIdOf } from '../../../shared/domain/event/envelope.ts';
import { type EventType, eventTypes } from '../../../shared/domain/event/types.ts';

const position = fc.record({ eventId: fc.uuid(), partition: fc.string(), sort: fc.string() });
const type = fc.constantFrom<EventType>(...eventTypes);
const timeMs = fc.integer({ min: 0, max: 253_402_300_799_999 });

test('a change that is read again gives the same event id', () => {
  fc.assert(fc.property(position, type, timeMs, (at, of, ms) => expect(eventIdOf({ ...at }, of, ms)).toBe(eventIdOf(at, of, ms))));
});

test("an event's id has a prefix and is valid in a header", () => {
  fc.assert(fc.property(position, type, timeMs, (at, of, ms) => expect(eventIdOf(at, of, ms)).toMatch(/^evt_[0-9a-z]{26}$/)));
});

test('event ids sort by the time of the change', () => {
  fc.assert(
    fc.property(position, position, type, timeMs, timeMs, (one, other, of, a, b) => {
      fc.pre(a !== b);
      const [earlier, later] = a < b ? [eventIdOf(one, of, a), eventIdOf(other, of, b)] : [eventIdOf(other, of, b), eventIdOf(one, of, a)];
      expect(earlier < later).toBe(true);
    }),
  );
});

test('two types of one change, and two changes of a record in one millisecond, have different ids', () => {
  fc.assert(
    fc.property(position, position, type, type, timeMs, (one, other, a, b, ms) => {
      fc.pre(a !== b && one.eventId !== other.eventId);
      const ids = [eventIdOf(one, a, ms), eventIdOf(one, b, ms), eventIdOf({ ...one, eventId: other.eventId }, a, ms)];
      expect(new Set(ids).size).toBe(3);
    }),
  );
});
