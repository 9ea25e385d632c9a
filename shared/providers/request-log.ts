import {
  CloudWatchLogsClient,
  type CloudWatchLogsClientConfig,
  GetQueryResultsCommand,
  LimitExceededException,
  MalformedQueryException,
  type ResultField,
  StartQueryCommand,
  StopQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { callLimits, withCallLimit } from '../core/aws-calls.ts';
import type { Clock } from '../core/clock.ts';
import { type RequestLine, type RequestSearch, requestOf } from './request-line.ts';

/** Result of a search: lines, `busy` if too many searches run, or `late` if it took too long. */
export type Found = readonly RequestLine[] | 'busy' | 'late';

export interface RequestLog {
  /**
   * Finds requests of an account, newest first. A line may be missing for some seconds after its
   * request.
   */
  search(search: RequestSearch): Promise<Found>;
}

interface RequestLogOptions {
  readonly logGroup: string;
  readonly clock: Clock;
  readonly client?: CloudWatchLogsClientConfig;
}

/** Maximum duration of a search, less than the function's 60 s. */
const longestMs = 25_000;
const betweenLooksMs = 250;

/** Whether AWS rejects a call because of too many queries, or too many calls, at once. */
const isBusy = (error: unknown): boolean =>
  error instanceof LimitExceededException || (error instanceof Error && error.name === 'ThrottlingException');

/**
 * Returns the text as a quoted value of a query. Quotes inside it are removed, because they would
 * end the value. Callers also validate it.
 */
const quoted = (value: string): string => `"${value.replace(/["\\]/g, '')}"`;

/** `filterIndex` uses the field index, so the search reads only lines of this account. */
const queryOf = ({ account, statuses, key, requestId, sinceMs, untilMs, limit }: RequestSearch): string =>
  [
    'fields @timestamp, @message',
    `filterIndex account = ${quoted(account)}`,
    ...(requestId === undefined ? [] : [`filterIndex rid = ${quoted(requestId)}`]),
    `filter account = ${quoted(account)} and ispresent(op)`,
    `filter toMillis(@timestamp) >= ${sinceMs}`,
    `filter toMillis(@timestamp) <= ${untilMs}`,
    ...(statuses ? [`filter status >= ${statuses[0]} and status <= ${statuses[1]}`] : []),
    ...(key === undefined ? [] : [`filter key = ${quoted(key)}`]),
    'sort @timestamp desc',
    `limit ${limit}`,
  ].join(' | ');

const readLine = (message: string): Readonly<Record<string, unknown>> => {
  try {
    return { ...JSON.parse(message) };
  } catch {
    // Lambda writes lines of its own.
    return {};
  }
};

const readRow = (row: readonly ResultField[], search: RequestSearch): readonly RequestLine[] => {
  const { '@timestamp': at = '', '@message': message = '' } = Object.fromEntries(row.map(({ field, value }) => [field, value]));
  // CloudWatch Logs Insights writes `2026-03-10 09:00:00.000`, in UTC.
  const found = requestOf(Date.parse(`${at.replace(' ', 'T')}Z`), readLine(message), search);
  return found ? [found] : [];
};

/** Searches the log group of the API with CloudWatch Logs Insights. */
export const connectRequestLog = ({ logGroup, clock, client = {} }: RequestLogOptions): RequestLog => {
  const logs = withCallLimit(new CloudWatchLogsClient({ ...callLimits, ...client }));

  const start = async (search: RequestSearch): Promise<string | 'busy' | 'nothing'> => {
    try {
      const { queryId = 'busy' } = await logs.send(
        new StartQueryCommand({
          logGroupName: logGroup,
          startTime: Math.floor(search.sinceMs / 1000),
          endTime: Math.ceil(search.untilMs / 1000),
          queryString: queryOf(search),
        }),
      );
      return queryId;
    } catch (error) {
      if (isBusy(error)) return 'busy';
      // AWS rejects a range that ends before the log group was created, or before its retention.
      if (error instanceof MalformedQueryException && /creation time|retention/i.test(error.message)) return 'nothing';
      throw error;
    }
  };

  /** Returns the lines; undefined while the query runs. */
  const look = async (queryId: string, search: RequestSearch): Promise<readonly RequestLine[] | undefined> => {
    try {
      const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
      if (status === 'Complete') return results.flatMap((row) => readRow(row, search));
      if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The search of the log ended as ${status}.`);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    return undefined;
  };

  return {
    async search(search) {
      const endMs = clock.now() + longestMs;
      const queryId = await start(search);
      if (queryId === 'busy') return 'busy';
      if (queryId === 'nothing') return [];
      while (clock.now() < endMs) {
        const lines = await look(queryId, search);
        if (lines) return lines;
        await clock.sleep(betweenLooksMs);
      }
      await logs.send(new StopQueryCommand({ queryId })).catch(() => {});
      return 'late';
    },
  };
};
