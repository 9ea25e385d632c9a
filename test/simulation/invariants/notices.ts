import type { Evidence, Invariant } from './invariant.ts';

interface Stored {
  readonly id: string;
  readonly storedMs: number;
  readonly deletedMs: number;
}

/** The most that an index lags behind the table. */
const lagMs = 60_000;

/** Returns, by endpoint, the times at which ten failures disabled it, and the stored notices. */
const historyOf = ({ region }: Evidence) => {
  const disabled = new Map<string, number>();
  const stored = new Map<string, Stored & { readonly endpoint: string }>();
  for (const { key, before, after, atMs } of region.engine.table('simulated').changes) {
    const [pk, id] = [String(key['pk']), String(key['sk'])];
    if (pk.startsWith('whe#') && before?.['enabled'] === true && after?.['disabled_reason'] === 'consecutive_failures')
      disabled.set(id, (disabled.get(id) ?? 0) + 1);
    if (!pk.startsWith('ntc#')) continue;
    const { endpoint } = ((after ?? before) as { view: { endpoint?: string } }).view;
    const known = stored.get(id) ?? { id, storedMs: atMs, deletedMs: Number.POSITIVE_INFINITY, endpoint: endpoint ?? '' };
    if (endpoint !== undefined) stored.set(id, after ? known : { ...known, deletedMs: atMs });
  }
  return { disabled, stored };
};

export const noticed: Invariant = {
  number: 23,
  name: 'each time ten failures disable an endpoint, one notice is sent, and nothing else sends one',
  breaches(evidence) {
    const { notices, pipeline } = evidence.region;
    const { disabled, stored } = historyOf(evidence);
    const sent = new Map(notices.sent.map(({ notice, atMs }) => [notice.id, atMs]));
    const counts = Map.groupBy(stored.values(), ({ endpoint }) => endpoint);
    const endpoints = new Set([...disabled.keys(), ...counts.keys()]);
    const missed = ({ id, storedMs, deletedMs }: Stored) =>
      !sent.has(id) &&
      pipeline.sweeps.runs.some(({ isWhole, beganMs, endedMs }) => isWhole && beganMs > storedMs + lagMs && endedMs < deletedMs);
    return [
      ...[...endpoints].flatMap((id) => {
        const [times, notes] = [disabled.get(id) ?? 0, counts.get(id)?.length ?? 0];
        return times === notes ? [] : [`${id} was disabled ${times} times and made ${notes} notices.`];
      }),
      ...[...stored.values()].filter(missed).map(({ id, endpoint }) => `${id} of ${endpoint} was not sent by a whole sweep.`),
      ...notices.sent
        .filter(({ notice }) => notice.endpoint && !stored.has(notice.id))
        .map(({ notice }) => `${notice.id} was never stored.`),
    ];
  },
};
