import type { Random } from '../scheduler/random.ts';
import type { Region } from '../world/region.ts';
import type { Journal } from './journal.ts';
import type { Shop } from './storefront.ts';

/** An account and what its people share. */
export interface Tenant {
  readonly account: string;
  /** A secret key with every scope. */
  readonly key: string;
  /** Another key of the account with every scope. */
  readonly otherKey: string;
  /** Ids of its acknowledged endpoints. */
  readonly endpoints: string[];
  /** The currency of its catalog. */
  readonly currency: string;
  readonly shop: Shop;
}

/**
 * Which people act: those who manage customers, keys and accounts; those who buy and keep books; or
 * shoppers at the hosted page while customers and accounts are erased, closed and changed.
 */
export type Play = 'office' | 'shop' | 'mixed';

/** Context of people; each tenant has one of each. */
export interface Stage {
  readonly region: Region;
  readonly journal: Journal;
  readonly play: Play;
  readonly tenant: Tenant;
  /** Number of the tenant, from 1. */
  readonly number: number;
}

export interface Person {
  /** Unique in the scenario. */
  readonly name: string;
  readonly actions: number;
  /** Pause before an action, in milliseconds. */
  readonly pauseMs: (random: Random) => number;
  readonly act: (random: Random, action: number) => Promise<void>;
}

/**
 * Performs actions one after another. Each has its own random numbers, so that leaving one out does
 * not change the others.
 */
export const atWork = async ({ region, journal }: Stage, { name, actions, pauseMs, act }: Person): Promise<void> => {
  const { scheduler } = region.world;
  for (let action = 0; action < actions; action++) {
    const id = `${name}/${action}`;
    const random = scheduler.stream(id);
    await scheduler.sleep(pauseMs(random));
    if (journal.leftOut.has(id)) continue;
    journal.actions.push(id);
    await act(random, action);
  }
};
