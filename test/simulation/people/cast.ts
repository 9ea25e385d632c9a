import { serve } from './desk.ts';
import { integrate } from './integrator.ts';
import { keepKeys } from './key-keeper.ts';
import { comeBackLate } from './latecomer.ts';
import { keepShop } from './merchant.ts';
import { operate } from './privacy-officer.ts';
import type { Stage } from './person.ts';

/** Everybody who works for a tenant, or against it. */
export const cast: readonly ((stage: Stage) => Promise<void>)[] = [
  ...[integrate, comeBackLate, keepShop],
  ...[serve('a'), serve('b'), operate, keepKeys],
];
