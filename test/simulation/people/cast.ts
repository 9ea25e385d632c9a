import type { Random } from '../scheduler/random.ts';
import { keepBooks } from './bookkeeper.ts';
import { keepCatalog } from './catalog.ts';
import { serve } from './desk.ts';
import { importBooks } from './importer.ts';
import { integrate } from './integrator.ts';
import { keepKeys } from './key-keeper.ts';
import { comeBackLate } from './latecomer.ts';
import { keepShop } from './merchant.ts';
import { operate } from './operator.ts';
import type { Play, Stage } from './person.ts';
import { guardPrivacy } from './privacy-officer.ts';
import { rush } from './rush.ts';
import { buy } from './shopper.ts';

type Part = (stage: Stage) => Promise<void>;

const everywhere: readonly Part[] = [comeBackLate, importBooks, integrate, keepCatalog, keepShop, operate];

/** Who works for a tenant, or against it. The two plays change the same things, and laws of either know its own people's deeds only. */
export const casts: Readonly<Record<Play, readonly Part[]>> = {
  office: [...everywhere, guardPrivacy, keepKeys, serve('a'), serve('b')],
  shop: [...everywhere, buy, keepBooks, rush],
};

export const choosePlay = (random: Random): Play => (random.chance(0.5) ? 'shop' : 'office');
