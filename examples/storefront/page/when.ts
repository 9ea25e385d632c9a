import type { DateAvailability } from '../../../clients/typescript/src/index.ts';
import { client } from './client.ts';
import { find, language } from './elements.ts';

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayName = new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
const timeName = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
const timeOf = (text: string): Date => new Date(`2000-01-01T${text}:00Z`);

/** Returns for example `Morning, 8:00 – 11:00 AM`. */
const slotName = ({ label, start, end }: DateAvailability['time_slots'][number]): string =>
  [label, ...(start && end ? [timeName.formatRange(timeOf(start), timeOf(end))] : [])].join(', ');

/** The way, the day and the time that the shopper chose. */
export interface When {
  readonly order: { delivery_type: 'pickup' | 'delivery'; delivery_date: string; delivery_time?: string };
  /** For example `Pick up on Friday, March 14, Morning, 8:00 – 11:00 AM`. */
  readonly text: string;
}

/**
 * Fills the form's days and times, and follows its changes. Offers unblocked days with a slot, from
 * tomorrow: the account's lead time for today is unknown. Returns a reader of the choice.
 */
export const offerTimes = async (form: HTMLFormElement, failed: (error: unknown) => void): Promise<() => When> => {
  const day = find<HTMLSelectElement>('[name=date]', form);
  const slot = find<HTMLSelectElement>('[name=slot]', form);
  const type = () => new FormData(form).get('delivery_type') as 'pickup' | 'delivery';
  let days: readonly DateAvailability[] = [];
  const showSlots = () => {
    const slots = days.find(({ date }) => date === day.value)?.time_slots ?? [];
    slot.replaceChildren(...slots.map((one) => new Option(slotName(one), one.id)));
  };
  const showDays = async () => {
    const query = { from: isoDay(Date.now() + dayMs), to: isoDay(Date.now() + 14 * dayMs), type: type() };
    const { availability } = await client.availability.retrieve(query);
    days = availability.filter(({ bookable, time_slots }) => bookable && time_slots.length > 0);
    const before = day.value;
    day.replaceChildren(...days.map(({ date }) => new Option(dayName.format(new Date(date)), date, false, date === before)));
    showSlots();
  };
  day.addEventListener('change', showSlots);
  for (const radio of form.querySelectorAll('[name=delivery_type]')) radio.addEventListener('change', () => showDays().catch(failed));
  await showDays();
  return () => ({
    order: { delivery_type: type(), delivery_date: day.value, ...(slot.value ? { delivery_time: slot.value } : {}) },
    text: [type() === 'pickup' ? 'Pick up on ' : 'Delivery on ', day.selectedOptions[0]?.text, ', ', slot.selectedOptions[0]?.text].join(
      '',
    ),
  });
};
