import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type Erasure, runningErasure } from '../../shared/table/erasures.ts';
import { kinds } from '../../shared/table/schema.ts';
import { byId, inParallel, onAccount, startBudget } from './action.ts';
import { beginErasure, otherWithPhone, type SearchedKind, searchedKinds, stages } from './erased-person.ts';
import type { Run, Services } from './erased-texts.ts';

const added = (counts: Erasure['counts'], more: Erasure['counts']): Erasure['counts'] => ({
  ...counts,
  ...Object.fromEntries(Object.entries(more).map(([kind, count]) => [kind, (counts[kind] ?? 0) + count])),
});

/**
 * Reads one page of a kind after `mark`, which is the name of a part. If a record of the part was
 * already read, a space and the position of the last such record follow.
 */
const readPage = async ({ store, account }: Run, kind: SearchedKind | 'customer', mark: string | null) => {
  const [, of = '', after = ''] = /^(\S*) (.*)$/s.exec(mark ?? '') ?? [];
  const parts = (await store.accountData.parts(account, kind)).filter((part) => (part.of ?? '') >= of);
  const [part, following] = parts;
  if (!part) return { items: [] };
  const { items, next } = await store.accountData.page(account, part, (part.of ?? '') === of && after !== '' ? after : undefined);
  if (next !== undefined) return { items, next: `${part.of ?? ''} ${next}` };
  return { items, next: following && `${following.of ?? ''} ` };
};

/** Maximum number of other customers with the person's phone that a result names. */
const mostOthers = 100;

/**
 * Notes other customers with the person's phone from one page of the customers, which come after the
 * searched kinds. After the last page, the erasure has ended, unless it waits for payments.
 */
const noteOthers = async (run: Run, erasure: Erasure): Promise<Erasure> => {
  const { items, next } = run.person.phone === null ? { items: [] } : await readPage(run, 'customer', erasure.after);
  const found = items.flatMap((item) => otherWithPhone(run, item) ?? []);
  const same_contact = [...new Set([...(erasure.same_contact ?? []), ...found])].slice(0, mostOthers);
  const noted = { ...erasure, ...(same_contact.length > 0 && { same_contact }) };
  if (next !== undefined) return { ...noted, after: next };
  return erasure.held > 0 ? { ...noted, stage: 0, after: null } : { ...noted, person: null, after: null };
};

/**
 * Removes the person from one page of a kind. Returns the new state of the erasure. After the last
 * page, that state no longer contains the person, unless it begins again.
 */
const eraseNext = async (run: Run, erasure: Erasure): Promise<Erasure> => {
  const kind = searchedKinds[erasure.stage];
  if (!kind) return await noteOthers(run, erasure);
  const isStart = erasure.stage === 0 && erasure.after === null;
  const { items, next } = await readPage(run, kind, erasure.after);
  const changed = await inParallel(items, (item) => stages[kind](run, item));
  const name = kinds[kind].person;
  return {
    ...erasure,
    counts: changed.reduce(
      (counts: Erasure['counts'], one) => added(counts, typeof one === 'object' ? one : { [name]: Number(one === true) }),
      added(erasure.counts, { [name]: 0 }),
    ),
    held: (isStart ? 0 : erasure.held) + changed.filter((one) => one === 'held').length,
    stage: next === undefined ? erasure.stage + 1 : erasure.stage,
    after: next ?? null,
  };
};

/** Whether a pass has ended, and waits for payments. */
const isWaiting = ({ person, stage, after, held: runningPayments }: Erasure): boolean =>
  person !== null && stage === 0 && after === null && runningPayments > 0;

/**
 * Erases a customer page by page while `mayGoOn` returns true, in one pass at most. Returns the
 * progress.
 */
const runErasure = async (services: Services, account: string, id: string, mayGoOn: () => boolean): Promise<Erasure> => {
  const { store, clock } = services;
  let erasure = await beginErasure(services, account, id);
  while (erasure.person && mayGoOn()) {
    const { person, erased_at } = erasure;
    erasure = await eraseNext({ ...services, account, person, erased_at, now: isoFromMs(clock.now()) }, erasure);
    await store.erasures.proceed(account, id, erasure);
    if (isWaiting(erasure)) break;
  }
  return erasure;
};

/**
 * Completes every erasure that has begun for the account, including those that begin meanwhile, but
 * not those that wait for a payment. Returns their number; undefined if time runs out.
 */
const endBegun = async (services: Services, account: string, mayGoOn: () => boolean): Promise<number | undefined> => {
  let ended = 0;
  const waiting = new Set<string>();
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { items, next } = await services.store.accountData.page(account, { kind: 'erasure' }, after);
    const begun = items.flatMap((item) => runningErasure(item) ?? []).filter((id) => !waiting.has(id));
    for (const id of begun) {
      const erasure = await runErasure(services, account, id, mayGoOn);
      if (isWaiting(erasure)) waiting.add(id);
      else if (erasure.person) return undefined;
    }
    ended += begun.length;
    // Records of the customers of the erasures that began here may be on any page, so the search starts
    // again.
    [after, isLast] = begun.length > 0 ? [undefined, false] : [next, next === undefined];
  }
  return ended;
};

export const eraseCustomer = onAccount({
  summary:
    "Erases a customer's personal data. This cannot be undone. Orders keep amounts and items. If `erased` is false, repeat the call.",
  input: record(byId),
  async resume(services, { id }, { id: account }) {
    const mayGoOn = startBudget(services.clock);
    const resultOf = async ({ person, erased_at, counts, held: runningPayments, same_contact = [] }: Erasure, othersEnded: boolean) => {
      const erased = person === null && othersEnded;
      const found = erased ? await Promise.all(same_contact.map((other) => services.store.customers.get(account, other))) : [];
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
    const known = await services.store.erasures.get(account, id);
    if (known) {
      const ended = await endBegun(services, account, mayGoOn);
      // This call continues an earlier one and ends here. Any other call runs every step again.
      if (ended !== 0) return await resultOf((await services.store.erasures.get(account, id)) ?? known, ended !== undefined);
    }
    const erasure = await runErasure(services, account, id, mayGoOn);
    const othersEnded = erasure.person === null && (await endBegun(services, account, mayGoOn)) !== undefined;
    return await resultOf(erasure, othersEnded);
  },
});
