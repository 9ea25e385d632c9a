import { keepCatalog } from './catalog.ts';
import { importBooks } from './importer.ts';
import { integrate } from './integrator.ts';
import { comeBackLate } from './latecomer.ts';
import { keepShop } from './merchant.ts';
import { operate } from './operator.ts';
import type { Stage } from './person.ts';

/** Everybody who works for a tenant, or against it. */
export const cast: readonly ((stage: Stage) => Promise<void>)[] = [integrate, comeBackLate, keepShop, keepCatalog, importBooks, operate];
