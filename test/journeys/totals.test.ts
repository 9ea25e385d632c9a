import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Service, startBakeries } from '../actions/bakery.ts';

let service: Service;
let account: string;
let key: string;
let customer: string;
beforeAll(async () => {
  service = await startBakeries();
});
beforeEach(async () => {
  ({ id: account } = await service.world.createAccount({ currency: 'USD' }));
  key = await service.world.createKey(account);
  customer = (await post('/customers', { email: 'ada@example.com' })).id;
});
afterAll(() => service.stop());

const post = async (path: string, body: object): Promise<Record<string, any>> => {
  const { status, body: answer } = await service.world.request('POST', path, { key, body });
  expect([status, answer.error]).toEqual([201, undefined]);
  return answer;
};
const items = (unit_price: number) => [{ name: 'Cake', quantity: 1, unit_price }];
const order = async (unit_price: number, currency: string): Promise<string> =>
  (await post('/orders', { customer: { id: customer }, items: items(unit_price), currency }))['id'];
const trade = (currency: string | null) => service.act('account.update', account, { id: account, currency });
const update = (id: string, unit_price: number) => service.act('order.update', account, { id, items: items(unit_price) });
const move = (id: string, status: string) => service.act('order.set_status', account, { id, status });
const totals = async () => {
  const { body } = await service.world.request('GET', `/customers/${customer}`, { key });
  return [body.total_orders, body.total_spent];
};

describe('after the account changed from dollars to euros', () => {
  let [dollars, euros]: string[] = [];
  beforeEach(async () => {
    dollars = await order(40, 'USD');
    euros = await order(30, 'EUR');
    expect(await totals()).toEqual([2, 40]);
    await trade('EUR');
    expect(await totals()).toEqual([2, 40]);
  });
  const ids = () => ({ dollars, euros }) as { dollars: string; euros: string };

  test.each([
    ['cancelling', (id: string) => move(id, 'cancelled')],
    ['cancelling by an update', (id: string) => service.act('order.update', account, { id, status: 'cancelled' })],
    ['deleting', (id: string) => service.act('order.delete', account, { id })],
  ])('%s subtracts exactly what was counted', async (_, end) => {
    await end(ids().euros);
    expect(await totals()).toEqual([1, 40]);
    await end(ids().dollars);
    expect(await totals()).toEqual([0, 0]);
  });

  test('an order that is changed without its total stays as it was counted', async () => {
    await move(ids().dollars, 'ready');
    await move(ids().euros, 'ready');
    await service.act('order.update', account, { id: ids().euros, notes: 'Ring twice' });
    expect(await totals()).toEqual([2, 40]);
  });

  test("an order with a changed total is counted, and later subtracted, in the account's present currency", async () => {
    await update(ids().euros, 35);
    expect(await totals()).toEqual([2, 75]);
    await update(ids().dollars, 50);
    expect(await totals()).toEqual([2, 35]);
    await trade('USD');
    await move(ids().euros, 'cancelled');
    expect(await totals()).toEqual([1, 0]);
    await move(ids().dollars, 'cancelled');
    expect(await totals()).toEqual([0, 0]);
  });

  test('an order that is cancelled and then deleted is subtracted once', async () => {
    await move(ids().dollars, 'cancelled');
    await trade('USD');
    await service.act('order.delete', account, { id: ids().dollars });
    expect(await totals()).toEqual([1, 0]);
  });

  test('the orders of an erased person are subtracted as they were counted', async () => {
    await service.act('customer.erase', account, { id: customer });
    await move(ids().euros, 'cancelled');
    await service.act('order.delete', account, { id: ids().dollars });
    const stored = await service.world.store.customers.get(account, customer);
    expect(stored?.record).toMatchObject({ total_orders: 0, total_spent: 0 });
  });
});
