import { keepCatalog } from './catalog.ts';
import { serve } from './desk.ts';
import { importBooks } from './importer.ts';
import { integrate } from './integrator.ts';
import { keepKeys } from './key-keeper.ts';
import { comeBackLate } from './latecomer.ts';
import { keepShop } from './merchant.ts';
import { operate } from './operator.ts';
import type { Stage } from './person.ts';
import { guardPrivacy } from './privacy-officer.ts';

/** Everybody who works for a tenant, or against it. */
export const cast: readonly ((stage: Stage) => Promise<void>)[] = [
  comeBackLate,
  guardPrivacy,
  importBooks,
  integrate,
  keepCatalog,
  keepKeys,
  keepShop,
  operate,
  serve('a'),
  serve('b'),
];
