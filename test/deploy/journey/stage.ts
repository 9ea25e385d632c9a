import assert from 'node:assert/strict';
import type { Receiver } from '../../support/receiver.ts';
import type { Schedules } from '../schedules.ts';
import { checkDeliveries } from './deliveries.ts';
import type { Shop } from './shop.ts';

/** The stack of the stage works beside that of production, and neither knows a key of the other. */
export const checkStage = async (staged: Shop, production: Shop, receiver: Receiver, schedules: Schedules): Promise<void> => {
  await staged.check('the stage and production in the same region reject keys of each other', async () => {
    for (const [shop, other] of [
      [staged, production],
      [production, staged],
    ] as const) {
      const { status, body } = await shop.call('GET', '/webhooks', undefined, { key: other.secretKey });
      assert.deepEqual([status, body?.error?.code], [401, 'invalid_api_key']);
    }
  });
  await checkDeliveries(staged, receiver, schedules);
};
