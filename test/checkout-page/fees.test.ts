import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { type Service, startBakeries } from '../actions/bakery.ts';
import { openShop, type Shop } from '../checkout/shop.ts';
import { expenseOf } from '../support/records.ts';
import { partitionsRead } from '../support/wire.ts';
import { startWorld, type World } from '../support/world.ts';
import { approveCard, type Counter, openCounter, successUrl } from './page.ts';

let world: World;
let service: Service;
beforeAll(async () => {
  world = await startWorld();
  service = await startBakeries(world);
});
afterEach(() => world.wire.intercept(undefined));
afterAll(async () => {
  await service.stop();
  await world.stop();
});

const today = () => new Date(world.clock.now()).toISOString().slice(0, 10);
const later = '2031-01-01';
const unbooked = async ({ account }: Shop, input = {}) => service.act('gateway_fee.list_unbooked', account.id, input);
const dayOf = async ({ secretKey }: Shop, day = today()) =>
  (await world.request('GET', `/expenses/${gatewayFeeId(day)}`, { key: secretKey })).body;

/** A day with fees in another currency than the shop's products. */
const openForeignDay = async (): Promise<Shop> => {
  const shop = await openShop(world);
  const id = shop.account.id;
  const fee = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 29, date: today() };
  await service.act('account.update', id, { id, currency: 'JPY' });
  await service.act('gateway_fee.record', id, fee);
  await service.act('account.update', id, { id, currency: 'USD' });
  return shop;
};

const expectPaid = async (counter: Counter) => {
  const { orders, payments } = await counter.made();
  expect([orders.length, payments.length]).toEqual([1, 1]);
  expect(await counter.session()).toMatchObject({ status: 'paid', order_id: orders[0].id });
  return orders[0];
};

describe('a fee in another currency than the fees of its day', () => {
  test('a fee in another currency than its day is stored apart with an alarm, and the order is created', async () => {
    const shop = await openForeignDay();
    const counter = await openCounter(world, { shop });
    world.log.length = 0;
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
    const order = await expectPaid(counter);
    expect(await dayOf(shop)).toMatchObject({ amount: 29, currency: 'JPY', metadata: { transaction_count: 1 } });
    const transaction_id = (await counter.session()).payment?.transaction_id;
    expect((await unbooked(shop))['data']).toEqual([
      {
        transaction_id,
        order_id: order.id,
        order_label: `#${order.order_number}`,
        gateway: 'sandbox',
        amount: 0.68,
        currency: 'USD',
        date: today(),
        reason: expect.stringContaining('JPY'),
        created_at: order.created_at,
      },
    ]);
    const loggedFees = world.log.filter((line) => line['fee_unbooked'] === true);
    expect(loggedFees).toMatchObject([{ op: 'settle', account: shop.account.id, order: order.id, transaction: transaction_id }]);
  });

  test("a fee in another currency is stored apart once, even if the day's first fee is booked meanwhile", async () => {
    const shop = await openShop(world);
    const id = shop.account.id;
    const counter = await openCounter(world, { shop });
    let done = false;
    world.wire.intercept(async (call, send) => {
      if (!done && call.operation === 'TransactWriteItems' && JSON.stringify(call.input).includes('"fel#')) {
        done = true;
        await service.act('account.update', id, { id, currency: 'EUR' });
        await service.act('gateway_fee.record', id, { order_id: 'o', order_label: '#', gateway: 'g', amount: 1, date: today() });
      }
      return await send();
    });
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
    await expectPaid(counter);
    expect([(await dayOf(shop)).currency, (await unbooked(shop))['data'].length]).toEqual(['EUR', 1]);
  });
});

