import { assertPlan, assertServed } from '../../auth/authenticate.ts';
import type { Middleware } from '../facts.ts';

/** The account's plan must include the REST API (§ Authentication 9). */
export const plan: Middleware = {
  async before({ event: { facts } }) {
    assertPlan(await facts.account());
  },
};

/** The account must be active or in its grace period (§ Authentication 9). */
export const accountStatus: Middleware = {
  async before({ event: { facts } }) {
    assertServed(await facts.account());
  },
};
