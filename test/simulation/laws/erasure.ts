import { unpackBody } from '../../../shared/table/stored-body.ts';
import type { Change, ErasureDeed } from '../people/journal.ts';
import { markersIn } from '../people/person-data.ts';
import { type Evidence, itemsOf, type Law } from './law.ts';

/** A place where something is kept, was written or was sent, and what stands there. */
interface Place {
  readonly what: string;
  readonly text: string;
}

type Item = Readonly<Record<string, unknown>>;
const nameOf = (item: Item): string => `${item['pk']} ${item['sk']}`;

/** All of an item, stored answers unpacked. */
const textOf = (item: Item): string =>
  JSON.stringify({ ...item, ...(item['body'] instanceof Uint8Array ? { body: unpackBody(item['body']) } : {}) });

/** Everything that is kept of anybody in the end. */
const kept = (evidence: Evidence): readonly Place[] => itemsOf(evidence).map((item) => ({ what: nameOf(item), text: textOf(item) }));

/** What never tells of anybody: log lines, messages, schedules. */
const silent = ({ region }: Evidence): readonly Place[] => [
  ...region.log.map((line) => ({ what: 'a log line', text: JSON.stringify(line) })),
  ...region.world.scheduler.trace.filter((line) => /\s{2}(?:send to|schedule) /.test(line)).map((text) => ({ what: 'a message', text })),
];

interface Image {
  readonly customer_id?: string;
}

/** Whose a record is: a customer's own, or theirs by its `customer_id`; nobody's where it is no record of a person. */
const ownerOf = (key: Item, item: Item): string | undefined => {
  const [kind] = String(key['pk']).split('#');
  if (kind === 'cus') return String(key['sk']);
  return kind === 'ord' || kind === 'pay' ? (item['view'] as Image).customer_id : undefined;
};

/** Whose each marker ever was, from the history of the table: of customers, and of orders and payments that are theirs. */
const ownersOf = ({ region }: Evidence): ReadonlyMap<string, ReadonlySet<string>> => {
  const owners = new Map<string, Set<string>>();
  for (const { key, after } of region.engine.table('simulated').changes) {
    const owner = after && ownerOf(key, after as unknown as Item);
    if (owner === undefined) continue;
    for (const marker of markersIn(JSON.stringify(after))) owners.set(marker, (owners.get(marker) ?? new Set()).add(owner));
  }
  return owners;
};

/** What the bakery wrote while or after the person was erased is its own. */
const rewritten = (changes: readonly Change[], marker: string, { begunMs }: ErasureDeed): boolean =>
  changes.some(
    ({ subject, value, endedMs }) => /^(?:ord|pay)_/.test(subject) && endedMs >= begunMs && JSON.stringify(value)?.includes(marker),
  );

/** The markers that nobody may be told of any more, for each erasure that is complete. */
const forbidden = (evidence: Evidence): ReadonlyMap<ErasureDeed, ReadonlySet<string>> => {
  const { erasures, changes } = evidence.journal;
  const done = erasures.filter(({ customer, doneMs }) => customer !== undefined && doneMs !== undefined);
  const erased = new Set(done.map(({ customer }) => customer));
  const owners = [...ownersOf(evidence)];
  return new Map(
    done.map((deed) => [
      deed,
      new Set(
        owners.flatMap(([marker, whose]) =>
          whose.has(String(deed.customer)) && [...whose].every((one) => erased.has(one)) && !rewritten(changes, marker, deed)
            ? [marker]
            : [],
        ),
      ),
    ]),
  );
};

const tell = (places: readonly Place[], markers: ReadonlySet<string>, whom: string): readonly string[] =>
  places.flatMap(({ what, text }) =>
    [...markersIn(text)].flatMap((marker) => (markers.has(marker) ? [`${what} tells of ${whom}: ${marker}.`] : [])),
  );

/** What was answered and sent after a moment, by invocations that were begun after it. */
const toldAfter = ({ journal, region }: Evidence, doneMs: number): readonly Place[] => [
  ...journal.heard
    .filter(({ begunMs, lagMs }) => begunMs - lagMs > doneMs)
    .map(({ what, text }) => ({ what: `The answer to ${what}`, text })),
  ...region.receivers.attempts
    .filter(({ invokedMs }) => invokedMs > doneMs)
    .map(({ event, url, body }) => ({ what: `${event}, sent to ${url},`, text: body })),
];

/** That there was an account, and for a month the mark by which late changes are recognised. */
const tombs = (account: string): ReadonlySet<string> => new Set([`acc#${account} account`, `era#${account} *`]);

const leftOf = (evidence: Evidence, { account, doneMs }: ErasureDeed): readonly string[] => {
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

export const forgotten: Law = {
  number: 11,
  name: 'after an erasure nothing that is kept or sent tells of the person, and of an erased account nothing is left but its tombstone',
  breaches(evidence) {
    const { erasures } = evidence.journal;
    const everything = kept(evidence);
    return [
      ...silent(evidence).flatMap(({ what, text }) => [...markersIn(text)].map((marker) => `${what} tells of a person: ${marker}.`)),
      ...[...forbidden(evidence)].flatMap(([{ customer = '', doneMs = 0 }, markers]) =>
        tell([...everything, ...toldAfter(evidence, doneMs)], markers, customer),
      ),
      ...erasures.filter(({ customer }) => customer === undefined).flatMap((deed) => leftOf(evidence, deed)),
    ];
  },
};