describe('fees that are stored apart', () => {
  const expectStoredApart = async (counter: Counter, reason: RegExp) => {
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
    world.wire.intercept(undefined);
    await expectPaid(counter);
    expect((await unbooked(counter.shop))['data']).toMatchObject([{ amount: 0.68, reason: expect.stringMatching(reason) }]);
  };

  test.each([
    ['another expense has the id of the day', { source: 'dashboard', amount: 7 }, /Another expense/],
    [
      'a deleted one has it',
      { source: 'dashboard', deleted_at: '2026-01-01T00:00:00.000Z' },
      /gateway-fee expense was changed at the same time/,
    ],
    [
      'the day comes to as much as has exact cents',
      { source: 'gateway_fee', amount: 999_999_999_999.9 },
      /must be less than 1000000000000/,
    ],
  ])('a fee is stored apart from its order if %s', async (_, fields, reason) => {
    const counter = await openCounter(world);
    const before = expenseOf(world.clock.now(), { ...fields, id: gatewayFeeId(today()), transaction_count: 1 });
    await world.store.commit([world.store.expenses.createWrite(counter.shop.account.id, before)]);
    await expectStoredApart(counter, reason);
  });

  test("a fee is stored apart from its order if the day's expense cannot be read", async () => {
    const counter = await openCounter(world);
    world.wire.intercept(async (call, send) => {
      if (partitionsRead(call).some((partition) => partition.startsWith('exp#'))) throw new TypeError('unreadable');
      return await send();
    });
    await expectStoredApart(counter, /unreadable/);
  });

  test('a fee is stored apart from its order if the table rejects its writes', async () => {
    const counter = await openCounter(world);
    world.wire.intercept(async (call, send) => {
      if (JSON.stringify(call.input).includes('"fel#'))
        throw Object.assign(new Error('Item size has exceeded'), { name: 'ValidationException', $fault: 'client' });
      return await send();
    });
    await expectStoredApart(counter, /ValidationException/);
  });
});

test('a fee that an operator has already added under its transaction is not added again', async () => {
  const counter = await openCounter(world);
  const { shop } = counter;
  let done = false;
  world.wire.intercept(async (call, send) => {
    const transaction_id = /sbx_\w+/.exec(JSON.stringify(call.input))?.[0];
    if (!done && transaction_id && JSON.stringify(call.input).includes('"fel#')) {
      done = true;
      const fee = { order_id: 'o', order_label: '#', gateway: 'sandbox', amount: 0.68, date: today(), transaction_id };
      await service.act('gateway_fee.record', shop.account.id, fee);
    }
    return await send();
  });
  await counter.pay(approveCard);
  await expectPaid(counter);
  expect(await dayOf(shop)).toMatchObject({ amount: 0.68, metadata: { transaction_count: 1 } });
  expect((await unbooked(shop))['data']).toEqual([]);
});

