import type { Random } from './random.ts';

/** Fate of a call. */
export type Fate =
  /** Carried out, and answered. */
  | 'done'
  /** Carried out; the connection breaks before the response is there. */
  | 'answer lost'
  /** The connection breaks before the call arrives. */
  | 'never sent'
  /** Given up by its caller, and carried out some time later. */
  | 'late'
  /**
   * Rejected for too much traffic, by a fault of the service, by other traffic on the same items.
   */
  | 'throttled'
  | 'unavailable'
  | 'conflict'
  /** Done in part: a key of a batch is left, a message of a batch rejected. */
  | 'in part'
  /** The process that calls dies, before the call arrives or after it was carried out. */
  | 'dies before'
  | 'dies after'
  /** The process stands still for a while before it sees the response. */
  | 'freezes';

/** Faults other than fates of calls. */
export type Mishap =
  | 'message twice'
  | 'removal forgotten'
  | 'batch again'
  /** For some seconds every call of AWS is rejected. */
  | 'outage'
  | 'schedule never fires'
  | 'schedule fires twice'
  | 'bus rejects an entry'
  | 'notice twice'
  | 'notice late'
  | 'shard splits'
  /** All concurrency is used up: nothing is invoked. */
  | 'function throttled'
  /** Every invocation fails until an operator has noticed. */
  | 'fan-out loses its rights'
  /** A partition takes no calls for a spell. */
  | 'hot partition'
  /** The client of the API hears nothing of a response. */
  | 'client hears nothing';

export type Fault = Exclude<Fate, 'done'> | Mishap;

/** How often what goes wrong; a level. */
export interface Faults {
  /** How often each fate comes, of a thousand calls; the rest is done. */
  readonly fates: Readonly<Partial<Record<Exclude<Fate, 'done'>, number>>>;
  /**
   * Per thousand: messages that arrive twice, batches of the stream that are repeated although they
   * were done, schedules that fire twice.
   */
  readonly repeats: number;
  /** Per thousand schedules, those that never fire. */
  readonly lostSchedules: number;
  /** Per thousand invocations, those that are throttled because all concurrency is used. */
  readonly throttledInvocations: number;
  /** Per thousand calls of the table, those that find a throttled partition. */
  readonly hotPartitions: number;
  /** Per thousand scenarios, those in which fan-out lacks its rights for most of a day. */
  readonly lostRights: number;
  /** How far the clocks of two processes may differ, in ms. */
  readonly skewMs: number;
  /** How far an index may lie behind, in ms. */
  readonly indexLagMs: number;
  /** Outages in a scenario, at most. */
  readonly outages: number;
}

export const calm: Faults = {
  ...{ fates: {}, repeats: 0, lostSchedules: 0, throttledInvocations: 0, hotPartitions: 0, lostRights: 0 },
  ...{ skewMs: 1_000, indexLagMs: 0, outages: 0 },
};

const many = {
  fates: {
    ...{ 'answer lost': 20, 'never sent': 10, throttled: 15, unavailable: 10, conflict: 15, 'in part': 15 },
    ...{ 'dies before': 8, 'dies after': 8, freezes: 3 },
  },
  repeats: 100,
  lostSchedules: 100,
  throttledInvocations: 10,
  hotPartitions: 1,
  lostRights: 30,
  skewMs: 1_000,
  indexLagMs: 1_000,
  outages: 2,
} as const satisfies Faults;

export const levels = {
  none: calm,
  few: {
    fates: {
      ...{ 'answer lost': 4, 'never sent': 3, throttled: 3, unavailable: 3, conflict: 3, 'in part': 3 },
      ...{ 'dies before': 2, 'dies after': 2, freezes: 1 },
    },
    repeats: 20,
    lostSchedules: 10,
    throttledInvocations: 2,
    hotPartitions: 0.2,
    lostRights: 10,
    skewMs: 1_000,
    indexLagMs: 1_000,
    outages: 1,
  },
  many,
  /** In addition, calls without a waiting caller are carried out late. */
  ghosts: { ...many, fates: { ...many.fates, late: 20 } },
} as const satisfies Record<string, Faults>;

export type Level = keyof typeof levels;
export const isLevel = (text: string): text is Level => Object.hasOwn(levels, text);

const longestUntilOutageMs = 600_000;
const longestOutageMs = 20_000;

/**
 * All faults of a scenario: drawn and counted here, and left out here in a search for a shorter
 * story.
 */
export class FaultSource {
  /** The level of faults that may happen now. */
  level: Faults = calm;
  calls = 0;
  readonly tally = new Map<Fault, number>();
  /**
   * Faults that happened, in order: process and number of the call, or message. Names are equal in
   * every replay.
   */
  readonly met: string[] = [];
  readonly #only: ReadonlySet<string> | undefined;
  readonly #note: (fault: Fault, name: string) => void;
  #outages: readonly { readonly fromMs: number; readonly untilMs: number }[] = [];

  /**
   * `only` names the faults that may happen, all by default; `note` receives faults that hit no
   * call.
   */
  constructor(only?: ReadonlySet<string>, note: (fault: Fault, name: string) => void = () => undefined) {
    this.#only = only;
    this.#note = note;
  }

  /**
   * Whether the fault hits `name`. It is drawn even if it is left out, so that other draws do not
   * change.
   */
  befalls(fault: Fault, name: string, perThousand: number, random: Random): boolean {
    if (!random.chance(perThousand / 1000) || !this.#happens(fault, name)) return false;
    this.#note(fault, name);
    return true;
  }

  /**
   * Outages of up to twenty seconds, while people are at work: longer than clients try, and than
   * some of ours do.
   */
  drawOutages(nowMs: number, random: Random): void {
    this.#outages = Array.from({ length: this.level.outages }, (_, number) => {
      const fromMs = nowMs + random.below(longestUntilOutageMs);
      return { number, fromMs, untilMs: fromMs + random.below(longestOutageMs) };
    }).filter(({ number, fromMs, untilMs }) => {
      const happens = this.#happens('outage', String(number));
      if (happens) this.#note('outage', `${Math.round((untilMs - fromMs) / 1000)} s, in ${Math.round((fromMs - nowMs) / 1000)} s`);
      return happens;
    });
  }

  /** Draws the fate of a call. */
  fate(possible: readonly Fate[], name: string, nowMs: number, random: Random): Fate {
    this.calls += 1;
    const { fates } = this.level;
    let left = random.fraction() * 1000;
    for (const fate of possible) {
      if (fate === 'done') continue;
      left -= fates[fate] ?? 0;
      if (left < 0) return this.#happens(fate, name) ? fate : 'done';
    }
    const isOut = possible.includes('unavailable') && this.#outages.some(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs);
    return isOut ? 'unavailable' : 'done';
  }

  #happens(fault: Fault, name: string): boolean {
    const id = `${fault}: ${name}`;
    if (this.#only && !this.#only.has(id)) return false;
    this.tally.set(fault, (this.tally.get(fault) ?? 0) + 1);
    this.met.push(id);
    return true;
  }
}
