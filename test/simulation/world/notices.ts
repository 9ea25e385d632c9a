import type { Notice } from '../../../shared/domain/account/notice.ts';
import type { NoticeBus } from '../../../shared/providers/notice-bus.ts';
import { connectionFates, type Process, type World } from '../scheduler/process.ts';
import { rejectIf, weighsMore } from './calls.ts';

/** The event bus of the platform. A call may succeed in part. */
export class NoticesModel {
  readonly sent: { readonly notice: Notice; readonly atMs: number }[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the bus for a process. */
  from(process: Process): NoticeBus {
    const { scheduler, faults } = this.#world;
    const random = scheduler.stream(`notices of ${process.name}`);
    return {
      publish: (notices) =>
        process
          .call({
            what: `publish ${notices.map(({ id }) => id).join(' ')}`,
            faults: [...connectionFates, 'unavailable', 'throttled', 'late'],
            carry: (rejection) => {
              rejectIf(rejection, 'EventBridge');
              const accepted = notices.filter(({ id }) => !faults.befalls('bus rejects an entry', id, faults.level.repeats, random));
              for (const notice of accepted) this.sent.push({ notice, atMs: scheduler.now() });
              return accepted;
            },
          })
          .catch((error: unknown) => {
            weighsMore(process);
            throw error;
          }),
    };
  }
}
