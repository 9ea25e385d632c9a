import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCustomer } from '../../shared/domain/customer/input.ts';
import { type Dashboard, startDashboard } from '../actions/dashboard.ts';
import { bulkPut } from '../support/bulk.ts';
import { type Served, serve } from '../support/serve.ts';
import { serveTable } from '../support/table-server.ts';
import { errorOf, run } from './command.ts';
import { describedStack } from './stack.ts';

/** The service before the restore, with the table that `repeat` reads, and after it. */
let before: Dashboard;
let restored: Dashboard;
let table: Awaited<ReturnType<typeof serveTable>>;
let aws: Served;
/** The table that the stack uses. */
const tableOfStack = 'restored';
/** Actions whose call fails, as `<action> <account>`. */
const failing = new Set<string>();
beforeAll(async () => {
  [before, restored] = await Promise.all([startDashboard(), startDashboard()]);
  table = await serveTable(before.engine, 'old');
  aws = await serve(async (_request, response, body) => {
    if (String(body).startsWith('Action=DescribeStacks')) return response.end(describedStack({ TableName: tableOfStack }));
    const call = JSON.parse(String(body)) as { action: string; account: string };
    if (failing.has(`${call.action} ${call.account}`)) return response.writeHead(400).end(JSON.stringify({ message: 'no luck' }));
    return response.end(JSON.stringify(await restored.call(call)));
  });
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_DYNAMODB: table.url, AWS_ENDPOINT_URL_LAMBDA: aws.url, AWS_ENDPOINT_URL_CLOUDFORMATION: aws.url },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });
});
afterAll(async () => {
  await Promise.all([table.stop(), aws.stop(), before.stop(), restored.stop()]);
});

const openBakery = async () => {
  const { clock, services } = before;
  const { customers } = services.store;
  const account = await before.openAccount();
  const newKey = async (): Promise<string> => (await before.act('key.create', account, { type: 'secret', name: 'server' }))['id'];
  const newCustomer = async (): Promise<string> => {
    const id = services.newId('cus', clock.now());
    const details = { first_name: 'Ada', last_name: 'Baker', email: `${id}@example.com`, phone: null, company: null };
    await services.store.commit(customers.createWrites(account, makeCustomer(details, id, new Date(clock.now()).toISOString())));
    return id;
  };
  return {
    ...{
      account,
      newKey,
      newCustomer,
      customers: [await newCustomer(), await newCustomer()],
      keys: [await newKey(), await newKey(), await newKey()],
    },
  };
};

type Bakery = Awaited<ReturnType<typeof openBakery>>;

/** Returns which customers of the restored table are erased, and which of its keys have ended or will end. */
const stateOf = async ({ account, customers, keys }: Bakery) => {
  const { store } = restored.services;
  const records = await Promise.all(customers.map((id) => store.customers.get(account, id)));
  const stored = await Promise.all(keys.map((id) => store.apiKeys.get(account, id)));
  return {
    erased: records.map((record) => record?.record.erased_at !== undefined),
    ended: stored.map((key) => key?.revoked_at !== null),
    ends: stored.map((key) => key?.expires_at),
  };
};

