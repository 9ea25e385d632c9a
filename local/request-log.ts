import { operations } from '../functions/actions/operations.ts';
import type { Clock } from '../shared/core/clock.ts';
import type { Region } from '../shared/core/regions.ts';
import type { RequestLine, RequestLog, RequestSearch } from '../shared/providers/request-log.ts';

type Line = Readonly<Record<string, unknown>>;

/** Maximum number of requests to remember per region. */
const mostLines = 20_000;

/** Remembers the log lines of requests since the start, instead of CloudWatch Logs. */
interface LocalRequestLogs {
  /** Takes every line of the region's log, and remembers those of API requests. */
  tell(region: Region, line: Line): void;
  of(region: Region): RequestLog;
}

const matches = ({ account, sinceMs, untilMs, statuses, key, requestId }: RequestSearch) => {
  const [least, most] = statuses ?? [0, 999];
  return (line: RequestLine & { readonly account: string }): boolean =>
    line.account === account &&
    line.atMs >= sinceMs &&
    line.atMs <= untilMs &&
    line.status >= least &&
    line.status <= most &&
    (key === undefined || line.key === key) &&
    (requestId === undefined || line.rid === requestId);
};

export const openLocalRequestLogs = ({ clock }: { readonly clock: Clock }): LocalRequestLogs => {
  const lines = new Map<Region, (RequestLine & { readonly account: string })[]>();
  const linesOf = (region: Region) => {
    const known = lines.get(region) ?? [];
    lines.set(region, known);
    return known;
  };
  return {
    tell(region, { rid, op, status, code, ms, key, account }) {
      if (typeof rid !== 'string' || typeof op !== 'string' || typeof account !== 'string') return;
      // Lines of the hosted page have the same fields, but a deployed stack has them in another log.
      if (!Object.hasOwn(operations, op)) return;
      const known = linesOf(region);
      const text = (value: unknown) => (typeof value === 'string' ? value : null);
      known.push({ atMs: clock.now(), rid, op, status: Number(status), code: text(code), ms: Number(ms), key: text(key), account });
      if (known.length > mostLines) known.splice(0, mostLines / 10);
    },
    of: (region) => ({
      search: async (search) => linesOf(region).filter(matches(search)).reverse().slice(0, search.limit),
    }),
  };
};
