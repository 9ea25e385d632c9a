import { keepBooks } from './bookkeeper.ts';
import { keepCatalog } from './catalog.ts';
import { importBooks } from './importer.ts';
import { integrate } from './integrator.ts';
import { comeBackLate } from './latecomer.ts';
import { keepShop } from './merchant.ts';
import { operate } from './operator.ts';
import type { Stage } from './person.ts';
import { rush } from './rush.ts';
import { buy } from './shopper.ts';

/** Everybody who works for a tenant, or against it. */
export const cast: readonly ((stage: Stage) => Promise<void>)[] = [
  integrate,
  comeBackLate,
  keepShop,
  keepCatalog,
  importBooks,
  operate,
  buy,
  keepBooks,
  rush,
];
