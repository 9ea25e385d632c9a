import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventsOfChange } from '../../shared/domain/event/changes.ts';
import { readStreamRecord } from '../../shared/table/stream.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { startWorld, type World } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

let world: World;
let pipeline: Pipeline;
let shop: OrderingShop;
beforeAll(async () => {
  world = await startWorld();
  pipeline = createPipeline(world);
});
beforeEach(async () => {
  shop = await openShop(world);
  await pipeline.clear();
});
afterAll(async () => {
  pipeline.close();
  await world.stop();
});

/** Returns the events of the changes since the test began. */
const emittedEvents = async () =>
  (await pipeline.changes()).flatMap((record) => eventsOfChange(readStreamRecord(record).change)) as unknown as {
    readonly type: string;
    readonly object: Record<string, unknown>;
  }[];
const types = async () => (await emittedEvents()).map(({ type }) => type).sort();

test("an order without a customer emits only order.created, with the response's fields", async () => {
  const { body } = await shop.post({ delivery_fee: 2 });
  const { items: _, payment_method, event_category, delivery_address, notes, custom_fields, metadata, ...payload } = body;
  expect(await emittedEvents()).toEqual([{ type: 'order.created', object: payload }]);
});

test('an order with a new customer also emits customer.created, with the new totals', async () => {
  await shop.post({ customer: { email: 'ada@example.com' } });
  const events = await emittedEvents();
  expect(events.map(({ type }) => type).sort()).toEqual(['customer.created', 'order.created']);
  expect(events.find(({ type }) => type === 'customer.created')?.object).toMatchObject({ total_orders: 1, total_spent: 40 });
});

describe('payments that are sent with an order', () => {
  const payments = ['pending', 'completed', 'approved', 'failed'].map((status) => ({ amount: 1, status }));

  test.each([{}, { emit_webhooks: false }, { emit_webhooks: null }])(
    'payments that are sent with an order emit no events with %j',
    async (fields) => {
      await shop.post({ payments, ...fields });
      expect(await types()).toEqual(['order.created']);
    },
  );

  test('payments that are sent with an order emit events with emit_webhooks, also if they start as completed or failed', async () => {
    await shop.post({ payments, emit_webhooks: true });
    const events = await emittedEvents();
    expect(events.map(({ type, object }) => `${type} ${type.startsWith('payment') ? object['status'] : ''}`).sort()).toEqual(
      [
        'order.created ',
        'payment.completed approved',
        'payment.completed completed',
        'payment.created approved',
        'payment.created completed',
        'payment.created failed',
        'payment.created pending',
        'payment.failed failed',
      ].sort(),
    );
    for (const { type, object } of events) if (type.startsWith('payment')) expect(object['previous_status']).toBeNull();
  });
});
