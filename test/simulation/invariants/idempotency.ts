import { isDeepStrictEqual } from 'node:util';
import { type Intent, madeBy, type Try } from '../people/journal.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { whatIsMade } from './kinds.ts';
import { mayHaveErased } from './persons.ts';

/**
 * The lifetime of a stored response, and the tolerance for clocks and for an expiry in whole
 * seconds.
 */
const dayMs = 86_400_000;
const slackMs = 2_500;
/**
 * The most time for which calls of a dead process may arrive. Otherwise its key is free at once.
 */
const longestOnTheWayMs = 12_000;

/** A record that was created, even if it was deleted later. */
interface Made {
  readonly id: string;
  readonly kind: Intent['kind'];
  readonly atMs: number;
}

/** Returns every record that was ever created, by account and its intent's marker. */
const everythingMade = ({ region }: Evidence): ReadonlyMap<string, readonly Made[]> => {
  const made = new Map<string, Made[]>();
  for (const { atMs, key, before, after } of region.engine.table('simulated').changes) {
    const born = before || !after ? undefined : whatIsMade(after);
    if (!born) continue;
    const marker = `${born.account}/${born.marker}`;
    made.set(marker, [...(made.get(marker) ?? []), { id: String(key['sk']), kind: born.kind, atMs }]);
  }
  return made;
};

const isSame = (one: Try, other: Try): boolean => one.kind === other.kind && isDeepStrictEqual(one.body, other.body);

/**
 * Returns the latest time at which a try may have run: without a response, it may have run longer
 * than its caller waited.
 */
const endOf = ({ seen, seenMs }: Try): number => (seen.response && seen.response.status < 500 ? seenMs : seenMs + longestOnTheWayMs);

const codeOf = ({ seen: { response } }: Try): string =>
  response && response.status >= 400
    ? ((JSON.parse(response.text) as { readonly error: { readonly code?: string } }).error.code ?? '')
    : '';

/** Returns the errors of a success response about a record. */
const findingsOfAcknowledgement = (one: Try, made: Made, others: readonly Try[]): readonly string[] => {
  const { sentMs, seenMs, seen } = one;
  const ranThen = sentMs <= made.atMs && made.atMs <= seenMs;
  return [
    ...(sentMs > made.atMs + dayMs + slackMs ? [`was answered with ${made.id} more than 24 hours after it was made`] : []),
    ...(!seen.response?.replayed && !ranThen ? [`says that it made ${made.id}, which another request did`] : []),
    ...(seen.response?.replayed && !others.some((other) => other.sentMs <= seenMs && isSame(one, other))
      ? [`says that another request made ${made.id}, and there was none`]
      : []),
    ...(made.kind === one.kind ? [] : [`was answered with ${made.id}, which is no ${one.kind}`]),
  ];
};

/** Returns the errors of an error response, by other requests with the same key. */
const findingsOfRejection = (
  one: Try,
  others: readonly Try[],
  acknowledged: readonly (Try & { readonly atMs: number })[],
): readonly string[] => {
  const code = codeOf(one);
  const status = one.seen.response?.status ?? 0;
  const used = others.some((other) => !isSame(other, one) && other.sentMs <= one.seenMs);
  const busy = others.some((other) => other.sentMs <= one.seenMs && endOf(other) >= one.sentMs);
  const known = acknowledged.find((other) => isSame(other, one) && other.seenMs < one.sentMs && one.seenMs < other.atMs + dayMs - slackMs);
  return [
    ...(code === 'idempotency_key_reused' && !used ? ['got an error that its key was used for another request, and there was none'] : []),
    ...(code === 'request_in_flight' && !busy && !one.seen.disturbed ? ['got an error about a request under way, and there was none'] : []),
    ...(known && [400, 404, 409, 422].includes(status) && code !== 'request_in_flight'
      ? [`was refused with ${status} ${code}, and had been acknowledged before`]
      : []),
  ];
};

/** A replayed response about an erased person has no personal data. */
const tellsOf =
  (evidence: Evidence) =>
  (one: Try): boolean =>
    mayHaveErased(evidence)(madeBy(one) ?? '').length > 0;

const breachesOf = (evidence: Evidence, intent: Intent, made: readonly Made[]): readonly string[] => {
  const { marker, tries } = intent;
  const byId = new Map(made.map((one) => [one.id, one]));
  const inOrder = made.toSorted((a, b) => a.atMs - b.atMs);
  const twice = inOrder.filter(({ atMs }, i) => atMs - (inOrder[i - 1]?.atMs ?? Number.NEGATIVE_INFINITY) < dayMs - slackMs);
  const acknowledged = tries.flatMap((one) => {
    const thing = byId.get(madeBy(one) ?? '');
    return thing ? [{ ...one, atMs: thing.atMs, thing }] : [];
  });
  const triesByRecord = new Map<string, typeof acknowledged>();
  for (const one of acknowledged) triesByRecord.set(one.thing.id, [...(triesByRecord.get(one.thing.id) ?? []), one]);
  return [
    ...(twice.length > 0 ? [`${marker} was made ${twice.length + 1} times under one key: ${made.map(({ id }) => id).join(', ')}.`] : []),
    ...[...triesByRecord].flatMap(([id, of]) => [
      ...(new Set(of.map(({ seen }) => `${seen.response?.status} ${seen.response?.text}`)).size > 1 && !of.some(tellsOf(evidence))
        ? [`${marker} has more than one answer for ${id}.`]
        : []),
      ...(of.some((one) => !isSame(one, of[0] as Try)) ? [`${marker} was acknowledged with ${id} for two different requests.`] : []),
    ]),
    ...acknowledged.flatMap((one) =>
      findingsOfAcknowledgement(
        one,
        one.thing,
        tries.filter(({ seen }) => seen !== one.seen),
      ).map((fault) => `${marker} ${fault}.`),
    ),
    ...tries.flatMap((one) =>
      (one.seen.response?.status ?? 0) >= 400
        ? findingsOfRejection(
            one,
            tries.filter((other) => other !== one),
            acknowledged,
          ).map((fault) => `${marker} ${fault}.`)
        : [],
    ),
  ];
};

export const once: Invariant = {
  number: 2,
  name: 'one Idempotency-Key makes one object and has one answer, for 24 hours, in its account',
  breaches(evidence) {
    const made = everythingMade(evidence);
    return evidence.journal.intents.flatMap((intent) =>
      intent.idempotencyKey === undefined ? [] : breachesOf(evidence, intent, made.get(`${intent.account}/${intent.marker}`) ?? []),
    );
  },
};
