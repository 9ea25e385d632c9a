import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { startWorld, type World } from '../support/world.ts';
import { newUrl, openShop, type Shop } from './shop.ts';

let world: World;
let shop: Shop;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
  shop = await openShop(world);
});
afterAll(() => Promise.all([receiver.stop(), world.stop()]));

const create = () => ({ url: newUrl(), events: ['expense.created'] });

test.each([
  ['POST /webhooks', 2, () => shop.call('POST', '/webhooks', create())],
  ['POST /webhooks with an Idempotency-Key', 2, () => shop.call('POST', '/webhooks', create(), { 'Idempotency-Key': 'once' })],
  ['GET /webhooks', 1, () => shop.call('GET', '/webhooks')],
  ['GET /webhooks with a cursor', 1, (_id: string, cursor: string) => shop.call('GET', `/webhooks?cursor=${cursor}`)],
  ['GET /webhooks/{id}', 1, (id: string) => shop.call('GET', `/webhooks/${id}`)],
  ['GET /webhooks/{id}/events', 1, (id: string) => shop.call('GET', `/webhooks/${id}/events?status=failed`)],
  ['PATCH /webhooks/{id}', 2, (id: string) => shop.call('PATCH', `/webhooks/${id}`, { url: newUrl() })],
  ['POST /webhooks/{id}/rotate-secret', 2, (id: string) => shop.call('POST', `/webhooks/${id}/rotate-secret`)],
  ['POST /webhooks/{id}/test', 2, (id: string) => shop.call('POST', `/webhooks/${id}/test`)],
  ['DELETE /webhooks/{id}', 2, (id: string) => shop.call('DELETE', `/webhooks/${id}`)],
])('%s takes at most %i sequential round trips to the tables', async (_operation, most, call) => {
  await shop.endpoint();
  const { id } = await shop.endpoint({ url: receiver.hook().url });
  const { next_cursor } = (await shop.call('GET', '/webhooks?limit=1')).body.pagination;
  world.wire.reset();
  const { status } = await call(id, next_cursor);
  expect(status).toBeLessThan(300);
  expect(world.wire.sequentialTrips()).toBeLessThanOrEqual(most);
  const left = (await shop.call('GET', '/webhooks')).body.data;
  for (const endpoint of left) await shop.call('DELETE', `/webhooks/${endpoint.id}`);
});
