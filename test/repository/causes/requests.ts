import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { settlePayment } from '../../../functions/checkout-page/settle.ts';
import { routeOf } from '../../../functions/groups.ts';
import { NoResponse } from '../../../shared/core/aws-calls.ts';
import { randomId } from '../../../shared/core/ids.ts';
import { openSecrets } from '../../../shared/providers/secrets.ts';
import { type Dashboard, startDashboard } from '../../actions/dashboard.ts';
import { approveCard, openCounter } from '../../checkout-page/page.ts';
import { fullContext } from '../../lib/contexts.ts';
import { synthesize, theOnly } from '../../lib/synthesize.ts';
import { brokenConnection, rejectWith } from '../../support/faults.ts';
import { createTenant, exhaust, send } from '../../support/requests.ts';
import { startWorld, type World } from '../../support/world.ts';
import { type Caused, type Causes, type Line, linesOf, repeat } from './cause.ts';

/** A line of the gateway, in the format of the template. Every value is a text, and `-` means none. */
const gatewayLine = (values: Readonly<Record<string, string>>): Line => {
  const stage = theOnly(synthesize(fullContext).templates.us, 'AWS::ApiGatewayV2::Stage');
  const { Format } = (stage as { AccessLogSettings: { Format: string } }).AccessLogSettings;
  return JSON.parse(Format.replaceAll(/\$context\.([\w.]+)/g, (_, name) => values[name] ?? '-'));
};

const list = (world: World, key: string) => send(world, routeOf('listExpenses'), { key });
const failing = async (world: World, work: () => Promise<unknown>): Promise<void> => {
  world.wire.intercept(() => Promise.reject(brokenConnection()));
  await work();
  world.wire.intercept(undefined);
};

const failingOperation = async (world: World): Promise<Caused> => {
  const { key } = await createTenant(world);
  const lines = await linesOf(world, async () => {
    await failing(world, () => repeat(3, () => send(world, routeOf('createExpense'), { key })));
    await failing(world, () => list(world, key));
    await repeat(4, () => list(world, key));
    await repeat(4, () => world.request('GET', '/expenses/none', { key }));
  });
  return { lines, culprit: { op: 'createExpense' }, row: { failures: 3 } };
};

const gatewayFailures = async (): Promise<Caused> => {
  const lines = [
    ...Array.from({ length: 3 }, () => ['POST /api/v2/orders', '503', 'Service Unavailable']),
    ['GET /api/v2/orders', '500', 'Internal Server Error'],
    ...Array.from({ length: 4 }, () => ['GET /api/v2/products', '500', '-']),
    ...Array.from({ length: 4 }, () => ['GET /api/v2/products', '404', '-']),
  ].map(([routeKey = '', status = '', integrationErrorMessage = '']) => gatewayLine({ routeKey, status, integrationErrorMessage }));
  return { lines, culprit: { route: 'POST /api/v2/orders' }, row: { failures: 3, error: 'Service Unavailable' } };
};

const flood = async (): Promise<Caused> => {
  const lines = [
    ...Array.from({ length: 3 }, () => ['192.0.2.66', '401']),
    ['192.0.2.1', '401'],
    ...Array.from({ length: 5 }, () => ['192.0.2.2', '200']),
  ].map(([sourceIp = '', status = '']) => gatewayLine({ 'identity.sourceIp': sourceIp, routeKey: 'GET /api/v2/orders', status }));
  return { lines, culprit: { ip: '192.0.2.66' }, row: { refused: 3 } };
};

const busyKey = async (world: World): Promise<Caused> => {
  const [{ account, key, keyId }, other] = [await createTenant(world), await createTenant(world)];
  const lines = await linesOf(world, async () => {
    await repeat(5, () => list(world, key));
    await repeat(3, () => list(world, other.key));
    await repeat(2, () => list(world, 'nonsense'));
  });
  return { lines, culprit: { account: account.id, key: keyId }, row: { requests: 5 } };
};

const throttledKey = async (world: World, reason: string): Promise<Caused> => {
  const [{ account, key, keyId }, other] = [await createTenant(world), await createTenant(world)];
  const throttled = () => rejectWith('RequestLimitExceeded', { ThrottlingReasons: [{ reason }] });
  const lines = await linesOf(world, async () => {
    world.wire.intercept(async (call, next) => (call.operation === 'UpdateItem' ? throttled() : next()));
    await repeat(3, () => list(world, key));
    await list(world, other.key);
    world.wire.intercept(undefined);
    await exhaust(world, { name: 'api-read', limit: 300 }, other.keyId);
    await repeat(5, () => list(world, other.key));
  });
  return { lines, culprit: { account: account.id, key: keyId }, row: { requests: 3 } };
};

