import type { EndpointDeed } from '../people/journal.ts';
import type { Attempt } from '../world/receivers.ts';
import type { Evidence, Law } from './law.ts';

/** The specification's. */
const mostEndpoints = 10;

const mayHave = ({ outcome }: EndpointDeed): boolean => outcome !== 'refused';
const isDone = ({ outcome }: EndpointDeed): boolean => outcome === 'done';

/** Registrations that passed the limit, and those that were refused below it, whatever became of what nobody saw. */
const misjudged = (deeds: readonly EndpointDeed[]): readonly string[] => {
  const [created, removed] = [deeds.filter(({ kind }) => kind === 'create'), deeds.filter(({ kind }) => kind === 'remove')];
  return created.flatMap((deed) => {
    const { begunMs, endedMs, url } = deed;
    const surely = created.filter(
      (one) =>
        isDone(one) && one.endedMs < begunMs && !removed.some((gone) => gone.id === one.id && mayHave(gone) && gone.begunMs <= endedMs),
    ).length;
    const freed = new Set(removed.filter((one) => isDone(one) && one.endedMs < begunMs).map(({ id }) => id));
    const atMost = created.filter((one) => one !== deed && mayHave(one) && one.begunMs <= endedMs && !freed.has(one.id ?? '')).length;
    if (isDone(deed) && surely >= mostEndpoints) return [`${url} was registered beside ${surely} endpoints.`];
    return deed.status === 400 && atMost < mostEndpoints ? [`${url} was refused beside ${atMost} endpoints at most.`] : [];
  });
};

/** The URLs that an endpoint has had, each until somebody who asked for another was told that it has it. */
const urlsOf = (deeds: readonly EndpointDeed[]): readonly { readonly url: string; readonly untilMs: number }[] => {
  const named = deeds.filter(({ url }) => url !== undefined);
  return named.map(({ url = '', begunMs }) => {
    const moves = deeds.filter((deed) => deed.kind === 'move' && isDone(deed) && deed.url !== url && deed.begunMs > begunMs);
    // Of two moves at the same moment either may be the last.
    const isContested = moves.some((move) => named.some((one) => one.url === url && one.endedMs >= move.begunMs));
    return { url, untilMs: isContested ? Number.POSITIVE_INFINITY : Math.min(...moves.map(({ endedMs }) => endedMs)) };
  });
};

/** Requests whose invocation began after a deletion, a disabling or a move was acknowledged. */
const uncalledFor = (deeds: readonly EndpointDeed[], attempts: ReadonlyMap<string, readonly Attempt[]>): readonly string[] => {
  const removedMs = Math.min(...deeds.filter((deed) => deed.kind === 'remove' && isDone(deed)).map(({ endedMs }) => endedMs));
  const rests = deeds.filter((deed) => deed.kind === 'disable' && isDone(deed));
  const wakes = deeds.filter((deed) => deed.kind === 'enable' && mayHave(deed));
  return urlsOf(deeds).flatMap(({ url, untilMs }) =>
    (attempts.get(url) ?? []).flatMap(({ event, invokedMs, begunMs }) => {
      const rest = rests.find(
        (one) => one.endedMs < invokedMs && !wakes.some((wake) => wake.endedMs >= one.begunMs && wake.begunMs <= begunMs),
      );
      const why = invokedMs > removedMs ? 'deleted' : invokedMs > untilMs ? 'moved' : rest ? 'disabled' : undefined;
      return why === undefined ? [] : [`${event} was sent to ${url}, which was acknowledged to be ${why} before.`];
    }),
  );
};

export const endpointsHold: Law = {
  number: 20,
  name: 'an account has ten endpoints and no more, a deletion frees a place, and what is deleted, disabled or moved is sent nothing',
  breaches({ journal, region }: Evidence) {
    const attempts = new Map<string, Attempt[]>();
    for (const attempt of region.receivers.attempts) attempts.set(attempt.url, [...(attempts.get(attempt.url) ?? []), attempt]);
    const by = (name: 'account' | 'id') => [...Map.groupBy(journal.endpoints, (deed) => deed[name])];
    return [
      ...by('account').flatMap(([, deeds]) => misjudged(deeds)),
      ...by('id').flatMap(([id, deeds]) => (id === undefined ? [] : uncalledFor(deeds, attempts))),
    ];
  },
};
