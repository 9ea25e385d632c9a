import { aimAtOrderLimit } from './exact-orders.ts';
import { aimAtRefunds } from './exact-refunds.ts';
import { aimAtRates } from './exact-rush.ts';
import type { Stage } from './person.ts';

/** Aims at the last of what is allowed, and at one more, after the faults have ended. */
export const aimAtEdges = async (stage: Stage): Promise<void> => {
  await aimAtOrderLimit(stage);
  await aimAtRefunds(stage);
  await aimAtRates(stage);
};
