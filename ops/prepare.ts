import { systemClock } from '../shared/core/clock.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { atMost, awaitAll } from '../shared/core/promises.ts';
import { systemRandom } from '../shared/core/random.ts';
import type { Repair, RestoredTable } from '../shared/table/restored-table.ts';
import { readOptions } from './arguments.ts';
import { awsRegionOf } from './deployed.ts';
import { failure, type Outcome, reasonOf } from './response.ts';
import type { Terminal } from './terminal.ts';

const prepareHelp = `Prepares a restored table before its stack uses it: moves the order numbers of
each account ahead of those that are lost, and makes each delivery that waits
for its first attempt due, so that the sweep finds it.

Usage:
  bakery-ops prepare --table NAME --region R [options]

Options:
  --table NAME     the restored table
  --region R       us, au or eu
  --ahead N        number to add to order numbers (default 1000): more than the
                   orders that one account has lost
  --output json    JSON on a terminal too

It needs AWS credentials with the rights dynamodb:DescribeTable, dynamodb:Scan
and dynamodb:UpdateItem on the table. If a write fails, it names the account and
goes on; the exit code is then 1. Run it again after an error or ^C: it skips
what is done.
`;

/** Parallel reads and writes: about half of what DynamoDB lets a new table do in a second. */
export const limits = { segments: 8, writesAtOnce: 32 } as const;
const pagesPerLine = 100;
const mostAhead = 1_000_000;

/** Calls are repeated with growing pauses for about a minute, because a new table throttles bursts. */
const patient = {
  maxAttempts: 10,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
} as const;

/** Errors that every later call would meet too. */
const endsEverything = ['AccessDeniedException', 'ExpiredTokenException', 'ResourceNotFoundException', 'UnrecognizedClientException'];
const isFinal = (error: unknown): boolean => error instanceof Error && endsEverything.includes(error.name);

const openTable = async (tableName: string, region: string, ahead: number): Promise<RestoredTable> => {
  const [{ connectDb }, { openRestoredTable }] = await Promise.all([
    import('../shared/table/client.ts'),
    import('../shared/table/restored-table.ts'),
  ]);
  return openRestoredTable(connectDb({ tableName, client: { region, ...patient }, clock: systemClock, random: systemRandom }), ahead);
};

interface Totals {
  records: number;
  order_numbers: number;
  first_attempts: number;
}

const sentenceOf = ({ records, order_numbers, first_attempts }: Totals): string =>
  `Read ${records} records: moved the order numbers of ${order_numbers} accounts, made ${first_attempts} first attempts due.`;

/** Repairs all records. Throws at the end if a read or a write failed. */
const repairAll = async (table: RestoredTable, say: (line: string) => void): Promise<Totals> => {
  const limited = atMost(limits.writesAtOnce);
  const totals: Totals = { records: 0, order_numbers: 0, first_attempts: 0 };
  let [pages, failed] = [0, 0];
  const repair = async ({ kind, account, record, write }: Repair): Promise<void> => {
    try {
      await limited(write);
      totals[kind] += 1;
    } catch (error) {
      if (isFinal(error)) throw error;
      failed += 1;
      say(`${account}: ${record} could not be written: ${reasonOf(error)}`);
    }
  };
  const repairSegment = async (segment: number): Promise<void> => {
    for await (const { records, repairs } of table.pages(segment, limits.segments)) {
      await awaitAll(repairs.map(repair));
      totals.records += records;
      pages += 1;
      if (pages % pagesPerLine === 0) say(sentenceOf(totals));
    }
  };
  const results = await Promise.allSettled(Array.from({ length: limits.segments }, (_, segment) => repairSegment(segment)));
  const unread = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []));
  if (unread.length === 0 && failed === 0) return totals;
  const parts = [
    ...(failed > 0 ? [`${failed} records could not be written`] : []),
    ...(unread.length > 0 ? [`${unread.length} of ${limits.segments} segments ended early: ${[...new Set(unread)].join('; ')}`] : []),
  ];
  throw failure(`${parts.join(', and ')}. ${sentenceOf(totals)} Run the command again: it skips what is done.`);
};

const aheadOf = (text: string): number => {
  const ahead = Number(text);
  if (!/^\d+$/.test(text) || ahead < 1 || ahead > mostAhead)
    throw invalidValue('ahead', `--ahead must be a whole number from 1 to ${mostAhead}.`);
  return ahead;
};

/** Runs `ops prepare`. Its result has the number of records that it read and changed. */
export const prepare = async (args: readonly string[], { env, stderr }: Pick<Terminal, 'env' | 'stderr'>): Promise<Outcome> => {
  const { help, isJson, values, positionals, regionOfTable } = readOptions('prepare', args, {
    table: { type: 'string' },
    ahead: { type: 'string', default: '1000' },
  });
  if (help) return prepareHelp;
  if (positionals[0] !== undefined) throw invalidValue('prepare', `prepare takes options only, not "${positionals[0]}".`);
  const region = regionOfTable();
  const { table } = values;
  if (!table) throw invalidValue('table', 'Name the restored table: --table.');
  const ahead = aheadOf(values.ahead);
  const opened = await openTable(table, awsRegionOf(region, env), ahead).catch((error: unknown) => {
    throw failure(`The table ${table} could not be read: ${reasonOf(error)}`, error);
  });
  return { isJson, result: { table, ahead, ...(await repairAll(opened, (line) => stderr(`${line}\n`))) } };
};
