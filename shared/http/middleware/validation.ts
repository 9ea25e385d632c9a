import { type Middleware, requireFact } from '../facts.ts';

/** Parses body, query and path by the schemas of the route (decisions §3). */
export const validation: Middleware = {
  before({ event: { facts } }) {
    requireFact(facts.parsed);
  },
};
