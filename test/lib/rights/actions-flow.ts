import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { ActionServices } from '../../../functions/actions/action.ts';
import { actions } from '../../../functions/actions/app.ts';
import { actionTable } from '../../../functions/actions/index.ts';
import type { FunctionName } from '../../../lib/functions.ts';
import type { Clock } from '../../../shared/core/clock.ts';
import { randomId } from '../../../shared/core/ids.ts';
import { connectOperatedQueue } from '../../../shared/providers/operated-queue.ts';
import { connectParkingLot } from '../../../shared/providers/parking.ts';
import { connectRequestLog } from '../../../shared/providers/request-log.ts';
import { connectReplay, nameBeside } from '../../../shared/providers/siblings.ts';
import { resultOfStatus } from '../../../shared/webhooks/outcome.ts';
import { openBakery, startBakeries } from '../../actions/bakery.ts';
import { readyCalls } from '../../actions/every-action.ts';
import { context } from '../../support/context.ts';
import { removeIndexKeys } from '../../support/index-keys.ts';
import { orderItemOf, writeCustomer, writeOrder } from '../../support/shop.ts';
import { expense, type Flow, type Stage } from './stage.ts';

/** Nouns with actions that need special input or have rare cases. */
const byHand = [
  'account',
  'settings',
  'search',
  'expense',
  'gateway_fee',
  'order',
  'customer',
  'payment',
  'webhook',
  'delivery',
  'queue',
  'stream',
];

/** A clock on which each sleep takes half a minute. */
const impatient = (): Clock => {
  let nowMs = Date.parse('2026-03-10T09:00:00Z');
  return {
    now: () => nowMs,
    async sleep() {
      nowMs += 30_000;
    },
  };
};

/** Calls each action of the other nouns, on separate accounts. */
const readyOn = async (run: (call: object) => Promise<unknown>, services: ActionServices, world: Stage['world']) => {
  const act = async (action: string, account: string | undefined, input: unknown) =>
    ((await run({ action, account, input })) as { readonly result: Record<string, unknown> }).result;
  const dashboard = { act, services, clock: world.clock, parked: new Map(), openAccount: async () => (await world.createAccount()).id };
  const ready: { readonly name: string; readonly account: string; readonly input: object }[] = [];
  for (const name of Object.keys(actionTable).filter((one) => !byHand.includes(one.split('.')[0] ?? ''))) {
    const call = await readyCalls[name]?.({
      dashboard,
      receiver: {
        hook: () => {
          throw new Error('No endpoint subscribes to it.');
        },
      },
    });
    ready.push({ name, account: call?.account ?? '', input: call?.input ?? {} });
  }
  return ready;
};

/**
 * Runs every dashboard action. Actions that read or erase all data get an account with a record of
 * every kind.
 */
