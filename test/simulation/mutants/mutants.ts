import { events } from './events.ts';
import { money } from './money.ts';
import type { Mutant } from './mutant.ts';
import { persons } from './persons.ts';
import { requests } from './requests.ts';

/** Every invariant needs a mutant that breaks it; otherwise it proves nothing. */
export const mutants: readonly Mutant[] = [...requests, ...events, ...money, ...persons];
