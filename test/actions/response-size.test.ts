import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Service, startBakeries } from './bakery.ts';

/** No response is larger (decisions §3). */
const mostBytes = 5_000_000;

/** The longest text, of characters that take one byte in the table and six in a response. */
const description = '\u0001'.repeat(20_000);

let service: Service;
beforeAll(async () => {
  service = await startBakeries();
});
afterAll(() => service.stop());

test('a payment that would make the response of its order too large is rejected, and the order can be read', async () => {
  const { world } = service;
  const account = await world.createAccount();
  const key = await world.createKey(account.id);
  const items = [{ name: 'Cake', quantity: 1, unit_price: 40 }];
  const { id: order_id } = (await world.request('POST', '/orders', { key, body: { items } })).body;
  const input = { order_id, amount: 1, method: 'cash', status: 'completed', description };
  let refusal: object | undefined;
  let accepted = 0;
  for (; !refusal && accepted < 200; accepted++) {
    const answer = await service.call('payment.create', account.id, input);
    if (!answer.ok) refusal = { status: answer.status, ...answer.body.error };
  }
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_value', field: 'description' });
  const read = await world.request('GET', `/orders/${order_id}`, { key });
  expect([read.status, read.body.payments.length]).toEqual([200, accepted - 1]);
  expect(Buffer.byteLength(read.text)).toBeLessThan(mostBytes);
  expect(await service.call('payment.create', account.id, { ...input, description: null })).toMatchObject({ ok: true });
});

// 4 orders of 12 payments of 120 KB are more than one page.
test('no page of account.export is larger than the limit, and the pages have every record once', async () => {
  const { world } = service;
  const account = await world.createAccount();
  const key = await world.createKey(account.id);
  const items = [{ name: 'Cake', quantity: 1, unit_price: 40 }];
  const orders: string[] = [];
  for (let order = 0; order < 4; order++) {
    const { id } = (await world.request('POST', '/orders', { key, body: { items } })).body;
    orders.push(id);
    const input = { order_id: id, amount: 1, method: 'cash', status: 'completed', description };
    for (let payment = 0; payment < 12; payment++) await service.act('payment.create', account.id, input);
  }
  const exported: string[] = [];
  let cursor: unknown;
  let pages = 0;
  do {
    pages++;
    const page = await service.act('account.export', account.id, cursor ? { cursor } : {});
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(mostBytes);
    exported.push(...page['orders'].map(({ id }: { id: string }) => id));
    cursor = page['next_cursor'];
  } while (cursor);
  expect(pages).toBeGreaterThan(1);
  expect(exported.sort()).toEqual(orders.sort());
});
