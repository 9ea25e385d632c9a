import { randomUUID } from 'node:crypto';
import { systemClock } from '../shared/core/clock.ts';
import type { Region } from '../shared/core/config.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { isoFromMs, parseIso } from '../shared/core/time.ts';
import type { Undone } from '../shared/table/restored-table.ts';
import { readOptions, type Target } from './arguments.ts';
import { awsRegionOf, stackOutput } from './deployed.ts';
import { follow, invoke } from './invoke.ts';
import { connectTable, workThrough } from './parallel-scan.ts';
import { type Outcome, ServiceError } from './response.ts';
import type { Terminal } from './terminal.ts';

const repeatHelp = `Repeats what a restore has undone: reads the table of before the restore, and
repeats its erasures of accounts and customers since a time, and the ends of
keys, on the stack that uses the restored table. Two minutes before that time
count too, because a write may be older than its commit.

Usage:
  bakery-ops repeat --table NAME --since TIME --stack [NAME] --region R

Options:
  --table NAME     the table of before the restore
  --since TIME     the restored second, for example 2026-03-10T09:00:00Z
  --stack [NAME]   deployed stack (default BakeryCommerce-<region>)
  --region R       us, au or eu
  --output json    JSON on a terminal too

It needs AWS credentials with the rights dynamodb:Scan on the table,
cloudformation:DescribeStacks and lambda:InvokeFunction on NAME-actions. What
does not exist in the restored table counts as not_found. If a call fails, it
names the account and goes on; the exit code is then 1. Run it again after an
error or ^C.
`;

/** Number of simultaneous calls: an AWS account starts with a quota of ten executions. */
const callsAtOnce = 8;

const actionOf = ({ kind, id, ends_at: expires_at }: Undone): readonly [action: string, input: object] => {
  if (kind === 'accounts_erased') return ['account.erase', { confirm: id }];
  if (kind === 'customers_erased') return ['customer.erase', { id }];
  return expires_at === undefined ? ['key.revoke', { id }] : ['key.update', { id, expires_at }];
};

/** Repeats an erasure or the end of a key. Returns `not_found` if the restored table does not have the record. */
const repeatOne = async (target: Target, region: Region, env: Terminal['env'], undone: Undone): Promise<Undone['kind'] | 'not_found'> => {
  const { account, kind } = undone;
  const [action, input] = actionOf(undone);
  try {
    await follow(action, (page) => invoke(target, region, { action, account, input: page, token: randomUUID() }, env), input);
    return kind;
  } catch (error) {
    if (error instanceof ServiceError && error.body.error['code'] === 'not_found') return 'not_found';
    throw error;
  }
};

/**
 * Throws if the stack uses the table that is to be read: the stack does not use the restored table yet,
 * or the table is the restored one. Nothing would be repeated.
 */
const assertReplaced = async (table: string, stack: string, region: Region, env: Terminal['env']): Promise<void> => {
  if ((await stackOutput(stack, region, 'TableName', env)) !== table) return;
  throw invalidValue(
    'table',
    `${stack} uses the table ${table}. Name the one of before the restore, after the stack uses the restored one.`,
  );
};

/** Reads the restored second. Without a zone, it would be another second to the AWS CLI. */
const sinceOf = (text: string): number => {
  const ms = /(z|[+-]\d\d:?\d\d)$/i.test(text) ? parseIso(text) : undefined;
  if (ms === undefined || ms > systemClock.now())
    throw invalidValue('since', 'Name the restored second, with its zone: --since 2026-03-10T09:00:00Z.');
  return ms;
};

/** Runs `ops repeat`. Its result has the number of records that it read and repeated. */
export const repeat = async (args: readonly string[], { env, stderr }: Pick<Terminal, 'env' | 'stderr'>): Promise<Outcome> => {
  const { help, values, tableChoice } = readOptions('repeat', args, { table: { type: 'string' }, since: { type: 'string' } });
  if (help) return repeatHelp;
  const { region, table, target } = tableChoice('account', 'port');
  if (!('stack' in target)) throw invalidValue('stack', 'Name the stack that uses the restored table: --stack.');
  const sinceMs = sinceOf(values.since ?? '');
  await assertReplaced(table, target.stack, region, env);
  const { scanReplaced } = await import('../shared/table/restored-table.ts');
  const replaced = scanReplaced(await connectTable(table, awsRegionOf(region, env)), sinceMs);
  const scan = async function* (segment: number, segments: number) {
    for await (const { records, found } of replaced(segment, segments)) {
      const steps = found.map((undone) => {
        const record = `${actionOf(undone)[0]} of ${undone.id}`;
        return { account: undone.account, record, run: () => repeatOne(target, region, env, undone) };
      });
      yield { records, found: steps };
    }
  };
  const kinds = ['accounts_erased', 'customers_erased', 'keys_ended', 'not_found'] as const;
  const totals = await workThrough({ scan, kinds, atOnce: callsAtOnce, say: (line) => stderr(`${line}\n`) });
  return { result: { table, since: isoFromMs(sinceMs), ...totals } };
};
