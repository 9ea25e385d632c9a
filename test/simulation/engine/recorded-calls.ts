import { startDashboard } from '../../actions/dashboard.ts';
import { readyCalls } from '../../actions/every-action.ts';
import { createPipeline } from '../../support/pipeline.ts';
import { startReceiver } from '../../support/receiver.ts';
import { createTarget, createTenant, send } from '../../support/requests.ts';
import type { WireCall } from '../../support/wire.ts';
import { allRoutes, startWorld } from '../../support/world.ts';

export type RecordedCall = Pick<WireCall, 'operation' | 'input'> & { readonly tables: readonly [data: string, buckets: string] };

const recordRequests = async (): Promise<readonly RecordedCall[]> => {
  const world = await startWorld({ notices: true });
  const receiver = await startReceiver();
  const pipeline = createPipeline(world);
  const { key } = await createTenant(world);
  const hook = receiver.hook();
  const events = ['expense.created', 'order.created', 'customer.created', 'payment.created'];
  await world.request('POST', '/webhooks', { key, body: { url: hook.url, events } });
  for (const route of allRoutes) {
    const id = await createTarget(world, route, key);
    await send(world, route, { key, ...(id === undefined ? {} : { id }), headers: { 'Idempotency-Key': route.operation } });
    await pipeline.drain();
  }
  hook.respondWith(500);
  for (const route of allRoutes) if (route.method === 'POST') await send(world, route, { key });
  await pipeline.drain();
  world.clock.advance(3_600_000);
  await pipeline.sweep();
  await pipeline.drain();
  const calls = world.wire.calls.map((call) => ({ ...call, tables: [world.tables.tableName, world.tables.bucketsTableName] as const }));
  pipeline.close();
  await receiver.stop();
  await world.stop();
  return calls;
};

const recordActions = async (): Promise<readonly RecordedCall[]> => {
  const [dashboard, receiver] = [await startDashboard(), await startReceiver()];
  for (const [action, prepare] of Object.entries(readyCalls)) {
    const { account, input } = await prepare({ dashboard, receiver });
    await dashboard.call({ action, input, ...(account === undefined ? {} : { account }) });
  }
  const { tableName, bucketsTableName } = dashboard.tables;
  const calls = dashboard.wire.calls.map((call) => ({ ...call, tables: [tableName, bucketsTableName] as const }));
  await dashboard.stop();
  await receiver.stop();
  return calls;
};

/** Returns the calls of every route, every action, and of the work behind them, in their order. */
export const recordCalls = async (): Promise<readonly RecordedCall[]> => [...(await recordRequests()), ...(await recordActions())];

/** Returns a call's form: its fields and expressions with the types of its values. */
export const formOf = ({ operation, input }: RecordedCall): string => {
  const typed = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string' && /Expression$|^(ReturnValues.*|Select|IndexName)$/.test(name)) return value;
    if (Array.isArray(value)) return name === 'Keys' ? 'keys' : name === 'TransactItems' ? value.map((one) => typed(one)) : 'list';
    if (value instanceof Uint8Array || value instanceof Set) return value.constructor.name;
    if (typeof value !== 'object' || value === null) return typeof value;
    if (['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeNames', 'RequestItems'].includes(name)) return name;
    return Object.fromEntries(
      Object.entries(value).flatMap(([field, inner]) => (inner === undefined ? [] : [[field, typed(inner, field)]])),
    );
  };
  return `${operation} ${JSON.stringify(typed(input))}`;
};
