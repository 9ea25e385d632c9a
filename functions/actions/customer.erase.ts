import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Customer } from '../../shared/domain/customer/fields.ts';
import { samePhone } from '../../shared/domain/person.ts';
import { stillWaits } from '../../shared/operations/waiting-erasure.ts';
import type { Item } from '../../shared/table/client.ts';
import { type Erasure, type ErasurePosition, isStart, isWaiting, runningErasure } from '../../shared/table/erasures.ts';
import { decodeRecord } from '../../shared/table/records.ts';
import { kinds } from '../../shared/table/schema.ts';
import { idField, inParallel, onAccount, startBudget } from './action.ts';
import { beginErasure, eraseByKind, type SearchedKind, searchedKinds } from './erased-person.ts';
import type { ErasureRun, ErasureServices } from './erased-texts.ts';

/**
 * Erases a customer, as far as one call has time:
 *
 * 1. Completes the account's unfinished erasures if this customer's erasure has begun before. If
 *    there are any, the call ends here; otherwise it erases the customer from the beginning.
 * 2. Begins: removes the person from the customer, and records whom to search for.
 * 3. Searches kind by kind and page by page, and removes the person. Stores the progress after each
 *    page.
 * 4. Notes the other customers with the person's phone.
 * 5. Ends: removes the person from the erasure. If a payment is running, waits instead, until the
 *    next call begins step 3 again, or the sweep once one of the payments has ended.
 * 6. Completes the erasures that began meanwhile, because step 3 may begin others.
 */
export const eraseCustomer = onAccount({
  summary:
    "Erases a customer's personal data. This cannot be undone. Orders keep amounts and items. If `erased` is false, repeat the call.",
  input: record(idField),
  async resume(services, { id }, { id: account }) {
    const { erasures } = services.store;
    const isInTime = startBudget(services.clock);
    const earlier = await erasures.get(account, id);
    const completed = earlier ? await completeBegunErasures(services, account, isInTime) : 0;
    if (earlier && completed !== 0) {
      const current = (await erasures.get(account, id)) ?? earlier;
      return await erasureResult(services, account, id, current, completed !== undefined);
    }
    const erasure = await runErasure(services, account, id, isInTime);
    const othersEnded = erasure.person === null && (await completeBegunErasures(services, account, isInTime)) !== undefined;
    return await erasureResult(services, account, id, erasure, othersEnded);
  },
});

/** Returns the result of a call: what was erased, what is running, and who else has the phone. */
const erasureResult = async ({ store }: ErasureServices, account: string, id: string, erasure: Erasure, othersEnded: boolean) => {
  const { person, erased_at, counts, held: runningPayments, same_contact = [] } = erasure;
  const erased = person === null && othersEnded;
  const found = erased ? await Promise.all(same_contact.map((other) => store.customers.get(account, other))) : [];
  const others = found.flatMap((other) => (other && other.record.erased_at === undefined ? [other.record.id] : []));
  return {
    id,
    erased,
    erased_at,
    ...counts,
    ...(runningPayments > 0 && { running_payments: runningPayments }),
    ...(others.length > 0 && { same_contact: others }),
  };
};

/**
 * Erases a customer page by page while `isInTime` returns true, in one pass at most. Returns the
 * progress.
 */
const runErasure = async (services: ErasureServices, account: string, id: string, isInTime: () => boolean): Promise<Erasure> => {
  const { store, clock } = services;
  let erasure = await beginErasure(services, account, id);
  while (erasure.person && isInTime()) {
    const { person, erased_at } = erasure;
    erasure = await eraseNextPage({ ...services, account, person, erased_at, now: isoFromMs(clock.now()) }, erasure);
    await store.erasures.proceed(account, id, erasure);
    if (isWaiting(erasure)) break;
  }
  return erasure;
};

/** Maximum number of sessions that an erasure names as awaited. */
const maxAwaited = 100;

/**
 * Removes the person from one page of a kind. Returns the new state of the erasure. After the last
 * page, that state no longer contains the person, unless it begins again.
 */
