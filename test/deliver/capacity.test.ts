import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { gatewayPage } from '../costs/operations.ts';
import { useDelivery } from '../support/delivery.ts';
import { createEndpoint, writeExpense } from '../support/records.ts';
import type { WireCall } from '../support/wire.ts';

const t = useDelivery();

const isRead = ({ operation }: WireCall): boolean => ['GetItem', 'BatchGetItem', 'Query'].includes(operation);

test('messages to several endpoints in one invocation share a read of the records and a read of the body', async () => {
  for (let i = 0; i < 3; i++) await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
  await writeExpense(t.world, t.account.id);
  await t.pipeline.fanOut(await t.pipeline.changes());
  t.world.wire.measure();
  for (let batch = t.pipeline.receive(); batch.length > 0; batch = t.pipeline.receive()) await t.pipeline.deliver(batch);
  expect(t.world.wire.calls.filter(isRead)).toHaveLength(2);
  expect(t.world.wire.calls).toHaveLength(2 + 4 * 3);
});

describe('the outcome of a failed attempt', () => {
  const noise = randomBytes(1_500);
  /** Units of the outcomes of five attempts with this response. */
  const unitsOfEnds = async (body: string | Uint8Array): Promise<number[]> => {
    await t.reset();
    t.hook.respondWith({ status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, body });
    await t.publish();
    t.world.wire.measure();
    await t.attempts();
    const ends = t.world.wire.calls.filter(({ input }) => /list_append/.test(String(input['UpdateExpression'])));
    return ends.map(({ capacityUnits }) => capacityUnits);
  };

  test('a stored response costs a unit more from the third attempt on, or at once if it cannot be deflated', async () => {
    // The first one enters both indexes; the others leave them or move their entries.
    expect(await unitsOfEnds('')).toEqual([3, 4, 4, 4, 4]);
    expect(await unitsOfEnds(gatewayPage)).toEqual([3, 4, 5, 5, 5]);
    expect(await unitsOfEnds(noise)).toEqual([4, 5, 5, 5, 5]);
  });
});
