import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Drops the first response of the operation after its write was applied. */
const loseFirstAnswer = (operation: string): void => {
  let lost = false;
  world.wire.intercept(async (call, send) => {
    const answer = await send();
    if (call.operation !== operation || lost) return answer;
    lost = true;
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  });
};

test('a conditional write is applied once if its response is lost and the SDK repeats it', async () => {
  const account = await world.createAccount();
  const key = await world.createKey(account.id);
  const { body: endpoint } = await world.request('POST', '/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/x', events: ['expense.created'] },
  });
  loseFirstAnswer('TransactWriteItems');
  const rotated = await world.request('POST', `/webhooks/${endpoint.id}/rotate-secret`, { key });
  world.wire.intercept(undefined);
  expect(rotated.status).toBe(200);
  expect((await world.store.endpoints.get(account.id, endpoint.id))?.secret).toBe(rotated.body.secret);
});
