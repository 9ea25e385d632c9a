import { expect, test } from '@jest/globals';
import type { ActionServices } from '../../functions/actions/action.ts';
import { actions } from '../../functions/actions/app.ts';
import { context } from '../support/context.ts';
import { useDelivery } from '../support/delivery.ts';

// decisions §7, Platform notices

const t = useDelivery({ notices: true });
const dayMs = 86_400_000;

const pageOf = async (input: object): Promise<{ data: any[]; next_cursor: string | null }> => {
  const call = actions(t.world.services as unknown as ActionServices);
  const { result } = (await call({ action: 'notice.list', account: t.account.id, input }, context)) as { result?: any };
  return result;
};
const listed = async () => (await pageOf({})).data;

test('notice.list is newest first by the time at which each notice was made', async () => {
  const dueIn = (days: number) => t.world.createKey(t.account.id, { expires_at: t.isoAfter((7 + days) * dayMs) });
  const rested = await t.world.createKey(t.account.id);
  await dueIn(100);
  t.world.clock.advance(100 * dayMs + 1);
  await t.world.createKey(t.account.id, { expires_at: t.isoAfter(dayMs) });
  for (let i = 0; i < 2; i++) {
    t.world.clock.advance(1);
    t.hook.respondWith(500);
    await t.publish(5);
    await t.pipeline.drain();
  }
  t.world.clock.advance(1);
  await t.world.request('GET', '/expenses', { key: rested });
  t.world.clock.advance(1);
  await t.world.createKey(t.account.id, { expires_at: t.isoAfter(2 * dayMs) });
  expect((await listed()).map(({ type }) => type)).toEqual([
    'API Key Expiring',
    'API Key Used After Rest',
    'Webhook Endpoint Disabled',
    'Webhook Endpoint Failing',
    'API Key Expiring',
    'API Key Expiring',
  ]);
  const ends = (await listed()).flatMap(({ type, time }) => (type === 'API Key Expiring' ? [time] : []));
  expect(ends.at(-1)).toBe(t.isoAfter(7 * dayMs - 5));
});

test('notice.list returns the whole notices, each with its type, in pages', async () => {
  t.hook.respondWith(500);
  await t.publish(5);
  await t.pipeline.drain();
  t.world.clock.advance(1);
  const expires_at = t.isoAfter(dayMs);
  await t.world.createKey(t.account.id, { expires_at });
  const notice = { id: expect.stringMatching(/^ntc_[0-9a-z]{26}$/), account: t.account.id };
  const first = await pageOf({ limit: 1 });
  expect(first).toEqual({
    data: [{ ...notice, type: 'API Key Expiring', key: expect.stringMatching(/^key_/), reason: 'expires_in_7_days', time: expires_at }],
    next_cursor: expect.any(String),
  });
  expect(await pageOf({ limit: 1, cursor: first.next_cursor })).toEqual({
    data: [
      {
        ...notice,
        type: 'Webhook Endpoint Failing',
        endpoint: t.endpoint.id,
        reason: 'consecutive_failures',
        event_type: 'expense.created',
        last_status_code: 500,
        last_error: 'http_error',
        time: t.isoAfter(-1),
      },
    ],
    next_cursor: null,
  });
});
