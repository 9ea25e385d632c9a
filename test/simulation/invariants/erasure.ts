import type { Change, ErasureAction } from '../people/journal.ts';
import { markersIn } from '../people/person-data.ts';
import { type Evidence, type Invariant, itemsOf, textOf } from './invariant.ts';

/** A place with stored, written or sent data. */
interface Place {
  readonly what: string;
  readonly text: string;
  readonly atMs: number;
}

/** The time of data that is stored at the end. */
const inTheEnd = Number.POSITIVE_INFINITY;

type Item = Readonly<Record<string, unknown>>;
const nameOf = (item: Item): string => `${item['pk']} ${item['sk']}`;

/** Returns all data that is stored at the end of the scenario. */
const kept = (evidence: Evidence): readonly Place[] =>
  itemsOf(evidence).map((item) => ({ what: nameOf(item), text: textOf(item), atMs: inTheEnd }));

/**
 * Returns the places that must never contain personal data: log lines and messages, also of
 * schedules that fired.
 */
const silent = ({ region }: Evidence): readonly Place[] => [
  ...region.log.map((line) => ({ what: 'a log line', text: JSON.stringify(line), atMs: inTheEnd })),
  ...Object.values(region.pipeline.queues).flatMap(({ history }) =>
    history.map(({ body }) => ({ what: 'a message', text: body, atMs: inTheEnd })),
  ),
];

interface Image {
  readonly customer_id?: string;
}

/** Returns the id of the customer that a record is or names; undefined for other records. */
const ownerOf = (key: Item, item: Item): string | undefined => {
  const [kind] = String(key['pk']).split('#');
  if (kind === 'cus') return String(key['sk']);
  return kind === 'ord' || kind === 'pay' ? (item['view'] as Image).customer_id : undefined;
};

/** Returns all customers that each marker ever belonged to, from the history of the table. */
const ownersOf = ({ region }: Evidence): ReadonlyMap<string, ReadonlySet<string>> => {
  const owners = new Map<string, Set<string>>();
  for (const { key, after } of region.engine.table('simulated').changes) {
    const owner = after && ownerOf(key, after as unknown as Item);
    if (owner === undefined) continue;
    for (const marker of markersIn(JSON.stringify(after))) owners.set(marker, (owners.get(marker) ?? new Set()).add(owner));
  }
  return owners;
};

/** Whether the bakery wrote the text during or after the erasure. Such text is not erased. */
const rewritten = (changes: readonly Change[], marker: string, { begunMs }: ErasureAction): boolean =>
  changes.some(
    ({ subject, value, endedMs }) => /^(?:ord|pay)_/.test(subject) && endedMs >= begunMs && JSON.stringify(value)?.includes(marker),
  );

/** Returns the markers of erased customers only, and the time from which they must not appear. */
const forbidden = (evidence: Evidence): ReadonlyMap<string, number> => {
  const { erasures, changes } = evidence.journal;
  const actions = new Map(erasures.map((action) => [action.customer, action]));
  return new Map(
    [...ownersOf(evidence)].flatMap(([marker, owners]) => {
      const theirs = [...owners].map((owner) => actions.get(owner));
      const isForbidden = theirs.every((action) => action?.doneMs !== undefined && !rewritten(changes, marker, action));
      return isForbidden ? [[marker, Math.max(...theirs.map((action) => action?.doneMs ?? 0))]] : [];
    }),
  );
};

/** Returns responses and requests, each with the latest time at which it started. */
const told = ({ journal, region }: Evidence): readonly Place[] => [
  ...journal.heard.map(({ what, text, begunMs, lagMs }) => ({ what: `The answer to ${what}`, text, atMs: begunMs - lagMs })),
  ...region.receivers.attempts.map(({ event, url, body, invokedMs }) => ({
    what: `${event}, sent to ${url},`,
    text: body,
    atMs: invokedMs,
  })),
];

/**
 * Items of an erased account that may remain: the account's status, for a month the mark that
 * identifies late changes, and for two weeks the settings of its search engine.
 */
const tombs = (account: string): ReadonlySet<string> => new Set([`acc#${account} account`, `era#${account} *`, `set#${account} settings`]);

const leftOf = (evidence: Evidence, { account, doneMs }: ErasureAction): readonly string[] => {
  if (doneMs === undefined) return [];
  const allowed = tombs(account);
  const items = itemsOf(evidence).filter((item) => textOf(item).includes(account));
  const tomb = items.find((item) => nameOf(item) === `acc#${account} account`) as Item | undefined;
  const { status, name } = (tomb?.['data'] ?? {}) as { readonly status?: string; readonly name?: string };
  return [
    ...items.flatMap((item) => (allowed.has(nameOf(item)) ? [] : [`${nameOf(item)} is left of ${account}, which was erased.`])),
    ...(status === 'closed' && name === '' ? [] : [`The tombstone of ${account} says ${status} and "${name}".`]),
  ];
};

export const forgotten: Invariant = {
  number: 11,
  name: 'after an erasure nothing that is kept or sent names the person, and only its tombstone is left of an erased account',
  only: 'office',
  breaches(evidence) {
    const { erasures } = evidence.journal;
    const sinceMs = forbidden(evidence);
    const markersOf = ({ what, text, atMs }: Place) => [...markersIn(text)].map((marker) => ({ what, marker, atMs }));
    return [
      ...silent(evidence)
        .flatMap(markersOf)
        .map(({ what, marker }) => `${what} tells of a person: ${marker}.`),
      ...[...kept(evidence), ...told(evidence)]
        .flatMap(markersOf)
        .filter(({ marker, atMs }) => atMs > (sinceMs.get(marker) ?? inTheEnd))
        .map(({ what, marker }) => `${what} tells of a person who was erased: ${marker}.`),
      ...erasures.filter(({ customer }) => customer === undefined).flatMap((action) => leftOf(evidence, action)),
    ];
  },
};