const failedRequest = async (world: World): Promise<Caused> => {
  const { lines: others } = await throttledKey(world, 'TableWriteKeyRangeThroughputExceeded');
  const { key } = await createTenant(world);
  let id = '';
  const lines = await linesOf(world, async () => {
    await list(world, key);
    const { headers } = await world.request('GET', '/expenses/none', { key });
    id = headers['X-Request-Id'] ?? headers['x-request-id'] ?? '';
    await list(world, key);
  });
  return { lines: [...others, ...lines], culprit: { rid: id }, row: { status: 404, code: 'not_found' }, id };
};

const failingPage = async (world: World): Promise<Caused> => {
  const [counter, other] = [await openCounter(world), await openCounter(world)];
  const log = (line: Line) => void world.log.push({ ...line });
  const secrets = openSecrets({ clock: world.clock, log, read: () => Promise.reject(new NoResponse('400 ThrottlingException')) });
  const lines = await linesOf(world, async () => {
    await secrets.resolve(other.shop.account.id, 'ssm:stripe/key', 'stripe').catch(() => undefined);
    await failing(world, () => counter.visit('GET', counter.path));
    await repeat(2, () => other.visit('GET', other.path));
    await other.visit('GET', '/checkout/acct_none/cs_none');
  });
  return { lines, culprit: { status: 500, account: counter.shop.account.id } };
};

const paidTwice = async (world: World): Promise<Caused> => {
  const [counter, other] = [await openCounter(world), await openCounter(world)];
  const services = { store: world.store, clock: world.clock, newId: randomId, log: (line: Line) => world.log.push({ ...line }) };
  const approval = { gateway: 'sandbox', fee: 0, method: 'card' as const, method_details: null, transaction_id: 'another' };
  const lines = await linesOf(world, async () => {
    await counter.pay(approveCard);
    await settlePayment(services as never, counter.shop.account, counter.id, approval);
    await other.pay(approveCard);
  });
  return { lines, culprit: { transaction: 'another' }, row: { session: counter.id, why: 'paid_twice' } };
};

const unbookedFee = async (world: World): Promise<Caused> => {
  const [counter, ...others] = [await openCounter(world), await openCounter(world), await openCounter(world)];
  const at = new Date(world.clock.now()).toISOString();
  const line = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1, transaction_id: 't' };
  const foreign = { line, day: at.slice(0, 10), currency: 'EUR', at };
  await world.store.commit(world.store.gatewayFees.bookWrites(counter.shop.account.id, undefined, foreign));
  const lines = await linesOf(world, async () => {
    await counter.pay(approveCard);
    for (const other of others) await other.pay(approveCard);
  });
  return { lines, culprit: { fee_unbooked: 1, account: counter.shop.account.id } };
};

const failingAction = async (dashboard: Dashboard): Promise<Caused> => {
  const [account, other] = [await dashboard.openAccount(), await dashboard.openAccount()];
  const lines = await linesOf({ log: dashboard.lines }, async () => {
    dashboard.wire.intercept((call, next) => (call.operation === 'Query' ? Promise.reject(brokenConnection()) : next()));
    await dashboard.call({ action: 'key.list', account });
    dashboard.wire.intercept(undefined);
    await repeat(2, () => dashboard.call({ action: 'account.get', account: other }));
    await dashboard.call({ action: 'nothing.known' });
  });
  return { lines, culprit: { action: 'key.list', account } };
};

const crash = async (world: World): Promise<Caused> => {
  const { lines } = await failingOperation(world);
  const { lines: settled } = await paidTwice(world);
  // Lambda's own line in the format JSON. No function can log it here.
  const reported = { time: '2026-03-10T09:00:00.000Z', type: 'platform.report', record: { requestId: 'r-1', status: 'timeout' } };
  const timeout = { function: 'orders', ...reported };
  return { lines: [...lines, timeout, ...settled], culprit: { function: 'orders' }, row: { '@logStream': '2026/03/10/orders[1]0123' } };
};

/** What the API, the checkout page and the dashboard actions log while something fails. */
export const requestCauses = (): Causes => {
  let world: World;
  let dashboard: Dashboard;
  beforeAll(async () => {
    [world, dashboard] = await Promise.all([startWorld(), startDashboard()]);
  });
  afterEach(() => {
    world.wire.intercept(undefined);
    dashboard.wire.intercept(undefined);
  });
  afterAll(async () => {
    await Promise.all([world.stop(), dashboard.stop()]);
  });
  return {
    'api-5xx': () => failingOperation(world),
    'gateway-5xx': () => gatewayFailures(),
    'checkout-page-internal-errors': () => failingPage(world),
    'checkout-payment-without-order': () => paidTwice(world),
    'gateway-fees-unbooked': () => unbookedFee(world),
    'actions-internal-errors': () => failingAction(dashboard),
    'function-errors': () => crash(world),
    'function-throttles': () => busyKey(world),
    'table-throttles': () => busyKey(world),
    'bucket-throttles': () => throttledKey(world, 'TableWriteAccountLimitExceeded'),
    'bucket-throttles 2': () => throttledKey(world, 'TableWriteKeyRangeThroughputExceeded'),
    "A customer's requests fail": () => failedRequest(world),
    'A flood of invalid keys': () => flood(),
  };
};
