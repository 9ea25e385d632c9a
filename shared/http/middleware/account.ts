import { assertPlan, assertServed } from '../../auth/authenticate.ts';
import { type Middleware, requireFact } from '../facts.ts';

/** The account's plan must include the REST API (§ Authentication 9). */
export const plan: Middleware = {
  before({ event: { facts } }) {
    assertPlan(requireFact(facts.account));
  },
};

/** The account must be active or in its grace period (§ Authentication 9). */
export const accountStatus: Middleware = {
  before({ event: { facts } }) {
    assertServed(requireFact(facts.account));
  },
};
