import { invalidValue } from '../../core/errors.ts';
import { maxSentBytes, sentBytes } from '../../core/sent-bytes.ts';
import type { Settings } from '../account/settings.ts';
import { maxDays, offeredSlot, timeSlotsOf } from './rules.ts';

/** Maximum bytes of a date without its slots: date, flag, and a reason of 255 characters. */
const dateBytes = 2_000;

/**
 * Returns an upper bound of the bytes of GET /availability over its longest range, in whole weeks.
 * Blocked dates count like others, because a block may end.
 */
const availabilityBytes = (settings: Pick<Settings, 'time_slots'>): number => {
  const weeks = Math.ceil(maxDays / 7);
  return timeSlotsOf(settings).reduce((bytes, slot) => {
    const daysOfWeek = slot.available_days.length === 0 ? 7 : new Set(slot.available_days).size;
    return bytes + weeks * daysOfWeek * sentBytes(offeredSlot(slot));
  }, maxDays * dateBytes);
};

/** Rejects slots with which GET /availability could exceed the size of a response (decisions §3). */
export const assertAvailabilityFits = (settings: Pick<Settings, 'time_slots'>): void => {
  if (availabilityBytes(settings) > maxSentBytes)
    throw invalidValue('time_slots', `time_slots are too many: ${maxDays} days of them would not fit into a response. Remove some.`);
};
