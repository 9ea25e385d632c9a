import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { segments } from '../../ops/parallel-scan.ts';
import { writesAtOnce } from '../../ops/prepare.ts';
import { openShop } from '../orders/shop.ts';
import { rejectWith } from '../support/faults.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createEndpoint } from '../support/records.ts';
import { serveTable, type TableCall, type TableHook } from '../support/table-server.ts';
import { startWorld, type World } from '../support/world.ts';
import { errorOf, run } from './command.ts';

let world: World;
let receiver: Receiver;
let pipeline: Pipeline;
let table: Awaited<ReturnType<typeof serveTable>>;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
  pipeline = createPipeline(world);
  table = await serveTable(world.engine, 'the-restored-one');
  Object.assign(process.env, { AWS_ENDPOINT_URL: table.url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
});
afterAll(async () => {
  pipeline.close();
  await Promise.all([table.stop(), receiver.stop()]);
  await world.stop();
});

/** Shops with an order each, whose event waits for its first attempt and has lost its message. */
const openShops = async (count: number) => {
  const shops = await Promise.all(
    Array.from({ length: count }, async () => {
      const shop = await openShop(world);
      const hook = receiver.hook();
      await createEndpoint(world, shop.account, hook.url, { events: ['order.created'] });
      const { body } = await shop.post();
      return { ...shop, hook, id: body.id as string, number: body.order_number as number };
    }),
  );
  await pipeline.fanOut(await pipeline.changes());
  await pipeline.clear();
  return shops;
};

const page = readFileSync('docs/backup-restore.md', 'utf8');
/** Runs the command as the page prints it. */
const prepare = (ahead = '1000') => {
  const [, printed = ''] = /^ *npm run --silent ops -- (prepare .*)$/m.exec(page) ?? [];
  const values: Record<string, string> = { '"$T"': world.tables.tableName, '"${STACK##*-}"': 'us', '"$AHEAD"': ahead };
  return run(printed.split(' ').map((word) => values[word] ?? word));
};
const isWriteOf = ({ operation, input }: TableCall, account: string, kind = 'cnt') =>
  operation === 'UpdateItem' && input['Key'].pk.startsWith(`${kind}#${account}`);

/** Calls the hook only for the first write of an account that matches. */
const once = (hook: TableHook, account: string): TableHook => {
  let hasRun = false;
  return (call, send) => {
    if (hasRun || !isWriteOf(call, account)) return send();
    hasRun = true;
    return hook(call, send);
  };
};

type Shops = Awaited<ReturnType<typeof openShops>>;
const firstOf = (shops: Shops): string => shops[0]?.account ?? '';
const faults: readonly (readonly [string, 0 | 1, (shops: Shops) => TableHook, (shops: Shops) => string])[] = [
  ['no write fails', 0, () => (_call, send) => send(), () => ''],
  ['a write is throttled', 0, (shops) => once(() => rejectWith('ThrottlingException'), firstOf(shops)), () => ''],
  ['the response of a write is lost', 0, (shops) => once((_call, send) => send().then(() => undefined), firstOf(shops)), () => ''],
  [
    'a write of one account is rejected',
    1,
    (shops) => (call, send) => (isWriteOf(call, firstOf(shops), 'dlv') ? rejectWith('ValidationException') : send()),
    (shops) => `${firstOf(shops)}: the delivery of evt_\\w+ to whe_\\w+ failed: internals of ValidationException\n`,
  ],
  [
    'the credentials expire in the middle',
    1,
    () => {
      let calls = 0;
      return (_call, send) => (calls++ < 30 ? send() : rejectWith('ExpiredTokenException'));
    },
    () => 'segments ended early: internals of ExpiredTokenException. Done so far: records: \\d+',
  ],
];

test.each(faults)(
  'if %s, ops prepare exits with %i, and after a second run every order number has moved once and every event arrives once',
  async (_, code, faultOf, messageOf) => {
    const shops = await openShops(6);
    table.intercept(faultOf(shops));
    const first = await prepare();
    expect([first.code, first.stderr]).toEqual([code, expect.stringMatching(new RegExp(messageOf(shops)))]);
    table.intercept();
    const second = await prepare();
    expect([second.code, second.stderr.replaceAll(/^records: \d+, .*\n/gm, '')]).toEqual([0, '']);
    const rest = code === 0 ? 0 : expect.any(Number);
    expect(JSON.parse(second.stdout)).toMatchObject({ ahead: 1_000, order_numbers: rest, first_attempts: rest });

    const later = await Promise.all(shops.map(async ({ post }) => (await post()).body));
    expect(later.map(({ order_number }) => order_number)).toEqual(shops.map(({ number }) => number + 1_001));
    world.clock.advance(3 * 60_000);
    await pipeline.sweep();
    await pipeline.drain();
    const received = shops.map(({ hook }) => hook.requests.map(({ body }) => JSON.parse(body.toString()).data.object.id));
    expect(received.map((ids) => ids.sort())).toEqual(shops.map(({ id }, i) => [id, later[i].id].sort()));
  },
);

