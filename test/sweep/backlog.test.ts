import { expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { pendingDelivery } from '../../shared/domain/webhook/record.ts';
import { deliveryKey, dueEntry } from '../../shared/table/delivery-items.ts';
import { bulkPut } from '../support/bulk.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';

// Guarantee 3 (docs/guarantees.md)

const t = useDelivery();

const backlog = 1_500;
/** At most one page of each of the eight shards, and the heartbeat. */
const mostAtOnce = 17;

/** Stores records that wait for their first attempt, without messages in the queue. */
const fill = async (): Promise<void> => {
  const nowMs = t.world.clock.now();
  const { tableName } = t.world.tables;
  const writes = Array.from({ length: backlog }, () => {
    const id = randomId('evt', nowMs);
    const of = { account: t.account.id, endpoint: t.endpoint.id };
    const view = pendingDelivery({ ...of, id, type: 'expense.created' }, nowMs);
    const Item = { ...deliveryKey({ ...of, event: id }), view, ...dueEntry({ ...of, event: id }, nowMs) };
    return { item: { Put: { TableName: tableName, Item } } };
  });
  await bulkPut(t.world.engine, writes);
};

test('a sweep of 1,500 overdue deliveries requeues each once, with at most 17 calls at a time', async () => {
  await fill();
  t.world.clock.advance(2 * minuteMs + 1);
  let [underWay, most] = [0, 0];
  const counted = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    underWay += 1;
    most = Math.max(most, underWay);
    return await run().finally(() => {
      underWay -= 1;
    });
  };
  t.world.wire.intercept((_call, send) => counted(send));
  t.pipeline.gate((_step, run) => counted(run));
  expect(await t.pipeline.sweep()).toEqual({ requeued: backlog });
  expect(new Set(t.pipeline.waiting.map(({ body }) => JSON.parse(body).event)).size).toBe(backlog);
  expect(t.pipeline.waiting).toHaveLength(backlog);
  expect([most > 8, most <= mostAtOnce]).toEqual([true, true]);
  expect(await t.pipeline.sweep()).toEqual({ requeued: 0 });
});
