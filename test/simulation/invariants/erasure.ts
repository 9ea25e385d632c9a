import type { ErasureAction } from '../people/journal.ts';
import { markersIn } from '../people/person-data.ts';
import { type Evidence, type Invariant, itemsOf, textOf } from './invariant.ts';
import { forbidden } from './persons.ts';

/** A place with stored, written or sent data. */
interface TextSource {
  readonly what: string;
  readonly text: string;
  readonly atMs: number;
}

/** The time of data that is stored at the end. */
const inTheEnd = Number.POSITIVE_INFINITY;

type Item = Readonly<Record<string, unknown>>;
const nameOf = (item: Item): string => `${item['pk']} ${item['sk']}`;

/** Returns all data that is stored at the end of the scenario. */
const storedData = (evidence: Evidence): readonly TextSource[] =>
  itemsOf(evidence).map((item) => ({ what: nameOf(item), text: textOf(item), atMs: inTheEnd }));

/**
 * Returns the places that must never contain personal data: log lines and messages, also of
 * schedules that fired.
 */
const silent = ({ region }: Evidence): readonly TextSource[] => [
  ...region.log.map((line) => ({ what: 'a log line', text: JSON.stringify(line), atMs: inTheEnd })),
  ...Object.values(region.pipeline.queues).flatMap(({ history }) =>
    history.map(({ body }) => ({ what: 'a message', text: body, atMs: inTheEnd })),
  ),
];

/** Returns responses and requests, each with the latest time at which it started. */
const sentData = ({ journal, region }: Evidence): readonly TextSource[] => [
  ...journal.responses.map(({ what, text, begunMs, lagMs }) => ({ what: `The answer to ${what}`, text, atMs: begunMs - lagMs })),
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

const remainsOf = (evidence: Evidence, { account, doneMs }: ErasureAction): readonly string[] => {
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
  only: ['office', 'mixed'],
  breaches(evidence) {
    const { erasures } = evidence.journal;
    const sinceMs = forbidden(evidence);
    const markersOf = ({ what, text, atMs }: TextSource) => [...markersIn(text)].map((marker) => ({ what, marker, atMs }));
    return [
      ...silent(evidence)
        .flatMap(markersOf)
        .map(({ what, marker }) => `${what} tells of a person: ${marker}.`),
      ...[...storedData(evidence), ...sentData(evidence)]
        .flatMap(markersOf)
        .filter(({ marker, atMs }) => atMs > (sinceMs.get(marker) ?? inTheEnd))
        .map(({ what, marker }) => `${what} tells of a person who was erased: ${marker}.`),
      ...erasures.filter(({ customer }) => customer === undefined).flatMap((action) => remainsOf(evidence, action)),
    ];
  },
};