export const actionsFlow = ({
  world,
  gate,
  variable,
  queue,
  secrets,
  putSecret,
  stripe,
  openStripeCounter,
  createAccountWithKey,
  createEndpoint,
  createDelivery,
}: Stage) =>
  ({
    async actions() {
      const operated = (name: string) => connectOperatedQueue({ queueUrl: variable('actions', name), client: gate.client });
      const queues = {
        delivery: operated('DELIVERY_QUEUE_URL'),
        'delivery-dead-letters': operated('DELIVERY_DEAD_LETTERS_URL'),
        search: operated('SEARCH_QUEUE_URL'),
        'search-dead-letters': operated('SEARCH_DEAD_LETTERS_URL'),
        'sweep-failures': operated('SWEEP_FAILURES_URL'),
        'parking-notices': operated('PARKING_NOTICES_URL'),
      };
      const parking = connectParkingLot({ bucket: gate.bucketName, client: gate.client });
      const functionName = nameBeside('BakeryCommerce-us-actions', 'fan-out');
      const services: ActionServices = {
        ...world,
        log: () => {},
        region: 'us',
        newId: randomId,
        queue: queue('actions', 'DELIVERY_QUEUE_URL'),
        queues,
        sender: {
          send: async () => ({ ...resultOfStatus(200, 1), receiverResponse: { contentType: null, body: Buffer.from('{"hits":[]}') } }),
          close: () => {},
        },
        parking,
        secrets: secrets('actions'),
        stripeApi: stripe.api,
        requestLog: connectRequestLog({ logGroup: variable('actions', 'API_LOG_GROUP'), clock: impatient(), client: gate.client }),
        replay: connectReplay({ functionName, client: gate.client }),
      };
      const handle = actions(services);
      const run = (call: object) => handle(call, context);
      const { account, key } = await createAccountWithKey();
      putSecret(account, 'search/admin_key', 'admin');
      const endpoint = await createEndpoint(key);
      const { id: event_id } = await createDelivery(account, endpoint);
      const customer = await writeCustomer(world, account);
      const order = await writeOrder(world, account, { items: [orderItemOf({ product_id: 'prd_agreed' })] }, customer);
      const parked = 'stream/1.json';
      await parking.park(parked, '{}');
      const ends = ['delivery-dead-letters', 'search-dead-letters', 'sweep-failures', 'parking-notices'] as const;
      for (const end of ends) for (const body of ['{}', '{"more":1}']) await queues[end].send([{ body, groupId: 'us' }]);
      const service = await startBakeries(world);
      const bakery = await openBakery(service);
      await service.stop();
      const counter = await openStripeCounter();
      await counter.pay('');
      stripe.pay((await counter.session()).payment?.transaction_id ?? '');
      await counter.visit('GET', `${counter.path}/return`);
      const [taken] = (await counter.made()).payments;
      const called = new Set<string>();
      const withoutAccount = new Set(Object.entries(actionTable).flatMap(([name, action]) => (action.account === 'none' ? [name] : [])));
      const act = async (action: string, input: object, of = account): Promise<{ readonly id: string }> => {
        called.add(action);
        const call = { action, ...(withoutAccount.has(action) ? {} : { account: of }), input, token: randomUUID() };
        const response = await run(call);
        expect([action, response]).toEqual([action, expect.objectContaining({ ok: true })]);
        return (response as { result: { id: string } }).result;
      };
      const others = await readyOn(run, services, world);
      return async () => {
        for (const { name, account: of, input } of others) await act(name, input, of);
        await act('account.create', { name: 'Another', plan: 'business', order_limit: 5 });
        const repeated = { action: 'account.create', input: { name: 'Another', plan: 'business' }, token: randomUUID() };
        expect(await run(repeated)).toEqual(await run(repeated));
        await act('account.get', { id: account });
        for (const order_limit of [9, 10, null]) {
          await act('account.update', { id: account, plan: 'starter', status: 'grace', order_limit });
          await act('account.usage', {});
        }
        await act('settings.put', { event_categories: [] });
        await act('settings.update', { event_categories: null });
        await act('settings.get', {});
        await act('account.create_sandbox', {}, bakery.account);
        const search = { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'key' };
        await act('settings.update', { search: { ...search, admin_key: 'ssm:search/admin_key' } });
        await act('product.create', { name: 'Tart', price: 4 });
        await act('search.reindex', {});
        const { id: expenseId } = await act('expense.create', expense);
        await act('expense.update', { id: expenseId, amount: 13 });
        await act('expense.delete', { id: expenseId });
        await act('gateway_fee.record', { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 0.3, date: '2026-03-01' });
        await act('gateway_fee.record', { order_id: 'ord_2', order_label: '#2', gateway: 'stripe', amount: 0.3, date: '2026-03-01' });
        const { data: unbooked } = (await act('gateway_fee.list_unbooked', {}, bakery.account)) as unknown as {
          data: { transaction_id: string }[];
        };
        const book = { transaction_id: unbooked[0]?.transaction_id, date: '2031-03-01' };
        for (const _ of ['booked', 'again']) await act('gateway_fee.book', book, bakery.account);
        await act('order.update', { id: order.id, items: [{ product_id: 'prd_agreed', quantity: 1 }] });
        await act('order.set_status', { id: order.id, status: 'cancelled' });
        await act('order.delete', { id: order.id });
        await act('customer.update', { id: customer.id, email: 'moved@example.com' });
        const { id: paymentId } = await act('payment.create', { customer_id: customer.id, amount: 5, method: 'cash', status: 'completed' });
        await act('payment.correct_amount', { id: paymentId, amount: 6 });
        await act('payment.set_status', { id: paymentId, status: 'approved' });
        await act('payment.refund', { id: paymentId, amount: 1 });
        await act('payment.refund', { id: taken.id, amount: 1 }, counter.shop.account.id);
        const { id: voided } = await act('payment.create', { customer_id: customer.id, amount: 5, method: 'cash', status: 'pending' });
        await act('payment.void', { id: voided });
        await act('webhook.redeliver', { endpoint_id: endpoint, event_id });
        await act('stream.replay', { key: parked });
        expect(await run({ action: 'stream.replay', input: { key: 'stream/absent.json' } })).toMatchObject({ status: 404 });
        // No function is behind the gate, so nothing was parked.
        called.add('stream.check_parking');
        expect(await run({ action: 'stream.check_parking', input: {} })).toMatchObject({ status: 404 });
        await act('account.usage', {});
        expect(await run({ action: 'request.list', account, input: { status: 404 } })).toMatchObject({ status: 403 });
        const { id: hookId } = await act('webhook.create', { url: 'https://shop.example.com/hook', events: ['order.created'] });
        await act('webhook.update', { id: hookId, url: 'https://shop.example.com/other' });
        await act('webhook.delete', { id: hookId });
        await act('webhook.list', {});
        await act('webhook.test', { id: endpoint });
        await act('webhook.rotate_secret', { id: endpoint });
        await act('webhook.disable', { id: endpoint });
        await act('webhook.enable', { id: endpoint });
        await act('webhook.redeliver_failed', { endpoint_id: endpoint, since: '2020-01-01T00:00:00Z' });
        await act('delivery.find', { event_id });
        await act('delivery.get', { endpoint_id: endpoint, event_id });
        await act('delivery.list', { endpoint_id: endpoint });
        await act('delivery.list', { endpoint_id: endpoint, status: 'pending' });
        await act('delivery.requeue_overdue', {});
        await act('queue.status', {});
        for (const end of ends) {
          const { data } = (await act('queue.peek', { queue: end })) as unknown as { data: { id: string }[] };
          await act('queue.discard', { queue: end, id: data[0]?.id });
        }
        for (const end of ['delivery-dead-letters', 'search-dead-letters']) await act('queue.redrive', { queue: end });
        await removeIndexKeys(world, bakery.account);
        expect(await act('account.reindex', {}, bakery.account)).not.toMatchObject({ written: 0 });
        await act('account.export', {}, bakery.account);
        await act('customer.export', { id: bakery.customer }, bakery.account);
        await act('customer.erase', { id: bakery.customer }, bakery.account);
        await act('account.erase', {}, bakery.account);
        expect([...called].sort()).toEqual(Object.keys(actionTable).sort());
      };
    },
  }) satisfies Partial<Record<FunctionName, Flow>>;
