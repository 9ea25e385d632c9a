import type { ScheduledMessage, Scheduler as Schedules } from '../../../shared/providers/scheduler.ts';
import { connectionFates, type Process, type World } from '../scheduler/process.ts';
import { rejectIf, short, withRetries } from './calls.ts';
import type { QueueModel } from './queue.ts';

const longestDelayMs = 60_000;

/** One-time schedules. Each fires late, sometimes twice or never, and is then deleted. */
export class SchedulesModel {
  readonly #world: World;
  readonly #queue: QueueModel;
  readonly #names = new Set<string>();

  constructor(world: World, queue: QueueModel) {
    this.#world = world;
    this.#queue = queue;
  }

  get size(): number {
    return this.#names.size;
  }

  from(process: Process): Schedules {
    return {
      schedule: (message) =>
        withRetries(process, {
          what: () => short(`schedule ${message.body} at ${new Date(message.atMs).toISOString()}`),
          faults: [...connectionFates, 'throttled', 'unavailable', 'late'],
          carry: (rejection) => {
            rejectIf(rejection, 'The scheduler');
            this.#make(message);
          },
        }),
    };
  }

  #make(message: ScheduledMessage): void {
    if (this.#names.has(message.name)) return;
    this.#names.add(message.name);
    const { scheduler, faults } = this.#world;
    const random = scheduler.stream(message.name);
    const waitMs = Math.max(0, Math.ceil(message.atMs / 1000) * 1000 - scheduler.now());
    scheduler.after(waitMs + random.below(longestDelayMs), () => {
      this.#names.delete(message.name);
      if (faults.befalls('schedule never fires', message.name, faults.level.lostSchedules, random))
        return scheduler.note('schedule', () => short(`never fires: ${message.body}`));
      this.#queue.put(message);
      if (faults.befalls('schedule fires twice', message.name, faults.level.repeats, random)) this.#queue.put(message);
    });
  }
}
