import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openParameters } from '../../local/engine/parameters.ts';
import { openState, type State } from '../../local/engine/state.ts';
import { openRegion, type RunningRegion } from '../../local/running-region.ts';
import { openSecrets } from '../../shared/providers/secrets.ts';
import { eventually } from '../support/journey.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createEndpoint, writeExpense } from '../support/records.ts';
import { createWire, partitionsRead, type Wire } from '../support/wire.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let receiver: Receiver;
let state: State;
let region: RunningRegion;
let wire: Wire;
beforeAll(async () => {
  [world, receiver, state] = await Promise.all([startWorld(), startReceiver(), openState(undefined)]);
  wire = createWire(world.engine.client);
  region = await openRegion({
    region: 'us',
    database: { ...world.engine, client: wire.client },
    tables: world.tables,
    state,
    secrets: openSecrets({ clock: world.clock, log: () => {}, read: openParameters(undefined) }),
    policy: world.policy,
    clock: world.clock,
    log: () => {},
  });
  region.startBackground();
});
afterAll(async () => {
  await region.stop(1_000);
  await region.close(1_000);
  state.close();
  await receiver.stop();
  await world.stop();
});

const act = async (action: string, input: unknown = {}, account?: string): Promise<any> => {
  const response = (await region.invokeAction({ action, input, ...(account === undefined ? {} : { account }) })) as any;
  if (!response.ok) throw new Error(JSON.stringify(response.body));
  return response.result;
};
const depth = async (name: string) => (await act('queue.status')).data.find(({ queue }: { queue: string }) => queue === name);

test('a delivery is a dead letter after twenty failed receives; a redrive delivers it once, signed', async () => {
  const hook = receiver.hook();
  const { id: account } = await world.createAccount();
  const endpoint = await createEndpoint(world, account, hook.url);
  // The delivery record cannot be read, so every attempt fails before its request.
  wire.intercept(async (call, send) => {
    if (partitionsRead(call).includes(`dlv#${account}#${endpoint.id}`)) throw new Error('the table does not answer');
    return await send();
  });
  await writeExpense(world, account);
  await eventually(
    async () => {
      world.clock.advance(360_000);
      return await depth('delivery-dead-letters');
    },
    ({ waiting }) => waiting > 0,
  );
  expect(hook.requests).toEqual([]);
  const { data } = await act('queue.peek', { queue: 'delivery-dead-letters', limit: 100 });
  expect(data[0]).toMatchObject({ account, receives: expect.any(Number), body: { v: 1, endpoint: endpoint.id, run: 1, attempt: 0 } });
  expect(data[0].receives).toBeGreaterThanOrEqual(20);

  wire.intercept(undefined);
  expect(await act('queue.redrive', { queue: 'delivery-dead-letters' })).toMatchObject({ redriven: data.length, left: 0 });
  const event = String(data[0].body.event);
  const delivered = await eventually(
    async () => {
      world.clock.advance(1_000);
      return (await act('delivery.find', { event_id: event }, account)).deliveries[0];
    },
    ({ status }) => status === 'delivered',
  );
  expect(delivered.attempt_log).toMatchObject([{ attempt: 1, status_code: 200 }]);
  await eventually(
    async () => {
      world.clock.advance(60_000);
      return await depth('delivery');
    },
    ({ waiting, in_flight, delayed }) => waiting + in_flight + delayed === 0,
  );
  expect(hook.requests).toHaveLength(1);
  const [request] = hook.requests;
  const t = String(request?.headers['x-webhook-timestamp']);
  const expected = createHmac('sha256', endpoint.secret)
    .update(`${t}.`)
    .update(request?.body ?? '')
    .digest('hex');
  expect(request?.headers['x-webhook-signature']).toBe(`t=${t},v1=${expected}`);
});
