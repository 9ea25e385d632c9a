import type { DateAvailability } from '../../../clients/typescript/src/index.ts';
import { readChoices } from './cart.ts';
import { client, readOnce } from './client.ts';
import { find, language, texts } from './elements.ts';

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayName = new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
const timeName = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
const timeOf = (text: string): Date => new Date(`2000-01-01T${text}:00Z`);

/** Returns for example `Morning, 8:00 – 11:00 AM`. */
const slotName = ({ label, start, end }: DateAvailability['time_slots'][number]): string =>
  [label, ...(start && end ? [timeName.formatRange(timeOf(start), timeOf(end))] : [])].join(', ');

const readDays = async (type: 'pickup' | 'delivery'): Promise<readonly DateAvailability[]> => {
  const query = { from: isoDay(Date.now() + dayMs), to: isoDay(Date.now() + 14 * dayMs), type };
  const { availability } = await readOnce(JSON.stringify(query), () => client.availability.retrieve(query));
  return availability.filter(({ bookable, time_slots }) => bookable && time_slots.length > 0);
};

const dayOf = ({ date }: DateAvailability): string => dayName.format(new Date(date));

const readFirstDay = async (): Promise<string> => {
  const [[pickup], [delivery]] = await Promise.all([readDays('pickup'), readDays('delivery')]);
  if (pickup && pickup.date === delivery?.date) return texts.first.both(dayOf(pickup));
  return [pickup && texts.first.pickup(dayOf(pickup)), delivery && texts.first.delivery(dayOf(delivery))].filter(Boolean).join(' ');
};

let first: Promise<string> | undefined;

/** Returns for example `Pickup or delivery from Monday, November 30.`, or nothing if no day is free or known. */
export const firstDay = (): Promise<string> => {
  first ??= readFirstDay().catch(() => '');
  return first;
};

/** Returns when the bakery hands orders over, for example `Mon – Fri, 1:00 – 5:00 PM`. */
export const pickupHours = async (): Promise<readonly string[]> => {
  const { time_slots } = await readOnce('hours', () => client.reference.listTimeSlots({ type: 'pickup' }));
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  // The first of January 2023 was a Sunday, day 0.
  const nameOf = (day: number) => weekday.format(new Date(Date.UTC(2023, 0, 1 + day)));
  return time_slots.flatMap(({ available_days, start, end }) => {
    if (!start || !end) return [];
    const days = available_days.length > 0 ? available_days.toSorted((a, b) => a - b) : [0, 1, 2, 3, 4, 5, 6];
    const [first = 0, last = 0] = [days[0], days.at(-1)];
    const isSpan = days.length > 2 && last - first === days.length - 1;
    const names = isSpan ? `${nameOf(first)} – ${nameOf(last)}` : days.map(nameOf).join(', ');
    return [`${names}, ${timeName.formatRange(timeOf(start), timeOf(end))}`];
  });
};

/** The way, the day and the time that the shopper chose. */
export interface When {
  readonly order: { delivery_type: 'pickup' | 'delivery'; delivery_date: string; delivery_time?: string; notes?: string };
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
  const notes = find<HTMLTextAreaElement>('[name=notes]', form);
  const type = () => new FormData(form).get('delivery_type') as 'pickup' | 'delivery';
  const before = readChoices();
  let days: readonly DateAvailability[] = [];
  const showSlots = () => {
    const slots = days.find(({ date }) => date === day.value)?.time_slots ?? [];
    const chosen = slot.value || before.delivery_time;
    slot.replaceChildren(...slots.map((one) => new Option(slotName(one), one.id, false, one.id === chosen)));
  };
  const showDays = async () => {
    days = await readDays(type());
    const chosen = day.value || before.delivery_date;
    day.replaceChildren(...days.map((one) => new Option(dayOf(one), one.date, false, one.date === chosen)));
    showSlots();
    // The cart shows the fee of the new choice.
    form.dispatchEvent(new Event('change'));
  };
  day.addEventListener('change', showSlots);
  for (const radio of form.querySelectorAll<HTMLInputElement>('[name=delivery_type]')) {
    radio.checked = radio.value === (before.delivery_type ?? 'pickup');
    radio.addEventListener('change', () => showDays().catch(failed));
  }
  await showDays();
  return () => ({
    order: {
      delivery_type: type(),
      delivery_date: day.value,
      ...(slot.value ? { delivery_time: slot.value } : {}),
      ...(notes.value.trim() ? { notes: notes.value.trim() } : {}),
    },
    text: texts.thanks[type()]([day, slot].map(({ selectedOptions }) => selectedOptions[0]?.text).join(', ')),
  });
};