test('ops repeat repeats the erasures and the ends of keys since the restored second, and none of an hour before', async () => {
  const [closed, bakery, other] = [await openBakery(), await openBakery(), await openBakery()];
  await before.act('customer.erase', other.account, { id: other.customers[1] });
  await before.act('key.revoke', other.account, { id: other.keys[1] });
  before.clock.advance(3_600_000);
  const since = new Date(before.clock.now()).toISOString();
  const items = await before.engine.items(before.tables.tableName);
  await bulkPut(
    restored.engine,
    items.map((Item) => ({ item: { Put: { TableName: restored.tables.tableName, Item: { ...Item } } } })),
  );

  // An erasure has its time from before its commit.
  before.clock.advance(-1);
  await before.act('customer.erase', bakery.account, { id: bakery.customers[1] });
  before.clock.advance(60_000);
  await before.act('account.erase', closed.account, { confirm: closed.account });
  await before.act('customer.erase', bakery.account, { id: bakery.customers[0] });
  await before.act('key.revoke', bakery.account, { id: bakery.keys[0] });
  await before.act('key.replace', bakery.account, { id: bakery.keys[1] });
  const end = '2100-01-01T00:00:00.000Z';
  await before.act('key.update', other.account, { id: other.keys[2], expires_at: end });
  await before.act('key.update', other.account, { id: other.keys[0], name: 'renamed' });
  // What the restored table does not have.
  await before.act('key.revoke', bakery.account, { id: await bakery.newKey() });
  await before.act('customer.erase', bakery.account, { id: await bakery.newCustomer() });
  restored.clock.advance(10 * 60_000);

  const [, printed = ''] = /^ *npm run --silent ops -- (repeat .*)$/m.exec(readFileSync('docs/backup-restore.md', 'utf8')) ?? [];
  const values: Record<string, string> = {
    ...{ '"$SOURCE"': before.tables.tableName, '"$WHEN"': since, '"${STACK##*-}"': 'us', '"$STACK"': 'BakeryCommerce-us' },
  };
  const repeat = () => run(printed.split(' ').map((word) => values[word] ?? word));
  failing.add(`key.revoke ${bakery.account}`);
  const first = await repeat();
  expect([first.code, first.stderr]).toEqual([1, expect.stringContaining(`${bakery.account}: key.revoke of ${bakery.keys[0]} failed`)]);
  expect(await stateOf(bakery)).toMatchObject({ erased: [true, true], ended: [false, false, false] });
  failing.clear();
  const second = await repeat();
  expect([second.code, second.stderr.replaceAll(/^records: \d+, .*\n/gm, '')]).toEqual([0, '']);
  expect(JSON.parse(second.stdout)).toMatchObject({ since, accounts_erased: 1, customers_erased: 2, keys_ended: 3, not_found: 2 });

  expect(await stateOf(bakery)).toEqual({ erased: [true, true], ended: [true, true, false], ends: [null, null, null] });
  expect(await stateOf(other)).toEqual({ erased: [false, true], ended: [false, true, false], ends: [null, null, end] });
  expect(await restored.services.store.accounts.get(closed.account)).toMatchObject({ name: '', erased_at: expect.any(String) });
});

test('ops repeat does not read the table that the stack uses, which shows nothing of what the restore has undone', async () => {
  const options = ['--since', '2026-03-10T09:00:00Z', '--region', 'us', '--stack'];
  const error = errorOf(await run(['repeat', '--table', tableOfStack, ...options]));
  expect(error).toMatchObject({ code: 'invalid_value', field: 'table' });
});

test.each([
  ['stack', ['--table', 't', '--region', 'us', '--since', '2026-03-10T09:00:00Z']],
  ['port', ['--table', 't', '--region', 'us', '--since', '2026-03-10T09:00:00Z', '--port', '4000']],
  ['table', ['--region', 'us', '--since', '2026-03-10T09:00:00Z', '--stack']],
  ['region', ['--table', 't', '--since', '2026-03-10T09:00:00Z', '--stack']],
  ['since', ['--table', 't', '--region', 'us', '--stack']],
  ...['yesterday', '2026-03-10', '2026-03-10T09:00:00', '2100-01-01T00:00:00Z'].map(
    (since) => ['since', ['--table', 't', '--region', 'us', '--since', since, '--stack']] as const,
  ),
  ['account', ['--table', 't', '--region', 'us', '--since', '2026-03-10T09:00:00Z', '--account', 'acct_1']],
])('ops repeat rejects a wrong or missing %s: %j', async (field, args) => {
  expect(errorOf(await run(['repeat', ...args]))).toMatchObject({ code: 'invalid_value', field });
});
