import type { Invariant } from './invariant.ts';

/** Not a guarantee of the service: the other invariants rely on it. */
export const understood: Invariant = {
  number: 0,
  name: 'the models understood everything that they were asked',
  breaches: ({ region }) => [...new Set(region.world.notUnderstood)],
};
