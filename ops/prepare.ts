import { invalidValue } from '../shared/core/errors.ts';
import { readOptions } from './arguments.ts';
import { awsRegionOf } from './deployed.ts';
import { connectTable, workThrough } from './parallel-scan.ts';
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
what is done. With another N, it moves the order numbers again.
`;

/** Number of simultaneous writes: about half of what DynamoDB writes to a new table in a second. */
export const writesAtOnce = 32;
const maxAhead = 1_000_000;

const aheadOf = (text: string): number => {
  const ahead = Number(text);
  if (!/^\d+$/.test(text) || ahead < 1 || ahead > maxAhead)
    throw invalidValue('ahead', `--ahead must be a whole number from 1 to ${maxAhead}.`);
  return ahead;
};

/** Runs `ops prepare`. Its result has the number of records that it read and changed. */
export const prepare = async (args: readonly string[], { env, stderr }: Pick<Terminal, 'env' | 'stderr'>): Promise<Outcome> => {
  const { help, values, tableChoice } = readOptions('prepare', args, {
    table: { type: 'string' },
    ahead: { type: 'string', default: '1000' },
  });
  if (help) return prepareHelp;
  const { region, table } = tableChoice('account', 'port', 'stack');
  const ahead = aheadOf(values.ahead);
  const { scanRestored } = await import('../shared/table/restored-table.ts');
  const scan = await scanRestored(await connectTable(table, awsRegionOf(region, env)), ahead).catch((error: unknown) => {
    throw failure(`The table ${table} could not be read: ${reasonOf(error)}`, error);
  });
  const kinds = ['order_numbers', 'first_attempts'] as const;
  const totals = await workThrough({ scan, kinds, atOnce: writesAtOnce, say: (line) => stderr(`${line}\n`) });
  return { result: { table, ahead, ...totals } };
};
