import type { ParkingLot } from '../../../shared/providers/parking.ts';
import { connectionFates, type Process, type World } from '../scheduler/process.ts';
import { rejectIf, weighsMore } from './calls.ts';
import type { QueueModel } from './queue.ts';

const longestNoticeMs = 5_000;

/** An S3 bucket that sends a message about every object to a queue. */
export class ParkingModel {
  readonly objects = new Map<string, string>();
  readonly #world: World;
  readonly #notices: QueueModel;

  constructor(world: World, notices: QueueModel) {
    this.#world = world;
    this.#notices = notices;
  }

  /** Returns the bucket for a process. Its client tries once. */
  from(process: Process): ParkingLot {
    const ask = <Result>(what: string, carry: () => Result): Promise<Result> =>
      process
        .call({
          what,
          faults: [...connectionFates, 'unavailable', 'throttled', 'late'],
          carry: (rejection) => {
            rejectIf(rejection, 'S3');
            return carry();
          },
        })
        .catch((error: unknown) => {
          weighsMore(process);
          throw error;
        });
    return {
      park: (key, json) => ask(`park ${key}`, () => this.leave(key, json)),
      fetch: (key) => ask(`fetch ${key}`, () => this.objects.get(key)),
    };
  }

  /** Stores an object as Lambda does. */
  leave(key: string, json: string): void {
    const { scheduler } = this.#world;
    this.objects.set(key, json);
    const body = JSON.stringify({
      Records: [{ eventName: 'ObjectCreated:Put', s3: { object: { key: encodeURIComponent(key).replaceAll('%2F', '/') } } }],
    });
    scheduler.after(scheduler.stream(`notice of ${key}`).below(longestNoticeMs), () => this.#notices.put({ body }));
  }
}
