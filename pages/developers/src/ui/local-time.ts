/** Returns the value of a `datetime-local` field for a time in a time zone, to the minute. */
export const localOfMs = (ms: number, timeZone: string): string => new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 16);

/**
 * Returns the time that such a field means; null if it is empty or incomplete, which browsers
 * report as empty.
 */
export const msOfLocal = (value: string, timeZone: string): number | null => {
  const asIfUtc = Date.parse(`${value}Z`);
  if (Number.isNaN(asIfUtc)) return null;
  // Use the offset at the moment itself: daylight saving time may change in between.
  const near = asIfUtc - offsetMs(asIfUtc, timeZone);
  return asIfUtc - offsetMs(near, timeZone);
};

/** Returns the zone's offset from UTC at a moment. */
const offsetMs = (ms: number, timeZone: string): number => {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23' }).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value);
  const local = new Date(0);
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(ms / 1000) * 1000;
};
