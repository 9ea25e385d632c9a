import type { InferOutput } from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { availabilityOn, type DateAvailability, datesBetween, spanDays, type TimeSlot } from '../../shared/domain/reference/rules.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { publicReason } from './blocked-dates.ts';
import type { availabilityQuery } from './schema.ts';
import { fromSettings, isMerchant } from './settings-operation.ts';
import { timeSlotView } from './time-slots.ts';

type AvailabilityQuery = InferOutput<typeof availabilityQuery>;

const maxDays = 90;

/** The dates asked for: one, or an inclusive range of at most 90 days (§ GET /availability). */
const datesOf = ({ date, from, to }: AvailabilityQuery): readonly string[] => {
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw invalidValue('date', 'date goes without from and to.');
    return [date];
  }
  if (from === undefined && to === undefined) throw invalidValue('date', 'date, or from and to, is required.');
  if (from === undefined) throw invalidValue('from', 'to requires from.');
  if (to === undefined) throw invalidValue('to', 'from requires to.');
  if (to < from) throw invalidValue('to', 'to must be on or after from.');
  if (spanDays(from, to) > maxDays) throw invalidValue('to', `A range has at most ${maxDays} days.`);
  return datesBetween(from, to);
};

const slotView = (slot: TimeSlot) => {
  const { available_days: _, ...view } = timeSlotView(slot);
  return view;
};

const blockedReason = ({ bookable, reason }: DateAvailability, merchant: boolean): string | null =>
  bookable || merchant ? reason : publicReason;

/** Every date in order, bookable or not; `type` narrows the slots and nothing else. */
export const getAvailability = (services: ApiServices) =>
  fromSettings<AvailabilityQuery>(
    services,
    (settings, call): wire.AvailabilityList => ({
      availability: datesOf(call.query).map((date) => {
        const day = availabilityOn(settings, date);
        const slots = day.slots.filter(({ type }) => call.query.type === undefined || type === call.query.type);
        return { date, bookable: day.bookable, blocked_reason: blockedReason(day, isMerchant(call)), time_slots: slots.map(slotView) };
      }),
    }),
  );
