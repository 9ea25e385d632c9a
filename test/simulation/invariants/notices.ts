import type { Evidence, Invariant } from './invariant.ts';

interface Stored {
  readonly id: string;
  readonly storedMs: number;
  readonly deletedMs: number;
}

/** The most that an index lags behind the table. */
const lagMs = 60_000;

const types = ['Webhook Endpoint Failing', 'Webhook Endpoint Disabled'] as const;
type Range = readonly [least: number, most: number];
type Item = Readonly<Record<string, unknown>>;

/**
 * Returns how many notices a change of an endpoint makes. If an invocation also succeeds, its order of
 * outcomes is not stored, so its failures may have reached the fifth in a row or not.
 */
const expectedOf = (before: Item | undefined, after: Item | undefined): Readonly<Record<(typeof types)[number], Range>> => {
  const [was, is] = [Number(before?.['consecutive_failures']), Number(after?.['consecutive_failures'])];
  const rise = (name: string) => Number(after?.[name]) - Number(before?.[name]);
  const isEnabled = before?.['enabled'] === true && after !== undefined;
  const isMixed = rise('success_count') > 0;
  const disables = isEnabled && after['enabled'] === false && after['disabled_reason'] === 'consecutive_failures' ? 1 : 0;
  const reaches = isEnabled && !isMixed && was < 5 && is >= 5 ? 1 : 0;
  const mayReach = isEnabled && isMixed && (was < 5 ? was : 0) + rise('failure_count') >= 5 ? 1 : reaches;
  return { 'Webhook Endpoint Failing': [reaches, mayReach], 'Webhook Endpoint Disabled': [disables, disables] };
};

/** Returns the expected notices by endpoint and type, and the stored notices. */
const historyOf = ({ region }: Evidence) => {
  const expected = new Map<string, Range>();
  const stored = new Map<string, Stored & { readonly endpoint: string; readonly type: string }>();
  for (const { key, before, after, atMs } of region.engine.table('simulated').changes) {
    const [pk, id] = [String(key['pk']), String(key['sk'])];
    if (pk.startsWith('whe#'))
      for (const [type, [least, most]] of Object.entries(expectedOf(before, after))) {
        const [leastBefore, mostBefore] = expected.get(`${type} ${id}`) ?? [0, 0];
        if (most > 0) expected.set(`${type} ${id}`, [leastBefore + least, mostBefore + most]);
      }
    if (!pk.startsWith('ntc#')) continue;
    const { endpoint = '', type } = ((after ?? before) as { view: { endpoint?: string; type: string } }).view;
    const known = stored.get(id) ?? { id, storedMs: atMs, deletedMs: Number.POSITIVE_INFINITY, endpoint, type };
    if (endpoint) stored.set(id, after ? known : { ...known, deletedMs: atMs });
  }
  return { expected, stored };
};

export const noticed: Invariant = {
  number: 23,
  name: 'the fifth failure in a row and the tenth, which disables an endpoint, each send one notice, and nothing else sends one',
  breaches(evidence) {
    const { notices, pipeline } = evidence.region;
    const { expected, stored } = historyOf(evidence);
    const sent = new Map(notices.sent.map(({ notice, atMs }) => [notice.id, atMs]));
    const counts = Map.groupBy(stored.values(), ({ endpoint, type }) => `${type} ${endpoint}`);
    const subjects = new Set([...expected.keys(), ...counts.keys()]);
    const missed = ({ id, storedMs, deletedMs }: Stored) =>
      !sent.has(id) &&
      pipeline.sweeps.runs.some(({ isWhole, beganMs, endedMs }) => isWhole && beganMs > storedMs + lagMs && endedMs < deletedMs);
    return [
      ...[...subjects].flatMap((subject) => {
        const [least, most] = expected.get(subject) ?? [0, 0];
        const count = counts.get(subject)?.length ?? 0;
        return least <= count && count <= most ? [] : [`${subject}: ${count} notices of ${least} to ${most}.`];
      }),
      ...[...stored.values()].filter(missed).map(({ id, endpoint }) => `${id} of ${endpoint} was not sent by a whole sweep.`),
      ...notices.sent
        .filter(({ notice }) => notice.endpoint && !stored.has(notice.id))
        .map(({ notice }) => `${notice.id} was never stored.`),
    ];
  },
};
