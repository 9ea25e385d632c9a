import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { customerName, emailKey } from '../../shared/domain/customer/record.ts';
import { eraseCustomer as withoutPerson } from '../../shared/domain/erasure.ts';
import type { Erasure } from '../../shared/table/erasures.ts';
import type { AccountAction, ActionServices } from './action.ts';
import { type CustomerErasure, eraseStages } from './erase-customer.ts';
import { budgetMs, inParallel } from './in-steps.ts';
import { retryStale } from './retry-stale.ts';

const input = record({ id: requiredText() });

/**
 * The customer loses what names them, and their email is free again, in one transaction with the record of the erasure: from then on
 * no order can be made for them, and whoever dies on the way is continued by the next call.
 */
const beginErasure = (services: ActionServices, account: string, id: string): Promise<Erasure> =>
  retryStale(services, async () => {
    const { store, clock } = services;
    const [stored, begun] = await Promise.all([store.customers.get(account, id), store.erasures.get(account, id)]);
    if (!stored) throw notFound('Customer');
    if (begun) return begun;
    const { record: customer } = stored;
    const now = isoFromMs(clock.now());
    const erasure: Erasure = {
      person: { id, email: customer.email && emailKey(customer.email), phone: customer.phone, name: customerName(customer) },
      erased_at: customer.erased_at ?? now,
      stage: 0,
      after: null,
      counts: {},
    };
    const erased = { ...withoutPerson(customer), updated_at: now, erased_at: erasure.erased_at };
    await store.commit([
      store.erasures.beginWrite(account, id, erasure),
      ...(customer.erased_at === undefined ? store.customers.replaceWrites(account, stored, erased) : []),
    ]);
    return erasure;
  });

const added = (counts: Erasure['counts'], more: Erasure['counts']): Erasure['counts'] => ({
  ...counts,
  ...Object.fromEntries(Object.entries(more).map(([kind, count]) => [kind, (counts[kind] ?? 0) + count])),
});

/** One page of one kind; where the erasure stands afterwards. */
const eraseNext = async ({ store }: ActionServices, common: CustomerErasure, erasure: Erasure): Promise<Erasure> => {
  const stage = eraseStages[erasure.stage];
  if (!stage) return { ...erasure, person: null };
  const { items, next } = await store.holdings.page(common.account, stage.holding, erasure.after ?? undefined);
  const changed = await inParallel(items, (item) => stage.erase(common, item));
  return {
    ...erasure,
    counts: changed.reduce(
      (counts: Erasure['counts'], one) => added(counts, typeof one === 'boolean' ? { [stage.name]: Number(one) } : one),
      added(erasure.counts, { [stage.name]: 0 }),
    ),
    stage: next === undefined ? erasure.stage + 1 : erasure.stage,
    after: next ?? null,
  };
};

export const eraseCustomer: AccountAction<typeof input> = {
  summary: 'Takes a person out of everything kept of them; orders keep amounts and goods. `erased: false`: call again.',
  account: 'required',
  input,
  async resume(services, { id }, { id: account }) {
    const { store, clock } = services;
    const startMs = clock.now();
    let erasure = await beginErasure(services, account, id);
    while (erasure.person && clock.now() - startMs < budgetMs) {
      const { person, erased_at } = erasure;
      erasure = await eraseNext(services, { ...services, account, person, erased_at, now: isoFromMs(clock.now()) }, erasure);
      await store.erasures.proceed(account, id, erasure);
    }
    return { id, erased: erasure.person === null, erased_at: erasure.erased_at, ...erasure.counts };
  },
};
