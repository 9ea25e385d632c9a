import { assertKeyType, assertScope } from '../../auth/authenticate.ts';
import type { Route } from '../../core/routes.ts';
import type { Middleware } from '../facts.ts';

/** Only a secret key may call a route for secret keys (§ Authentication 3). */
export const keyType = (route: Route): Middleware => ({
  async before({ event: { facts } }) {
    assertKeyType(await facts.storedKey(), route);
  },
});

/** The key must have the route's scope (§ Authentication 6). */
export const scopes = (route: Route): Middleware => ({
  async before({ event: { facts } }) {
    assertScope(await facts.storedKey(), route);
  },
});
