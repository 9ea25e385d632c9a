/** What becomes of a call to the outside. */
export type Fate =
  /** Carried out, and answered. */
  | 'done'
  /** Carried out; the connection breaks before the answer is there. */
  | 'answer lost'
  /** The connection breaks before the call arrives. */
  | 'never sent'
  /** Given up by its caller, and carried out some time later. */
  | 'late'
  /** Refused for too much traffic, by a fault of the service, by other traffic on the same items. */
  | 'throttled'
  | 'unavailable'
  | 'conflict'
  /** Done in part: a key of a batch is left, a message of a batch refused. */
  | 'in part'
  /** The process that calls dies, before the call arrives or after it was carried out. */
  | 'dies before'
  | 'dies after'
  /** The process stands still for a while before it sees the answer. */
  | 'freezes';

export interface Accidents {
  /** How often each fate comes, of a thousand calls; the rest is done. */
  readonly fates: Readonly<Partial<Record<Exclude<Fate, 'done'>, number>>>;
  /** Of a thousand: messages that come twice, batches of the stream that are read again although they were done, schedules that fire twice. */
  readonly repeats: number;
  /** Of a thousand schedules, those that never fire. */
  readonly lostSchedules: number;
  /** How far the clocks of two processes may differ, in ms. */
  readonly skewMs: number;
  /** How far an index may lie behind, in ms. */
  readonly indexLagMs: number;
}

export const calm: Accidents = { fates: {}, repeats: 0, lostSchedules: 0, skewMs: 1_000, indexLagMs: 0 };

export const levels = {
  none: calm,
  few: {
    fates: {
      ...{ 'answer lost': 4, 'never sent': 3, throttled: 3, unavailable: 3, conflict: 3, 'in part': 3 },
      ...{ 'dies before': 2, 'dies after': 2, freezes: 1 },
    },
    repeats: 20,
    lostSchedules: 10,
    skewMs: 1_000,
    indexLagMs: 1_000,
  },
  many: {
    fates: {
      ...{ 'answer lost': 20, 'never sent': 10, throttled: 15, unavailable: 10, conflict: 15, 'in part': 15 },
      ...{ 'dies before': 8, 'dies after': 8, freezes: 3 },
    },
    repeats: 100,
    lostSchedules: 100,
    skewMs: 1_000,
    indexLagMs: 1_000,
  },
  /** Besides, calls that nobody waits for any more are carried out. */
  ghosts: {
    fates: {
      ...{ 'answer lost': 20, 'never sent': 10, late: 20, throttled: 15, unavailable: 10, conflict: 15, 'in part': 15 },
      ...{ 'dies before': 8, 'dies after': 8, freezes: 3 },
    },
    repeats: 100,
    lostSchedules: 100,
    skewMs: 1_000,
    indexLagMs: 1_000,
  },
} as const satisfies Record<string, Accidents>;

export type Level = keyof typeof levels;
export const isLevel = (text: string): text is Level => Object.hasOwn(levels, text);
