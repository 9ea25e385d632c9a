import { operations } from '../functions/actions/operations.ts';
import type { Clock } from '../shared/core/clock.ts';
import type { Region } from '../shared/core/config.ts';
import { type RequestLog, requestOf } from '../shared/providers/request-log.ts';

type Line = Readonly<Record<string, unknown>>;

/** Maximum number of requests to remember per region. */
const mostLines = 20_000;

/** Remembers the log lines of requests since the start, instead of CloudWatch Logs. */
interface LocalRequestLogs {
  /** Takes every line of the region's log, and remembers those of API requests. */
  tell(region: Region, line: Line): void;
  of(region: Region): RequestLog;
}

export const openLocalRequestLogs = ({ clock }: { readonly clock: Clock }): LocalRequestLogs => {
  const lines = new Map<Region, { readonly atMs: number; readonly line: Line }[]>();
  const linesOf = (region: Region) => {
    const known = lines.get(region) ?? [];
    lines.set(region, known);
    return known;
  };
  return {
    tell(region, line) {
      const { op, account } = line;
      // Lines of the hosted page have the same fields, but a deployed stack has them in another log.
      if (typeof op !== 'string' || !Object.hasOwn(operations, op) || typeof account !== 'string') return;
      const known = linesOf(region);
      known.push({ atMs: clock.now(), line });
      if (known.length > mostLines) known.splice(0, mostLines / 10);
    },
    of: (region) => ({
      search: async (search) =>
        linesOf(region)
          .flatMap(({ atMs, line }) => requestOf(atMs, line, search) ?? [])
          .reverse()
          .slice(0, search.limit),
    }),
  };
};
