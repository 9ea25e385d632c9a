import type { Random } from './random.ts';

/** The start of a scenario and the timezone of its accounts. */
export interface Calendar {
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  /** An IANA name. */
  readonly timezone: string;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Timezones with offsets of whole hours and quarters of an hour, and with daylight saving time. */
const timezones = ['UTC', 'UTC', 'UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
const firstDayMs = Date.UTC(2026, 0, 1);

/** Returns how far a time zone is ahead of UTC at a time. */
const aheadMs = (timezone: string, atMs: number): number => {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone: timezone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  }).formatToParts(atMs);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - atMs;
};

/** Returns the time at which a calendar day, given as its midnight in UTC, starts in a timezone. */
const beginningMs = (timezone: string, dayMsUtc: number): number => dayMsUtc - aheadMs(timezone, dayMsUtc - aheadMs(timezone, dayMsUtc));

/** Days with a special start, as midnights in UTC. */
const turns = {
  day: (random: Random) => firstDayMs + (1 + random.below(1_000)) * dayMs,
  month: (random: Random) => Date.UTC(2026, 1 + random.below(36), 1),
  year: (random: Random) => Date.UTC(2027 + random.below(3), 0, 1),
  // In 2028, the start or the end of 29 February.
  'leap day': (random: Random) => Date.UTC(2028, 1, 29 + random.below(2)),
} as const satisfies Record<string, (random: Random) => number>;

/**
 * Returns a start that is mostly shortly before the end of a day, so that people act while the day
 * changes.
 */
export const calendarOf = (random: Random): Calendar => {
  const timezone = random.pick(timezones);
  const turn = random.weighted<keyof typeof turns | 'none'>({ none: 3, day: 2, month: 3, year: 1, 'leap day': 1 });
  const beforeMs = (2 + random.below(60)) * minuteMs;
  const startMs =
    turn === 'none' ? firstDayMs + random.below(1_000 * 24 * 60) * minuteMs : beginningMs(timezone, turns[turn](random)) - beforeMs;
  return { startMs, timezone };
};
