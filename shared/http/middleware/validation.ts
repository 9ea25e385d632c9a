import type { Middleware } from '../facts.ts';

/** Parses body, query and path by the schemas of the route (decisions §3). */
export const validation: Middleware = {
  async before({ event: { facts } }) {
    await facts.parsed();
  },
};
