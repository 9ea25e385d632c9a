import type { EndpointAction } from '../people/journal.ts';
import type { Attempt } from '../world/receivers.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The specification's limit. */
const mostEndpoints = 10;

const mayHave = ({ outcome }: EndpointAction): boolean => outcome !== 'refused';
const isDone = ({ outcome }: EndpointAction): boolean => outcome === 'done';

/**
 * Returns registrations above the limit, and rejected ones below it, allowing for requests without
 * a known response.
 */
const misjudged = (actions: readonly EndpointAction[]): readonly string[] => {
  const [created, removed] = [actions.filter(({ kind }) => kind === 'create'), actions.filter(({ kind }) => kind === 'remove')];
  return created.flatMap((action) => {
    const { begunMs, endedMs, url } = action;
    const surely = created.filter(
      (one) =>
        isDone(one) && one.endedMs < begunMs && !removed.some((gone) => gone.id === one.id && mayHave(gone) && gone.begunMs <= endedMs),
    ).length;
    const freed = new Set(removed.filter((one) => isDone(one) && one.endedMs < begunMs).map(({ id }) => id));
    const atMost = created.filter((one) => one !== action && mayHave(one) && one.begunMs <= endedMs && !freed.has(one.id ?? '')).length;
    if (isDone(action) && surely >= mostEndpoints) return [`${url} was registered beside ${surely} endpoints.`];
    return action.status === 400 && atMost < mostEndpoints ? [`${url} was refused beside ${atMost} endpoints at most.`] : [];
  });
};

/**
 * Returns the URLs of an endpoint, each with the time at which its replacement was acknowledged.
 */
const urlsOf = (actions: readonly EndpointAction[]): readonly { readonly url: string; readonly untilMs: number }[] => {
  const named = actions.filter(({ url }) => url !== undefined);
  return named.map(({ url = '', begunMs }) => {
    const moves = actions.filter((action) => action.kind === 'move' && isDone(action) && action.url !== url && action.begunMs > begunMs);
    // If two changes of the URL overlap, either may be the last.
    const isContested = moves.some((move) => named.some((one) => one.url === url && one.endedMs >= move.begunMs));
    return { url, untilMs: isContested ? Number.POSITIVE_INFINITY : Math.min(...moves.map(({ endedMs }) => endedMs)) };
  });
};

/**
 * Returns requests of invocations that started after an acknowledged deletion, disabling or change
 * of the URL.
 */
const uncalledFor = (actions: readonly EndpointAction[], attempts: ReadonlyMap<string, readonly Attempt[]>): readonly string[] => {
  const removedMs = Math.min(...actions.filter((action) => action.kind === 'remove' && isDone(action)).map(({ endedMs }) => endedMs));
  const rests = actions.filter((action) => action.kind === 'disable' && isDone(action));
  const wakes = actions.filter((action) => action.kind === 'enable' && mayHave(action));
  return urlsOf(actions).flatMap(({ url, untilMs }) =>
    (attempts.get(url) ?? []).flatMap(({ event, invokedMs, begunMs }) => {
      const rest = rests.find(
        (one) => one.endedMs < invokedMs && !wakes.some((wake) => wake.endedMs >= one.begunMs && wake.begunMs <= begunMs),
      );
      const why = invokedMs > removedMs ? 'deleted' : invokedMs > untilMs ? 'moved' : rest ? 'disabled' : undefined;
      return why === undefined ? [] : [`${event} was sent to ${url}, which was acknowledged to be ${why} before.`];
    }),
  );
};

export const endpointsHold: Invariant = {
  number: 20,
  name: 'an account has ten endpoints and no more, a deletion frees a place, and what is deleted, disabled or moved is sent nothing',
  breaches({ journal, region }: Evidence) {
    const attempts = new Map<string, Attempt[]>();
    for (const attempt of region.receivers.attempts) attempts.set(attempt.url, [...(attempts.get(attempt.url) ?? []), attempt]);
    const by = (name: 'account' | 'id') => [...Map.groupBy(journal.endpoints, (action) => action[name])];
    return [
      ...by('account').flatMap(([, actions]) => misjudged(actions)),
      ...by('id').flatMap(([id, actions]) => (id === undefined ? [] : uncalledFor(actions, attempts))),
    ];
  },
};
