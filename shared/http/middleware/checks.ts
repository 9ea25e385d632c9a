import { assertKeyType, assertPlan, assertScope, assertServed } from '../../auth/authenticate.ts';
import type { Route } from '../../core/routes.ts';
import { dayOfUse } from '../../domain/account/record.ts';
import type { ApiServices } from '../exchange.ts';
import type { Facts, Middleware } from '../facts.ts';
import { assertAllowed, rateRules, ruleOf } from '../rate-limits.ts';
import { idempotencyKey } from '../request.ts';
import { replayHeader } from '../responses.ts';

/** A step that only checks: `assert` throws to reject the request. */
const check = (assert: (facts: Facts) => Promise<unknown>): Middleware => ({
  async before({ event: { facts } }) {
    await assert(facts);
  },
});

/** Limit of the client's address, on endpoints for publishable keys (§ Limits). */
export const addressLimit = check(async (facts) => assertAllowed(await facts.addressBucket(), rateRules.publicIp));

/**
 * Authentication: the key must be stored, unrevoked and unexpired (§ Authentication 1 to 5). After a
 * success it stores the day of the key's last use; if that fails, the response stays the same.
 */
export const auth = ({ store }: ApiServices): Middleware => ({
  async before({ event: { facts, logged } }) {
    const { account, id: key } = await facts.storedKey();
    Object.assign(logged, { account, key });
  },
  async after({ event: { facts, nowMs } }) {
    await store.apiKeys.noteUse(await facts.storedKey(), dayOfUse(nowMs)).catch(() => undefined);
  },
});

/** Limit of the key. A success names it in `X-RateLimit-Limit`. */
export const keyLimit = (route: Route): Middleware => {
  const rule = ruleOf(route);
  return {
    ...check(async (facts) => assertAllowed(await facts.keyBucket(), rule)),
    after({ response }) {
      if (response) response.headers['X-RateLimit-Limit'] = String(rule.limit);
    },
  };
};

/** The account's plan must include the REST API (§ Authentication 9). */
export const plan = check(async (facts) => assertPlan(await facts.account()));

/** The account must be active or in its grace period (§ Authentication 9). */
export const accountStatus = check(async (facts) => assertServed(await facts.account()));

/** Only a secret key may call a route for secret keys (§ Authentication 3). */
export const keyType = (route: Route) => check(async (facts) => assertKeyType(await facts.storedKey(), route));

/** The key must have the route's scope (§ Authentication 6). */
export const scopes = (route: Route) => check(async (facts) => assertScope(await facts.storedKey(), route));

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

/** Parses body, query and path by the schemas of the route (decisions §3). */
export const validation = check((facts) => facts.parsed());
