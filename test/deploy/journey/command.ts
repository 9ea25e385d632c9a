import assert from 'node:assert/strict';
import {
  type AttributeValue,
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  paginateScan,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { linkNames } from '../../../ops/check-links.ts';
import type { Region } from '../../../shared/core/config.ts';
import type { Receiver } from '../../support/receiver.ts';
import { mustRun, start } from '../children.ts';
import { stackName } from '../deploy.ts';
import { clientOf, type Emulator } from '../emulator.ts';
import { until } from '../until.ts';
import type { Shop } from './shop.ts';

const deadlineMs = 60_000;

/** Every item in the tables of the region's stack. */
const itemsOf = async (emulator: Emulator, region: Region) => {
  const client = new DynamoDBClient(clientOf(emulator, region));
  try {
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    const found: Record<string, AttributeValue>[] = [];
    for (const TableName of TableNames) for await (const { Items = [] } of paginateScan({ client }, { TableName })) found.push(...Items);
    return found;
  } finally {
    client.destroy();
  }
};

/** Makes a table with these items, as a restore leaves the table of before it. */
const makeTable = async (emulator: Emulator, region: Region, items: readonly Record<string, AttributeValue>[]) => {
  const client = new DynamoDBClient(clientOf(emulator, region));
  const TableName = 'before-the-restore';
  const names = ['pk', 'sk'] as const;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName });
  for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }));
  const remove = async () => {
    await client.send(new DeleteTableCommand({ TableName }));
    client.destroy();
  };
  return { name: TableName, remove };
};

/**
 * Runs the `ops` commands that are not actions on the deployed stack. The orders' endpoint has a
 * host that need not resolve, so no event of them is triggered.
 */
export const checkCommand = async ({ region, account, act, call, check }: Shop, receiver: Receiver, emulator: Emulator): Promise<void> => {
  const { env } = emulator;
  const argsOf = (...command: readonly string[]) => [
    'run',
    '--silent',
    'ops',
    '--',
    ...command,
    '--region',
    region,
    '--stack',
    stackName(region),
    '--account',
    account,
  ];
  const ops = async (...command: readonly string[]) => JSON.parse((await mustRun('npm', argsOf(...command), { env })).stdout);

  await check('ops trigger makes an event, and ops resend delivers it again', async () => {
    const hook = receiver.hook();
    const { body } = await call('POST', '/webhooks', { url: hook.url, events: ['expense.created'] });
    const { event, made } = await ops('trigger', 'expense.created');
    assert.deepEqual([event, Object.keys(made)], ['expense.created', ['expense']]);
    // The endpoint may also receive the fee of the payment before: a registration looks back two seconds.
    const untilReceived = (count: number) =>
      until(`${count} requests about ${made.expense}`, deadlineMs, () => {
        const found = hook.requests.filter((request) => JSON.parse(request.body.toString()).data.object.id === made.expense);
        return found.length >= count && found;
      });
    const [first] = await untilReceived(1);
    const id = String(first?.headers['x-webhook-id']);
    assert.deepEqual(await ops('resend', id), { event: id, resent: [body.id], disabled: [] });
    const requests = await untilReceived(2);
    assert.ok(requests.every((request) => first?.body.equals(request.body)));
  });

  const onTable = async (name: string, table: string, ...options: readonly string[]) => {
    const args = ['run', '--silent', 'ops', '--', name, '--table', table, '--region', region, ...options];
    return JSON.parse((await mustRun('npm', args, { env })).stdout);
  };

  await check('ops prepare moves order numbers ahead once', async () => {
    const order = async (): Promise<number> =>
      (await call('POST', '/orders', { items: [{ name: 'Bun', quantity: 1, unit_price: 2 }] })).body.order_number;
    const ask = `const { stackOutput } = await import('./ops/deployed.ts');
      process.stdout.write(await stackOutput('${stackName(region)}', '${region}', 'TableName', {}));`;
    const { stdout: table } = await mustRun('node', ['--input-type=module', '-e', ask], { env });
    const before = await order();
    assert.ok((await onTable('prepare', table)).order_numbers > 0);
    assert.equal((await onTable('prepare', table)).order_numbers, 0);
    assert.equal(await order(), before + 1_001);
  });

  await check('ops repeat ends a key that had ended in another table', async () => {
    const now = new Date().toISOString();
    const { id } = await act('key.create', { type: 'secret', name: 'ended' });
    const item = (await itemsOf(emulator, region)).find(({ sk }) => sk?.S === id);
    const other = await makeTable(emulator, region, [
      { ...item, data: { M: { ...item?.['data']?.M, revoked_at: { S: now }, updated_at: { S: now } } } },
    ]);
    const result = await onTable('repeat', other.name, '--since', now, '--stack', stackName(region));
    await other.remove();
    assert.deepEqual([result.keys_ended, result.not_found], [1, 0]);
    const { data } = await act('key.list', {});
    assert.ok(data.find((key: { id: string }) => key.id === id).revoked_at);
  });

  await check('ops check proves the stack, and leaves of its account the tombstone and the mark', async () => {
    const { stdout } = await mustRun('npm', ['run', '--silent', 'ops', '--', 'check', '--stack', stackName(region)], { env });
    assert.deepEqual(stdout.match(/^\w+(?= +ok )/gm), [...linkNames], stdout);
    const [id = ''] = /acct_\w+/.exec(stdout) ?? [];
    const remaining = await until('what the account held is gone', deadlineMs, async () => {
      const keys = (await itemsOf(emulator, region)).filter((item) => JSON.stringify(item).includes(id)).map(({ pk }) => pk?.S ?? '');
      return keys.length <= 2 && keys;
    });
    assert.deepEqual(remaining.sort(), [`acc#${id}`, `era#${id}`]);
  });

  await check('ops tail shows a request with the id that its caller was answered with', async () => {
    const tail = start('npm', argsOf('tail', '--print-json'), { env });
    let output = '';
    let errorOutput = '';
    tail.stdout?.on('data', (chunk) => {
      output += String(chunk);
    });
    tail.stderr?.on('data', (chunk) => {
      errorOutput += String(chunk);
    });
    try {
      await until('it follows', deadlineMs, () => errorOutput.includes('Following'));
      const ids: string[] = [];
      // Requests the lines each time: the emulator waits 50 ms for an invocation's lines, and shows
      // later ones with the next invocation.
      const line = await until('the line of the request', deadlineMs, async () => {
        const { headers } = await call('GET', '/expenses');
        ids.push(String(headers['x-request-id']));
        return output.split('\n').find((one) => ids.some((id) => one.includes(id)));
      });
      const { method, route, status } = JSON.parse(line);
      assert.deepEqual([method, route, status], ['GET', '/api/v2/expenses', 200]);
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${errorOutput}`);
    } finally {
      tail.kill('SIGINT');
    }
  });
};
