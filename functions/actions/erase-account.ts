import type { ApiKey } from '../../shared/domain/account/api-key.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { formerEndpoint } from '../../shared/table/endpoints.ts';
import { isAccountErasure } from '../../shared/table/erasures.ts';
import type { Holding } from '../../shared/table/holdings.ts';
import type { Item } from '../../shared/table/write.ts';
import type { ActionServices } from './action.ts';
import { inParallel } from './in-steps.ts';

/** Deleted products leave the search engine by messages of the search queue, whose reader has to know where the engine is. */
export const searchGraceDays = 14;

type Services = Pick<ActionServices, 'store' | 'clock'>;

interface Step {
  readonly holding: Holding;
  /** Removes the record with what is found by it; false where it stays. */
  readonly remove?: (services: Services, account: string, item: Item) => Promise<boolean>;
}

const removeKey: Step['remove'] = async ({ store }, _account, item) => {
  await store.commit(store.apiKeys.deleteWrites(item['data'] as ApiKey));
  return true;
};

const removeSettings: Step['remove'] = async ({ store, clock }, account, item) => {
  if (item['expires_at'] !== undefined) return false;
  const { search } = item['document'] as Settings;
  const expiresSeconds = Math.floor(clock.now() / 1000) + searchGraceDays * 86_400;
  if (search?.admin_key) await store.commit([store.accounts.putSettingsWrite(account, { search }, expiresSeconds)]);
  else await store.holdings.remove(item);
  return true;
};

const removePayment: Step['remove'] = async ({ store }, account, pointer) => {
  await store.commit(store.payments.deleteWrites(account, pointer));
  return true;
};

const removeErasure: Step['remove'] = async ({ store }, _account, item) => {
  if (isAccountErasure(item)) return false;
  await store.holdings.remove(item);
  return true;
};

/** What a token was for names the account as well; it goes first, as the answer leads to it. */
const removeAnswer: Step['remove'] = async ({ store }, _account, item) => {
  await store.actionTokens.forget(item);
  await store.holdings.remove(item);
  return true;
};

/** Those that stand, and those whose log still does. */
const endpointsOf = async ({ store }: Services, account: string): Promise<readonly string[]> => {
  const [standing, registry] = await Promise.all([
    store.endpoints.all(account),
    store.holdings.page(account, { kind: 'endpointRegistry' }),
  ]);
  return [...standing.map(({ id }) => id), ...registry.items.flatMap((item) => formerEndpoint(item) ?? [])];
};

/** Keys first: from then on nobody gets in. What others are found by goes after them. */
const stepsOf = async (services: Services, account: string): Promise<readonly Step[]> => [
  { holding: { kind: 'apiKey' }, remove: removeKey },
  { holding: { kind: 'settings' }, remove: removeSettings },
  { holding: { kind: 'checkoutSession' } },
  { holding: { kind: 'customer' } },
  { holding: { kind: 'customerEmail' } },
  { holding: { kind: 'paymentPointer' }, remove: removePayment },
  { holding: { kind: 'order' } },
  { holding: { kind: 'expense' } },
  { holding: { kind: 'feeLine' } },
  { holding: { kind: 'unbookedFee' } },
  { holding: { kind: 'product' } },
  { holding: { kind: 'quickSale' } },
  { holding: { kind: 'inventoryItem' } },
  { holding: { kind: 'counter' } },
  { holding: { kind: 'idempotency' }, remove: removeAnswer },
  { holding: { kind: 'event' } },
  ...(await endpointsOf(services, account)).map((of): Step => ({ holding: { kind: 'deliveryRecord', of } })),
  { holding: { kind: 'endpoint' } },
  { holding: { kind: 'endpointRegistry' } },
  { holding: { kind: 'erasure' }, remove: removeErasure },
];

export interface Pass {
  readonly removed: number;
  /** False where the time was up. */
  readonly complete: boolean;
}

/** Deletes what the account holds, kind by kind; a pass that was cut off is gone on with by the next one, which finds less. */
export const eraseHoldings = async (services: Services, account: string, isInTime: () => boolean): Promise<Pass> => {
  let removed = 0;
  for (const { holding, remove } of await stepsOf(services, account)) {
    let after: string | undefined;
    do {
      if (!isInTime()) return { removed, complete: false };
      const page = await services.store.holdings.page(account, holding, after);
      const gone = await inParallel(page.items, async (item) => {
        if (remove) return await remove(services, account, item);
        await services.store.holdings.remove(item);
        return true;
      });
      removed += gone.filter(Boolean).length;
      after = page.next;
    } while (after !== undefined);
  }
  return { removed, complete: true };
};
