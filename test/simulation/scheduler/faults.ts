import type { Random } from './random.ts';

/** The fate of a call. */
export type Fate =
  /** Executed, and its response arrives. */
  | 'done'
  /** Executed, but the connection breaks before the response arrives. */
  | 'answer lost'
  /** The connection breaks before the call arrives. */
  | 'never sent'
  /** The caller gives up, and the call is executed later. */
  | 'late'
  /** Rejected because of a limit, an error of the service, or other traffic on the same items. */
  | 'throttled'
  | 'unavailable'
  | 'conflict'
  /** Executed in part: a key or a message of a batch is not handled. */
  | 'in part'
  /** The calling process dies before the call arrives, or after its execution. */
  | 'dies before'
  | 'dies after'
  /** The process is suspended for a while before it receives the response. */
  | 'freezes';

/** Faults other than fates of calls. */
export type Mishap =
  | 'message twice'
  | 'removal forgotten'
  | 'batch again'
  /** AWS rejects every call for some seconds. */
  | 'outage'
  | 'schedule never fires'
  | 'schedule fires twice'
  | 'bus rejects an entry'
  | 'notice twice'
  | 'notice late'
  | 'shard splits'
  /** Lambda has no concurrency left and invokes no function. */
  | 'function throttled'
  /** Every invocation fails until an operator repairs it. */
  | 'fan-out loses its rights'
  /** For hours, the table rejects its calls for endpoints, or Lambda starts no process. */
  | 'deliver loses its rights'
  | 'deliver never starts'
  /** A partition rejects all calls for a while. */
  | 'hot partition'
  /** The client of the API receives no response. */
  | 'client hears nothing';

export type Fault = Exclude<Fate, 'done'> | Mishap;

/** A level: how often each fault happens. */
export interface Faults {
  /** How often each fate happens, per thousand calls. All other calls are done. */
  readonly fates: Readonly<Partial<Record<Exclude<Fate, 'done'>, number>>>;
  /**
   * Per thousand: messages that arrive twice, stream batches that are repeated after success,
   * schedules that fire twice.
   */
  readonly repeats: number;
  /** Schedules that never fire, per thousand. */
  readonly lostSchedules: number;
  /** Invocations that are throttled because no concurrency is left, per thousand. */
  readonly throttledInvocations: number;
  /** Calls of the table that start a throttled partition, per thousand. */
  readonly hotPartitions: number;
  /** Scenarios in which fan-out lacks its rights for most of a day, per thousand. */
  readonly lostRights: number;
  /** Scenarios without an operator in which `deliver` fails for hours, per thousand. */
  readonly badHours: number;
  /** The most by which the clocks of two processes differ, in ms. */
  readonly skewMs: number;
  /** The most that an index lags, in ms. */
  readonly indexLagMs: number;
  /** The most outages in a scenario. */
  readonly outages: number;
}

export const calm: Faults = {
  ...{ fates: {}, repeats: 0, lostSchedules: 0, throttledInvocations: 0, hotPartitions: 0, lostRights: 0, badHours: 0 },
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
  badHours: 500,
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
    badHours: 200,
    skewMs: 1_000,
    indexLagMs: 1_000,
    outages: 1,
  },
  many,
  /** In addition, some calls are executed after their caller gave up. */
  ghosts: { ...many, fates: { ...many.fates, late: 20 } },
} as const satisfies Record<string, Faults>;

export type Level = keyof typeof levels;
export const isLevel = (text: string): text is Level => Object.hasOwn(levels, text);

const longestUntilOutageMs = 600_000;
const longestOutageMs = 20_000;

/**
 * Draws and counts all faults of a scenario. A search for a shorter story leaves out faults here.
 */
export class FaultSource {
  /** The present level of faults. */
  level: Faults = calm;
  calls = 0;
  readonly tally = new Map<Fault, number>();
  /**
   * Names of the faults that happened, in order: process and number of the call, or message. They
   * are the same in every replay.
   */
  readonly met: string[] = [];
  readonly #only: ReadonlySet<string> | undefined;
  readonly #note: (fault: Fault, name: string) => void;
  #outages: readonly { readonly fromMs: number; readonly untilMs: number }[] = [];

  /**
   * `only` names the faults that may happen; all by default. `note` receives faults that do not
   * concern a call.
   */
  constructor(only?: ReadonlySet<string>, note: (fault: Fault, name: string) => void = () => undefined) {
    this.#only = only;
    this.#note = note;
  }

  /**
   * Whether the fault happens to `name`. Draws a number even if the fault is left out, so that
   * other draws do not change.
   */
  befalls(fault: Fault, name: string, perThousand: number, random: Random): boolean {
    if (!random.chance(perThousand / 1000) || !this.#happens(fault, name)) return false;
    this.#note(fault, name);
    return true;
  }

  /**
   * Draws outages of up to twenty seconds while people act. That is longer than clients and some
   * functions retry.
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
    let remaining = random.fraction() * 1000;
    for (const fate of possible) {
      if (fate === 'done') continue;
      remaining -= fates[fate] ?? 0;
      if (remaining < 0) return this.#happens(fate, name) ? fate : 'done';
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
