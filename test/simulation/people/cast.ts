import type { Random } from '../scheduler/random.ts';
import { audit } from './auditor.ts';
import { keepBooks } from './bookkeeper.ts';
import { keepCatalog } from './catalog.ts';
import { serve } from './desk.ts';
import { importBooks } from './importer.ts';
import { integrate } from './integrator.ts';
import { keepKeys } from './key-keeper.ts';
import { shareKeys } from './key-sharer.ts';
import { comeBackLate } from './latecomer.ts';
import { sellAtMarket } from './market.ts';
import { keepShop } from './merchant.ts';
import { operate } from './operator.ts';
import type { Play, Stage } from './person.ts';
import { guardPrivacy } from './privacy-officer.ts';
import { read } from './reader.ts';
import { giveBack } from './refunder.ts';
import { rush } from './rush.ts';
import { buy } from './shopper.ts';
import { testALot } from './tester.ts';
import { turnOver } from './turnover.ts';

type Part = (stage: Stage) => Promise<void>;

const always: readonly Part[] = [integrate, keepShop];
const everywhere: readonly Part[] = [comeBackLate, importBooks, keepCatalog, operate, turnOver, testALot, read];

/**
 * The people of the two plays change the same fields. The invariants of each play know only its own
 * people's actions.
 */
const casts: Readonly<Record<Play, readonly Part[]>> = {
  office: [...everywhere, guardPrivacy, keepKeys, serve('a'), serve('b'), audit, sellAtMarket],
  shop: [...everywhere, buy, keepBooks, rush, shareKeys, giveBack, audit, sellAtMarket],
};

export const choosePlay = (random: Random): Play => (random.chance(0.5) ? 'shop' : 'office');

/** Returns the people of a tenant: some always, and about half of the others. */
export const peopleOf = (play: Play, { region, number }: Stage): readonly Part[] => {
  const random = region.world.scheduler.stream(`who comes to ${number}`);
  return [...always, ...casts[play].filter(() => random.chance(0.55))];
};
