import type { Route } from '../../core/routes.ts';
import type { Middleware } from '../facts.ts';
import { idempotencyKey } from '../request.ts';
import { replayHeader } from '../responses.ts';

/**
 * Checks the syntax of the Idempotency-Key (§ Limits, Idempotency rule 6) and logs a replay. The
 * commit of the operation finds and stores responses.
 */
export const idempotency = (route: Route): Middleware => ({
  before({ event }) {
    idempotencyKey(event, route);
  },
  after({ event: { logged }, response }) {
    if (response?.headers[replayHeader]) logged['replay'] = true;
  },
});
