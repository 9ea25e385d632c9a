import type { InferOutput } from 'valibot';
import { type TimeSlot, timeSlotsOf } from '../../shared/domain/reference/rules.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import type { timeSlotsQuery } from './schema.ts';
import { fromSettings } from './settings-operation.ts';

export const timeSlotView = ({ id, label, type, start, end, multiplier, available_days }: TimeSlot): wire.TimeSlot => ({
  id,
  label,
  type,
  start,
  end,
  multiplier,
  available_days,
});

/** The configured slots, pickup first, all or those of one type. */
export const listTimeSlots = (services: ApiServices) =>
  fromSettings<InferOutput<typeof timeSlotsQuery>>(
    services,
    (settings, { query: { type } }): wire.TimeSlotList => ({
      time_slots: timeSlotsOf(settings)
        .filter((slot) => type === undefined || slot.type === type)
        .map(timeSlotView),
    }),
  );
