import { isDeepStrictEqual } from 'node:util';
import type { Notice } from '../../../shared/domain/account/notice.ts';
import type { ApiKey } from '../../../shared/domain/account/record.ts';
import type { ExportAction } from '../people/journal.ts';
import { recordIn } from '../reading/records.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The documented values, not the product's constants. */
const warningMs = 7 * 86_400_000;
const skewMs = 1_000;
/** The most that an index lags behind the table. */
const lagMs = 60_000;

/** A time during which a key had one end, which a notice announces once. */
interface Reign {
  readonly account: string;
  readonly key: string;
  readonly end: string;
  readonly sinceMs: number;
  /** When the end was changed, or the key revoked or deleted. */
  readonly untilMs: number;
  /** Seven days before the end, or at once. */
  readonly dueMs: number;
}

/** Returns the ends that keys had, from the history of the table. */
const reignsOf = ({ region }: Evidence): readonly Reign[] => {
  const open = new Map<string, Reign>();
  const reigns: Reign[] = [];
  for (const { key: at, after, atMs } of region.engine.table('simulated').changes) {
    const [kind, account = ''] = String(at['pk']).split('#');
    const key = String(at['sk']);
    if (kind !== 'key' || !key.startsWith('key_')) continue;
    const { expires_at, revoked_at } = after ? recordIn<ApiKey>(after) : { expires_at: null, revoked_at: null };
    const end = revoked_at === null ? expires_at : null;
    const before = open.get(key);
    if (before?.end === (end ?? undefined)) continue;
    if (before) reigns.push({ ...before, untilMs: atMs });
    open.delete(key);
    const dueMs = end === null ? 0 : Math.max(Date.parse(end) - warningMs, atMs);
    if (end !== null) open.set(key, { account, key, end, sinceMs: atMs, untilMs: Number.POSITIVE_INFINITY, dueMs });
  }
  return [...reigns, ...open.values()];
};

/** Whether the end was still to come when it was set. */
const isAhead = ({ end, sinceMs }: Reign, toleranceMs: number): boolean => Date.parse(end) > sinceMs + toleranceMs;
const mustTell = (reign: Reign): boolean => isAhead(reign, skewMs) && reign.untilMs > reign.dueMs + skewMs;
const mayTell = (reign: Reign): boolean => isAhead(reign, -skewMs) && reign.untilMs > reign.dueMs - skewMs;

const nameOf = ({ key, time }: Pick<Notice, 'key' | 'time'>): string => `${key} ends at ${time}`;

const sentFindings = (evidence: Evidence, reigns: ReadonlyMap<string, readonly Reign[]>, ended: ReadonlySet<string>): readonly string[] => {
  const { notices, pipeline } = evidence.region;
  const sent = Map.groupBy(
    notices.sent.filter(({ notice }) => notice.key),
    ({ notice }) => nameOf(notice),
  );
  const isSwept = ({ dueMs }: Reign) => pipeline.sweeps.runs.some(({ isWhole, beganMs }) => isWhole && beganMs > dueMs + lagMs);
  return [...new Set([...sent.keys(), ...reigns.keys()])].flatMap((name) => {
    const [own, notified] = [reigns.get(name) ?? [], sent.get(name) ?? []];
    const least = own.filter((reign) => mustTell(reign) && isSwept(reign) && !ended.has(reign.account)).length;
    const most = own.filter(mayTell).length;
    const count = new Set(notified.map(({ notice }) => notice.id)).size;
    const isRight = ({ notice, atMs }: (typeof notified)[number]): boolean =>
      notice.type === 'API Key Expiring' &&
      notice.reason === 'expires_in_7_days' &&
      own.some(({ account, dueMs }) => account === notice.account && atMs >= dueMs - skewMs);
    return [
      ...(count >= least && count <= most ? [] : [`${name}, and ${count} notices of ${least} to ${most} were sent.`]),
      ...notified.filter((one) => !isRight(one)).map(({ notice, atMs }) => `${JSON.stringify(notice)} was sent at ${atMs}.`),
    ];
  });
};

/** Compares a list of notices with those that were sent before it, and with the ends that keys had. */
const listFindings = (evidence: Evidence, reigns: ReadonlyMap<string, readonly Reign[]>, action: ExportAction): readonly string[] => {
  const { account, pages, begunMs, endedMs } = action;
  const listed = pages.flatMap(({ data }) => data as readonly Notice[]);
  const sent = new Map(evidence.region.notices.sent.map((one) => [one.notice.id, one]));
  const due = [...sent.values()].filter(({ notice, atMs }) => notice.account === account && atMs < begunMs);
  const agrees = (one: Notice): boolean => {
    const sentNotice = sent.get(one.id)?.notice;
    const isOfKey = (reigns.get(nameOf(one)) ?? []).some(
      (reign) => reign.account === account && mayTell(reign) && reign.dueMs - skewMs <= endedMs,
    );
    return (sentNotice === undefined || isDeepStrictEqual(one, sentNotice)) && (one.key === undefined || isOfKey);
  };
  return [
    ...due.filter(({ notice }) => !listed.some(({ id }) => id === notice.id)).map(({ notice }) => `lacks ${notice.id}, which was sent`),
    ...listed.filter((one) => !agrees(one)).map((one) => `has ${JSON.stringify(one)}`),
    ...listed.filter(({ id }, i) => listed.findIndex((one) => one.id === id) < i).map(({ id }) => `has ${id} twice`),
  ].map((finding) => `notice.list of ${account} at ${new Date(begunMs).toISOString()} ${finding}.`);
};

export const endsAnnounced: Invariant = {
  number: 23,
  name: 'the end of a key is announced once, seven days before it or at once, unless it is changed before, and the list shows what was sent',
  breaches(evidence) {
    const { erasures, noticeLists } = evidence.journal;
    const ended = new Set(erasures.flatMap(({ account, customer }) => (customer === undefined ? [account] : [])));
    const reigns = Map.groupBy(reignsOf(evidence), ({ key, end }) => nameOf({ key, time: end }));
    return [...sentFindings(evidence, reigns, ended), ...noticeLists.flatMap((list) => listFindings(evidence, reigns, list))];
  },
};
