import { assertKeyType, assertScope } from '../../auth/authenticate.ts';
import type { Route } from '../../core/routes.ts';
import { type Middleware, requireFact } from '../facts.ts';

/** Only a secret key may call a route for secret keys (§ Authentication 3). */
export const keyType = (route: Route): Middleware => ({
  before({ event: { facts } }) {
    assertKeyType(requireFact(facts.key), route);
  },
});

/** The key must have the route's scope (§ Authentication 6). */
export const scopes = (route: Route): Middleware => ({
  before({ event: { facts } }) {
    assertScope(requireFact(facts.key), route);
  },
});