const eraseNextPage = async (run: ErasureRun, erasure: Erasure): Promise<Erasure> => {
  const kind = searchedKinds[erasure.stage];
  if (!kind) return await noteOthersWithPhone(run, erasure);
  const { items, next } = await readPage(run, kind, erasure.position);
  const results = await inParallel(items, (item) => eraseByKind[kind](run, item));
  const name = kinds[kind].person;
  let counts = addCounts(erasure.counts, { [name]: 0 });
  const heldSessions: string[] = [];
  for (const [i, result] of results.entries()) {
    if (result === 'held') heldSessions.push(String(items[i]?.['sk']));
    else counts = addCounts(counts, typeof result === 'object' ? result : { [name]: Number(result) });
  }
  const before = isStart(erasure) ? { held: 0, awaited: [] } : erasure;
  return {
    ...erasure,
    counts,
    held: before.held + heldSessions.length,
    awaited: [...before.awaited, ...heldSessions].slice(0, maxAwaited),
    stage: next ? erasure.stage : erasure.stage + 1,
    position: next,
  };
};

const addCounts = (counts: Erasure['counts'], more: Erasure['counts']): Erasure['counts'] => ({
  ...counts,
  ...Object.fromEntries(Object.entries(more).map(([kind, count]) => [kind, (counts[kind] ?? 0) + count])),
});

/** Maximum number of other customers with the person's phone that a result names. */
const maxOthers = 100;

/**
 * Returns the id of another customer with the person's phone, who is not erased (decisions §7): one
 * guest may have several records, and several people may share a phone.
 */
const otherIdWithPhone = ({ person }: ErasureRun, item: Item): string | undefined => {
  const { record } = decodeRecord<Customer>(item);
  return record.id !== person.id && record.erased_at === undefined && samePhone(record.phone, person) ? record.id : undefined;
};

/**
 * Notes other customers with the person's phone from one page of the customers, which come after the
 * searched kinds. After the last page, the erasure has ended, unless it waits for payments.
 */
const noteOthersWithPhone = async (run: ErasureRun, erasure: Erasure): Promise<Erasure> => {
  const { items, next } = run.person.phone === null ? { items: [], next: null } : await readPage(run, 'customer', erasure.position);
  const found = items.flatMap((item) => otherIdWithPhone(run, item) ?? []);
  const same_contact = [...new Set([...(erasure.same_contact ?? []), ...found])].slice(0, maxOthers);
  const noted = { ...erasure, ...(same_contact.length > 0 && { same_contact }), position: next };
  if (next) return noted;
  return erasure.held > 0 ? { ...noted, stage: 0 } : { ...noted, person: null };
};

/** Reads a page of a kind at the position. Also returns the next one; null after the last page. */
const readPage = async ({ store, account }: ErasureRun, kind: SearchedKind | 'customer', position: ErasurePosition | null) => {
  const parts = await store.accountData.parts(account, kind);
  const [part, following] = parts.filter(({ owner = '' }) => owner >= (position?.part ?? ''));
  if (!part) return { items: [], next: null };
  const { owner = '' } = part;
  const { items, next: after } = await store.accountData.page(account, part, position?.part === owner ? position.after : undefined);
  if (after !== undefined) return { items, next: { part: owner, after } };
  return { items, next: following ? { part: following.owner ?? '' } : null };
};

/**
 * Completes every erasure that has begun for the account, including those that begin meanwhile. Begins
 * none again whose payments all still run. Returns the number of others; undefined if time runs out.
 */
const completeBegunErasures = async (services: ErasureServices, account: string, isInTime: () => boolean): Promise<number | undefined> => {
  let completed = 0;
  const waiting = new Set<string>();
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { items, next } = await services.store.accountData.page(account, { kind: 'erasure' }, after);
    const begun = items.flatMap((item) => runningErasure(item) ?? []).filter((id) => !waiting.has(id));
    for (const id of begun) {
      if (await stillWaits(services, account, await services.store.erasures.get(account, id))) {
        waiting.add(id);
        continue;
      }
      completed += 1;
      const erasure = await runErasure(services, account, id, isInTime);
      if (isWaiting(erasure)) waiting.add(id);
      else if (erasure.person) return undefined;
    }
    // Records of the customers of the erasures that began here may be on any page, so the search starts
    // again.
    [after, isLast] = begun.length > 0 ? [undefined, false] : [next, next === undefined];
  }
  return completed;
};
