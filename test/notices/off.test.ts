import { expect, test } from '@jest/globals';
import { useDelivery } from '../support/delivery.ts';

const t = useDelivery();
const dayMs = 86_400_000;

test('no notice is stored without the context key', async () => {
  const key = await t.world.createKey(t.account.id, { expires_at: t.isoAfter(200 * dayMs) });
  await t.world.createKey(t.account.id, { expires_at: t.isoAfter(dayMs) });
  t.hook.respondWith(500);
  await t.publish(10);
  await t.pipeline.drain();
  t.world.clock.advance(100 * dayMs);
  await t.world.request('GET', '/expenses', { key });
  expect((await t.world.store.notices.list(t.account.id, { limit: 50 })).records).toEqual([]);
});