describe('gateway_fee.book', () => {
  const keepAside = async (count = 1) => {
    const shop = await openForeignDay();
    for (let i = 0; i < count; i++) await (await openCounter(world, { shop })).pay(approveCard);
    const { data } = await unbooked(shop);
    return { shop, fees: data as { transaction_id: string; order_id: string }[] };
  };
  const book = (shop: Shop, transaction_id: string | undefined, date: string) =>
    service.act('gateway_fee.book', shop.account.id, { transaction_id, date });
  const errorOfBooking = (shop: Shop, transaction_id: string | undefined, date: string) =>
    service.errorOf('gateway_fee.book', shop.account.id, { transaction_id, date });

  test('gateway_fee.book adds a fee to another day once, however often it is called', async () => {
    const { shop, fees } = await keepAside();
    const { transaction_id, order_id } = fees[0] ?? {};
    const days = await Promise.all([1, 2, 3].map(() => book(shop, transaction_id, later)));
    for (const day of days)
      expect(day).toMatchObject({ id: gatewayFeeId(later), amount: 0.68, currency: 'USD', metadata: { transaction_count: 1 } });
    expect((await dayOf(shop, later)).line_items).toMatchObject([{ order_id, gateway: 'sandbox', amount: 0.68 }]);
    expect((await unbooked(shop))['data']).toEqual([]);
    expect(await book(shop, transaction_id, later)).toMatchObject({ amount: 0.68 });
  });

  test('gateway_fee.book adds the fee to one day if called for two days at the same time', async () => {
    const { shop, fees } = await keepAside();
    const [transaction_id] = fees.map((fee) => fee.transaction_id);
    const dates = ['2031-02-01', '2031-02-02', '2031-02-03'];
    await Promise.allSettled(dates.map((date) => book(shop, transaction_id, date)));
    const days = await Promise.all(dates.map((date) => dayOf(shop, date)));
    expect(days.filter(({ amount }) => amount === 0.68)).toHaveLength(1);
  });

  test('gateway_fee.book fails if that day has fees in another currency, and the fee stays', async () => {
    const { shop, fees } = await keepAside();
    expect(await errorOfBooking(shop, fees[0]?.transaction_id, today())).toMatchObject({ status: 409, code: 'conflict' });
    expect((await unbooked(shop))['data']).toHaveLength(1);
  });

  test('gateway_fee.book fails for a transaction without a stored fee, and for an invalid day', async () => {
    const { shop, fees } = await keepAside();
    expect(await errorOfBooking(shop, 'sbx_unknown', later)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await errorOfBooking(shop, fees[0]?.transaction_id, '2031-02-30')).toMatchObject({ status: 400, field: 'date' });
    expect(await errorOfBooking(shop, undefined, later)).toMatchObject({ status: 400, field: 'transaction_id' });
    const other = await openShop(world);
    expect(await errorOfBooking(other, fees[0]?.transaction_id, later)).toMatchObject({ status: 404 });
  });

  test('gateway_fee.book lists many stored fees page by page', async () => {
    const { shop } = await keepAside(7);
    const seen = new Set<string>();
    for (
      let page = await unbooked(shop, { limit: 3 });
      ;
      page = await unbooked(shop, { limit: 3, cursor: page['pagination'].next_cursor })
    ) {
      for (const { transaction_id } of page['data']) seen.add(transaction_id);
      if (!page['pagination'].has_more) break;
    }
    expect(seen.size).toBe(7);
    for (const transaction_id of seen) await book(shop, transaction_id, later);
    expect(await dayOf(shop, later)).toMatchObject({ amount: 4.76, metadata: { transaction_count: 7 } });
    expect((await unbooked(shop))['data']).toEqual([]);
  });
});

describe('gateway_fee.record of the transaction of a checkout', () => {
  const recordOf = (order_id: string, transaction_id: string, amount: number) => ({
    order_id,
    order_label: '#1',
    gateway: 'sandbox',
    amount,
    date: later,
    transaction_id,
  });

  test('gateway_fee.record rejects a fee that waits to be booked, so that it is booked once', async () => {
    const shop = await openForeignDay();
    const counter = await openCounter(world, { shop });
    await counter.pay(approveCard);
    const [fee] = (await unbooked(shop))['data'];
    const input = recordOf(fee.order_id, fee.transaction_id, fee.amount);
    expect(await service.errorOf('gateway_fee.record', shop.account.id, input)).toMatchObject({ status: 409, field: 'transaction_id' });
    await service.act('gateway_fee.book', shop.account.id, { transaction_id: fee.transaction_id, date: later });
    expect(await service.act('gateway_fee.record', shop.account.id, input)).toMatchObject({ amount: fee.amount });
    expect([(await dayOf(shop, later)).amount, (await unbooked(shop))['data']]).toEqual([fee.amount, []]);
  });

  test('gateway_fee.record changes nothing with another amount, because the transaction is recorded', async () => {
    const counter = await openCounter(world);
    await counter.pay(approveCard);
    const { id } = await expectPaid(counter);
    const transaction = (await counter.session()).payment?.transaction_id ?? '';
    const before = await dayOf(counter.shop);
    await service.act('gateway_fee.record', counter.shop.account.id, recordOf(id, transaction, 9.99));
    expect(await dayOf(counter.shop)).toEqual(before);
  });
});
