import { calendarOf } from './calendar.ts';
import { type Random, streamOf } from './random.ts';

/** The work did not end within the scenario's limits. */
export class NeverEnds extends Error {
  override readonly name = 'NeverEnds';
}

/** Virtual time and its events. */
export interface Scheduler {
  /** Returns the random numbers of a name. A second call with the name starts again. */
  stream(name: string): Random;
  /**
   * Returns the time in milliseconds since the epoch. It changes only from one event to the next.
   */
  now(): number;
  /** Runs something later. Events of the same time run in the order of their calls. */
  after(delayMs: number, run: () => void): Timer;
  sleep(ms: number): Promise<void>;
  /** Writes a line of the trace if there is a reader, and builds the text only then. */
  note(actor: string, what: string | (() => string)): void;
  /**
   * Advances time until the work ends. Rejects with the work's error, or if time or events run out.
   */
  run<Result>(work: Promise<Result>): Promise<Result>;
}

export interface Timer {
  cancel(): void;
}

interface Event extends Timer {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | undefined;
}

export interface Limits {
  readonly virtualMs: number;
  readonly events: number;
}

/** Kept before a scenario replaces it. It runs after all settled promises. */
const settle = setImmediate;

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A binary heap of events by time. */
class Agenda {
  readonly #events: Event[] = [];

  push(event: Event): void {
    const events = this.#events;
    let at = events.length;
    events.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, events[parent] as Event)) break;
      events[at] = events[parent] as Event;
      at = parent;
    }
    events[at] = event;
  }

  pop(): Event | undefined {
    const events = this.#events;
    const top = events[0];
    const last = events.pop();
    if (!last || last === top) return top;
    let at = 0;
    for (let child = 1; child < events.length; child = 2 * at + 1) {
      const right = child + 1;
      const next = right < events.length && isBefore(events[right] as Event, events[child] as Event) ? right : child;
      if (!isBefore(events[next] as Event, last)) break;
      events[at] = events[next] as Event;
      at = next;
    }
    events[at] = last;
    return top;
  }
}

/** Returns a duration as hours, minutes and seconds. */
const sinceStart = (ms: number): string =>
  `${String(Math.floor(ms / 3_600_000)).padStart(3)}${new Date(ms % 3_600_000).toISOString().slice(13, 23)}`;

/** Creates a scheduler. `write` receives each line of the trace; absent without a reader. */
export const createScheduler = (seed: number, limits: Limits, write?: (line: string) => void): Scheduler => {
  const agenda = new Agenda();
  const { startMs } = calendarOf(streamOf(seed, 'calendar'));
  let nowMs = startMs;
  let order = 0;

  const scheduler: Scheduler = {
    stream: (name) => streamOf(seed, name),
    now: () => nowMs,
    after(delayMs, run) {
      const event: Event = {
        atMs: nowMs + Math.max(0, Math.round(delayMs)),
        order: order++,
        run,
        cancel() {
          event.run = undefined;
        },
      };
      agenda.push(event);
      return event;
    },
    sleep: (ms) => new Promise((resolve) => scheduler.after(ms, resolve)),
    note(actor, what) {
      write?.(`${sinceStart(nowMs - startMs)}  ${actor.padEnd(14)}  ${typeof what === 'string' ? what : what()}`);
    },
    async run(work) {
      let ended = false;
      const watched = work.finally(() => {
        ended = true;
      });
      watched.catch(() => undefined);
      for (let events = 0; ; events++) {
        await new Promise<void>((resolve) => settle(() => resolve()));
        if (ended) return await watched;
        const event = agenda.pop();
        if (!event) throw new NeverEnds('Everybody waits, and nothing is left that could wake them.');
        if (events > limits.events) throw new NeverEnds(`More than ${limits.events} events.`);
        if (event.atMs - startMs > limits.virtualMs) throw new NeverEnds(`More than ${limits.virtualMs / 3_600_000} virtual hours.`);
        if (!event.run) continue;
        nowMs = event.atMs;
        event.run();
      }
    },
  };
  return scheduler;
};