test('ops prepare names every account that fails, and prepares the others', async () => {
  const shops = await openShops(4);
  const failing = shops.slice(0, 2).map(({ account }) => account);
  table.intercept((call, send) => (failing.some((account) => isWriteOf(call, account)) ? rejectWith('ValidationException') : send()));
  const { code, stderr } = await prepare('50');
  table.intercept();
  expect(code).toBe(1);
  for (const account of failing) expect(stderr).toContain(`${account}: the order numbers failed`);
  expect(stderr).toContain('2 records failed. Done so far: records: ');
  const numbers = await Promise.all(shops.map(async ({ post }) => (await post()).body.order_number));
  expect(numbers).toEqual([2, 2, 52, 52]);
  await pipeline.drain();
  expect(JSON.parse((await prepare('50')).stdout)).toMatchObject({ order_numbers: 2 });
  // The operator finds that 50 was too few.
  await prepare();
  const later = await Promise.all(shops.map(async ({ post }) => (await post()).body.order_number));
  expect(later).toEqual([1_053, 1_053, 1_053, 1_053]);
  await pipeline.drain();
});

test('ops prepare moves the order numbers of an account whose first order is lost, and leaves no record of an erased one', async () => {
  const [shop, erased] = [await openShop(world), await world.createAccount()];
  const { accounts } = world.store;
  await world.store.commit([accounts.eraseWrite({ ...erased, status: 'closed', erased_at: erased.updated_at })]);
  expect((await prepare()).code).toBe(0);
  expect((await shop.post()).body).toMatchObject({ order_number: 1_001 });
  const items = await world.engine.items(world.tables.tableName);
  expect(items.filter(({ pk }) => pk === `cnt#${erased.id}`)).toEqual([]);
});

/** Seconds that a call takes from an operator's machine: of a write, and of a page of 1 MB. */
const latency = { write: 0.05, page: 0.15 };
const pagesOf10GB = 10 * 1024;

test('ops prepare needs five minutes for 10,000 accounts and 10 GB: a call a record, 32 writes and 8 reads at once', async () => {
  const shops = await openShops(writesAtOnce);
  // The first calls wait for each other, so that fewer at once would never end.
  const barrier = (operation: string, count: number): TableHook => {
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    return async (call, send) => {
      if (call.operation !== operation) return send();
      waiting += 1;
      if (waiting === count) all.resolve();
      await all.promise;
      return send();
    };
  };
  const [reads, writes] = [barrier('Scan', segments), barrier('UpdateItem', writesAtOnce)];
  table.intercept((call, send) => reads(call, () => writes(call, send) as Promise<object>));
  table.setPageSize(1_000);
  table.calls.length = 0;
  const { code, stdout } = await prepare();
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { order_numbers: shops.length, first_attempts: shops.length }]);
  const scans = table.calls.filter(({ operation }) => operation === 'Scan').length;
  const writesOf = (account: string) => table.calls.filter((call) => isWriteOf(call, account) || isWriteOf(call, account, 'dlv')).length;
  const updates = shops.reduce((sum, { account }) => sum + writesOf(account), 0);
  expect([scans, updates]).toEqual([segments, 2 * shops.length]);
  const writeSeconds = ((10_000 * updates) / shops.length / writesAtOnce) * latency.write;
  const readSeconds = (pagesOf10GB / segments) * latency.page;
  expect((writeSeconds + readSeconds) / 60).toBeLessThan(5);
  expect(page).toContain('five minutes for 10,000 accounts and 10 GB');
});

test.each([
  ['table', ['--region', 'us']],
  ['region', ['--table', 't']],
  ['region', ['--table', 't', '--region', 'mars']],
  ['ahead', ['--table', 't', '--region', 'us', '--ahead', '0']],
  ['ahead', ['--table', 't', '--region', 'us', '--ahead', '1.5']],
  ['stack', ['--table', 't', '--region', 'us', '--stack', 'BakeryCommerce-us']],
  ['account', ['--table', 't', '--region', 'us', '--account', 'acct_1']],
])('ops prepare rejects a wrong or missing %s: %j', async (field, args) => {
  expect(errorOf(await run(['prepare', ...args]))).toMatchObject({ code: 'invalid_value', field });
});
