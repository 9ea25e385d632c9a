import type { Invariant } from './invariant.ts';

/** Not a promise of the service, but what makes the others worth anything. */
export const understood: Invariant = {
  number: 0,
  name: 'the models understood everything that they were asked',
  breaches: ({ region }) => [...new Set(region.world.notUnderstood)],
};
