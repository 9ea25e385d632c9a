import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../local/engine/commands/values.ts';
import { type ExportAction, knownIds } from '../people/journal.ts';
import { isByHand } from '../reading/expected-events.ts';
import { type ExportedList, exportedLists, orders, paymentsOfOrders } from '../reading/exported.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most that a read of the table may be behind. */
const lagMs = 2_500;

type View = Readonly<Record<string, unknown>>;

/** The views of a record that a list may show, and whether the record was there all the time. */
interface PossibleViews {
  readonly views: readonly View[];
  readonly mustBeThere: boolean;
}

const isExpiredBy = (item: Item, ms: number): boolean => Number(item['expires_at'] ?? Number.POSITIVE_INFINITY) * 1000 <= ms;

/** Returns the records that a list may show during an export, by the key of their entries. */
const viewsDuring = (
  { region }: Evidence,
  { account, begunMs, endedMs }: ExportAction,
  { prefixes, show, keyOf }: ExportedList,
): ReadonlyMap<string, PossibleViews> => {
  const versions = new Map<string, (Item | undefined)[]>();
  for (const { key, after, atMs } of region.engine.table('simulated').changes) {
    const [prefix = '', owner] = String(key['pk']).split('#');
    if (atMs > endedMs || owner !== account || !prefixes.includes(prefix) || isByHand(key)) continue;
    const name = `${key['pk']} ${key['sk']}`;
    const known = versions.get(name);
    // Before the export, only the last version counts.
    if (!known || atMs < begunMs - lagMs) versions.set(name, [...(atMs < begunMs - lagMs ? [] : [undefined]), after]);
    else known.push(after);
  }
  const viewsByKey = new Map<string, PossibleViews>();
  for (const all of versions.values()) {
    const views = all.flatMap((item): readonly View[] => {
      const view = item && show(item);
      return view ? [view] : [];
    });
    const [first] = views;
    if (!first) continue;
    const mustBeThere = all.every((item) => item && !isExpiredBy(item, endedMs) && show(item) !== undefined);
    const before = viewsByKey.get(keyOf(first));
    viewsByKey.set(keyOf(first), {
      views: [...(before?.views ?? []), ...views],
      mustBeThere: mustBeThere || before?.mustBeThere === true,
    });
  }
  return viewsByKey;
};

const listOf = ({ pages }: ExportAction, name: string): readonly View[] => pages.flatMap((page) => page[name] as readonly View[]);

/** Compares the payments in an order with those in the list of payments. */
const paymentFindings = (entries: readonly View[], paid: ReadonlyMap<string, PossibleViews>): readonly string[] =>
  entries.flatMap((entry) => {
    const own = entry['payments'] as readonly View[];
    const due = [...paid].filter(([, { views, mustBeThere }]) => mustBeThere && views.every(({ order_id }) => order_id === entry['id']));
    const isRight = own.every((one) => paid.get(paymentsOfOrders.keyOf(one))?.views.some((view) => isDeepStrictEqual(view, one)));
    const isWhole = due.every(([id]) => own.filter((one) => paymentsOfOrders.keyOf(one) === id).length === 1);
    return isRight && isWhole ? [] : [`has ${entry['id']} with the payments ${JSON.stringify(own)}`];
  });

/** Returns the errors of a list: records that are missing, twice, or shown as they never were. */
const findingsOf = (evidence: Evidence, action: ExportAction, list: ExportedList): readonly string[] => {
  const entries = listOf(action, list.name);
  const viewsByKey = viewsDuring(evidence, action, list);
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(list.keyOf(entry), (counts.get(list.keyOf(entry)) ?? 0) + 1);
  // The export removes a person from events while their erasure runs.
  const isErasing = list.name === 'events' && evidence.journal.erasures.some(({ account }) => account === action.account);
  const isRight = (entry: View): boolean => {
    const { payments: _, ...own } = entry;
    const views = viewsByKey.get(list.keyOf(entry))?.views ?? [];
    return views.some((view) => isErasing || isDeepStrictEqual(view, list === orders ? own : entry));
  };
  return [
    ...entries.flatMap((entry) => (isRight(entry) ? [] : [`has an entry that never stood so: ${JSON.stringify(entry)}`])),
    ...[...viewsByKey].flatMap(([key, { mustBeThere }]) => (mustBeThere && !counts.has(key) ? [`lacks ${key}`] : [])),
    ...[...counts].flatMap(([key, count]) => (count > 1 ? [`has ${key} ${count} times`] : [])),
    ...(list === orders ? paymentFindings(entries, viewsDuring(evidence, action, paymentsOfOrders)) : []),
  ].map((finding) => `The ${list.name} of the export of ${action.account} at ${new Date(action.begunMs).toISOString()} ${finding}.`);
};

const kinds = { customer: 'customers', order: 'orders', expense: 'expenses' } as const;

/** Returns acknowledged records that an export does not have. */
const unexported = ({ journal }: Evidence, action: ExportAction): readonly string[] => {
  const before = {
    ...journal,
    intents: journal.intents.map((one) => ({ ...one, tries: one.tries.filter(({ seen }) => seen.endedMs < action.begunMs) })),
  };
  return (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) => {
    const shown = new Set(listOf(action, kinds[kind]).map(({ id }) => id));
    const missing = knownIds(before, kind, action.account).filter((id) => !shown.has(id));
    return missing.map((id) => `The export of ${action.account} lacks ${id}, which was acknowledged before it.`);
  });
};

export const exported: Invariant = {
  number: 1,
  name: 'an export has every record that was acknowledged before it, once, with every field as it was stored meanwhile',
  breaches: (evidence) => {
    const { erasures, exports } = evidence.journal;
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    return exports.flatMap((action) => [
      ...(ended.has(action.account) ? [] : unexported(evidence, action)),
      ...exportedLists.flatMap((list) => findingsOf(evidence, action, list)),
    ]);
  },
};
