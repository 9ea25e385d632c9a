import { systemClock } from '../shared/core/clock.ts';
import { awaitAll, limitParallel } from '../shared/core/promises.ts';
import { systemRandom } from '../shared/core/random.ts';
import type { Db } from '../shared/table/client.ts';
import type { Scan } from '../shared/table/restored-table.ts';
import { failure, reasonOf } from './response.ts';

/** Number of segments that are read at once: about half of what DynamoDB reads of a new table in a second. */
export const segments = 8;
const pagesPerLine = 100;

/** Calls are repeated with growing pauses for about a minute, because a new table throttles bursts. */
const patient = {
  maxAttempts: 10,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
} as const;

export const connectTable = async (tableName: string, region: string): Promise<Db> => {
  const { connectDb } = await import('../shared/table/client.ts');
  return connectDb({ tableName, client: { region, ...patient }, clock: systemClock, random: systemRandom });
};

/** Something to do about a record. */
interface Step<Kind extends string> {
  readonly account: string;
  /** Names the record in an error. */
  readonly record: string;
  /** Returns the kind to count, if any. */
  readonly run: () => Promise<Kind | undefined>;
}

export interface Work<Kind extends string> {
  readonly scan: Scan<Step<Kind>>;
  readonly kinds: readonly Kind[];
  /** Maximum number of steps at once. */
  readonly atOnce: number;
  readonly say: (line: string) => void;
}

type Totals<Kind extends string> = Record<Kind | 'records', number>;

/** Errors that every later call would meet too. */
const endsEverything = ['AccessDeniedException', 'ExpiredTokenException', 'ResourceNotFoundException', 'UnrecognizedClientException'];
const isFinal = (error: unknown): boolean => error instanceof Error && (endsEverything.includes(error.name) || isFinal(error.cause));

/**
 * Reads a table in parallel segments and does the step of each record. A step that fails is reported
 * with its account and stops no other; then the work ends with an error.
 */
export const workThrough = async <Kind extends string>({ scan, kinds, atOnce, say }: Work<Kind>): Promise<Totals<Kind>> => {
  const withinLimit = limitParallel(atOnce);
  const totals = Object.fromEntries(['records', ...kinds].map((name) => [name, 0])) as Totals<Kind>;
  const progress = () =>
    `${Object.entries(totals)
      .map(([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`)
      .join(', ')}.`;
  let [pages, failed] = [0, 0];
  const doStep = async ({ account, record, run }: Step<Kind>): Promise<void> => {
    try {
      const kind = await withinLimit(run);
      if (kind !== undefined) totals[kind] += 1;
    } catch (error) {
      if (isFinal(error)) throw error;
      failed += 1;
      say(`${account}: ${record} failed: ${reasonOf(error)}`);
    }
  };
  const workSegment = async (segment: number): Promise<void> => {
    for await (const { records, found } of scan(segment, segments)) {
      await awaitAll(found.map(doStep));
      totals.records += records;
      pages += 1;
      if (pages % pagesPerLine === 0) say(progress());
    }
  };
  const results = await Promise.allSettled(Array.from({ length: segments }, (_, segment) => workSegment(segment)));
  const cut = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []));
  if (cut.length === 0 && failed === 0) return totals;
  const parts = [
    ...(failed > 0 ? [`${failed} records failed`] : []),
    ...(cut.length > 0 ? [`${cut.length} of ${segments} segments ended early: ${[...new Set(cut)].join('; ')}`] : []),
  ];
  throw failure(`${parts.join(', and ')}. Done so far: ${progress()} Run the command again: what is done stays done.`);
};
