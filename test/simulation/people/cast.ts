import type { Scheduler } from '../scheduler/scheduler.ts';
import { keepAddresses } from './address-keeper.ts';
import { audit } from './auditor.ts';
import { keepBooks } from './bookkeeper.ts';
import { keepCatalog } from './catalog.ts';
import { clerk } from './clerk.ts';
import { serve } from './desk.ts';
import { shareAPhone } from './household.ts';
import { importBooks } from './importer.ts';
import { integrate } from './integrator.ts';
import { keepKeys } from './key-keeper.ts';
import { shareKeys } from './key-sharer.ts';
import { comeBackLate } from './latecomer.ts';
import { changeLimits } from './limit-changer.ts';
import { sellAtMarket } from './market.ts';
import { keepShop } from './merchant.ts';
import { operate } from './operator.ts';
import type { Play, Stage } from './person.ts';
import { guardPrivacy } from './privacy-officer.ts';
import { read } from './reader.ts';
import { giveBack } from './refunder.ts';
import { rush } from './rush.ts';
import { changeSettings } from './settings-changer.ts';
import { buy } from './shopper.ts';
import { useTabs } from './tabs.ts';
import { testALot } from './tester.ts';
import { turnOver } from './turnover.ts';
import { sellVariants } from './variant-seller.ts';
import { payLate } from './waiting-shopper.ts';

type Part = (stage: Stage) => Promise<void>;

const always: readonly Part[] = [integrate, keepShop];
const everywhere: readonly Part[] = [comeBackLate, importBooks, keepCatalog, operate, turnOver, testALot, read];

/**
 * Bookkeepers and privacy officers change the same fields, and only the latter record their changes.
 * So they have separate plays, and the invariants that need the record have no scenario of the shop.
 */
const casts: Readonly<Record<Play, readonly Part[]>> = {
  office: [...everywhere, guardPrivacy, keepKeys, serve('a'), serve('b'), keepAddresses, audit, sellAtMarket],
  shop: [...everywhere, buy, keepBooks, rush, shareKeys, giveBack, useTabs, changeLimits, audit, sellAtMarket, sellVariants, clerk],
  mixed: [...everywhere, serve('a'), giveBack, keepAddresses, audit, sellAtMarket, sellVariants, payLate, shareAPhone, changeSettings],
};
/** Without these, a mixed scenario has nothing of its own. */
const leads: Readonly<Record<Play, readonly Part[]>> = { office: [], shop: [], mixed: [buy, guardPrivacy] };

export const choosePlay = ({ stream }: Pick<Scheduler, 'stream'>): Play => {
  if (stream('mixed play').chance(0.3)) return 'mixed';
  return stream('play').chance(0.5) ? 'shop' : 'office';
};

/**
 * Returns the people of a tenant: some always, and about half of the others; an operator only in an
 * attended region.
 */
export const peopleOf = (play: Play, { region, number }: Stage): readonly Part[] => {
  const random = region.world.scheduler.stream(`who comes to ${number}`);
  const chosen = casts[play].filter(() => random.chance(0.55));
  return [...always, ...leads[play], ...chosen.filter((part) => region.isAttended || part !== operate)];
};
