import type { Route } from '../../core/routes.ts';
import type { Middleware } from '../facts.ts';
import { assertAllowed, rateRules, ruleOf } from '../rate-limits.ts';

/** Limit of the client's address, on endpoints for publishable keys (§ Limits). */
export const addressLimit: Middleware = {
  async before({ event: { facts } }) {
    assertAllowed(await facts.addressBucket(), rateRules.publicIp);
  },
};

/** Limit of the key. A success names it in `X-RateLimit-Limit`. */
export const keyLimit = (route: Route): Middleware => {
  const rule = ruleOf(route);
  return {
    async before({ event: { facts } }) {
      assertAllowed(await facts.keyBucket(), rule);
    },
    after({ response }) {
      if (response) response.headers['X-RateLimit-Limit'] = String(rule.limit);
    },
  };
};
