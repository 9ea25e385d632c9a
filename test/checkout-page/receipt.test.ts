import { expect, test } from '@jest/globals';
import { openShop } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, openCounter } from './page.ts';

const world = shared(startWorld);

test("the page of a paid session shows the order's number, day, card, email, lines and total, and where to ask the shop", async () => {
  // Where it is the next day already.
  const timezone = 'Pacific/Kiritimati';
  const counter = await openCounter(world, { shop: await openShop(world, { account: { timezone } }) });
  await counter.pay(approveCard);
  const { orders } = await counter.made();
  const { status, text } = await counter.visit('GET', counter.path);
  expect(status).toBe(200);
  const day = new Date(orders[0]?.created_at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: timezone });
  for (const shown of [`<dd>#${orders[0]?.order_number}</dd>`, `<dd>${day}</dd>`, '2 × <bdi>Sourdough</bdi>', '<dd>$13.00</dd>'])
    expect(text).toContain(shown);
  expect(text.replaceAll(/<[^>]+>/g, '')).toMatch(/CardVisa •••• 4242\s*EmailAda@example.com/);
  expect(text).toContain('href="https://shop.example.com/thanks"');
  expect(text).toContain('<a href="https://shop.example.com">shop.example.com</a>');
});

test('the page of a paid session shows no order number and no email after the order was deleted', async () => {
  const counter = await openCounter(world);
  await counter.pay(approveCard);
  const account = counter.shop.account.id;
  const stored = await world.store.orders.get(account, (await counter.session()).order_id ?? '');
  if (!stored) throw new Error('There is no order.');
  const deleted_at = new Date(world.clock.now()).toISOString();
  await world.store.commit([world.store.orders.replaceWrite(account, { ...stored.record, deleted_at }, stored)]);
  const { text } = await counter.visit('GET', counter.path);
  expect(text).toContain('Your payment of $13.00 has arrived.');
  for (const hidden of ['Order number', 'Ada<wbr>']) expect(text).not.toContain(hidden);
});

test.each([
  ['us', 'Thursday, March 14, 2030', '8:00 – 11:00 AM'],
  ['au', 'Thursday, 14 March 2030', '8:00 – 11:00 am'],
  ['eu', 'Thursday, 14 March 2030', '08:00–11:00'],
] as const)('a shop in %s shows the day as %s and the slot as %s', async (region, day, time) => {
  const counter = await openCounter(world, { shop: await openShop(world, { account: { region } }) });
  const { text } = await counter.visit('GET', counter.path);
  // The spaces of a time are narrow ones, which do not break.
  expect(text.replace(/\s+/g, ' ')).toContain(`<p>${day}<br>${time} · Morning</p>`);
});

test('one piece of a product has no price for each', async () => {
  const items = [{ product_id: 'prd_bread', quantity: 1 }];
  const { text } = await openCounter(world, { fields: { items } }).then(({ visit, path }) => visit('GET', path));
  expect(text).toContain('1 × <bdi>Sourdough</bdi>');
  expect(text).not.toContain(' each<');
});
