import { send } from './integrator.ts';
import type { EndpointAction } from './journal.ts';
import type { Stage } from './person.ts';

const hourMs = 3_600_000;
/** Ages of a rotation: in the grace period, shortly before its end, and shortly after. */
const agesMs = [12.5 * hourMs, 23.5 * hourMs, 24.2 * hourMs];
const mostEndpoints = 2;

/** Tests endpoints for a day after a rotation. The signatures show which secrets are valid. */
export class NightWatch {
  readonly #stage: Stage;
  readonly #due: { readonly id: string; readonly atMs: number }[];

  constructor(stage: Stage) {
    this.#stage = stage;
    const { journal, tenant } = stage;
    const rotations = journal.endpoints.filter(
      ({ kind, outcome, account }) => kind === 'rotate' && outcome === 'done' && account === tenant.account,
    );
    const isGone = ({ id }: EndpointAction) => journal.endpoints.some((one) => one.kind === 'remove' && one.id === id);
    const last = new Map(rotations.filter((action) => !isGone(action)).map((action) => [String(action.id), action]));
    this.#due = [...last.values()]
      .slice(0, mostEndpoints)
      .flatMap(({ id, endedMs }) => agesMs.map((ageMs) => ({ id: String(id), atMs: endedMs + ageMs })))
      .sort((a, b) => a.atMs - b.atMs);
  }

  /** Does what has become due since the last call. */
  async round(): Promise<void> {
    const { region, journal, tenant } = this.#stage;
    while ((this.#due[0]?.atMs ?? Number.POSITIVE_INFINITY) <= region.world.scheduler.now()) {
      const due = this.#due.shift();
      if (due) await send(region, journal, { method: 'POST', path: `/webhooks/${due.id}/test`, key: tenant.key });
    }
  }
}
