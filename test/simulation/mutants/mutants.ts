import { accounts } from './accounts.ts';
import { deliveries } from './deliveries.ts';
import { edges } from './edges.ts';
import { fairness } from './fairness.ts';
import { money } from './money.ts';
import type { Mutant } from './mutant.ts';
import { openWorld } from './open-world.ts';
import { persons } from './persons.ts';
import { pipeline } from './pipeline.ts';
import { requests } from './requests.ts';
import { surfaces } from './surfaces.ts';
import { times } from './times.ts';
import { unattended } from './unattended.ts';

/** Every invariant needs a mutant that breaks it; otherwise it proves nothing. */
export const mutants: readonly Mutant[] = [
  ...requests,
  ...deliveries,
  ...pipeline,
  ...money,
  ...accounts,
  ...persons,
  ...times,
  ...unattended,
  ...fairness,
  ...edges,
  ...surfaces,
  ...openWorld,
];
