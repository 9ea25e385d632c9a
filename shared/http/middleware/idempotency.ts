import type { Route } from '../../core/routes.ts';
import type { Middleware } from '../facts.ts';
import { idempotencyKey } from '../request.ts';
import { replayHeader } from '../responses.ts';

/**
 * Checks only the syntax of the Idempotency-Key (§ Limits, Idempotency rule 6): `../commit.ts`
 * stores responses and replays them. Logs a replay.
 */
export const idempotency = (route: Route): Middleware => ({
  before({ event }) {
    idempotencyKey(event, route);
  },
  after({ event: { logged }, response }) {
    if (response?.headers[replayHeader]) logged['replay'] = true;
  },
});
