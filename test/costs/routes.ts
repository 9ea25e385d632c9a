import { type GroupName, groups } from '../../functions/groups.ts';
import type { FunctionName } from '../../lib/functions.ts';
import { randomId } from '../../shared/core/ids.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { createTarget, createTenant, send } from '../support/requests.ts';
import type { World } from '../support/world.ts';
import { createMeter, type Meter, type Operation } from './meter.ts';

type PendingResponse = Promise<{ readonly status: number; readonly text?: string }>;

/** Sends the request twice, so that the function has cached the key; the second one counts. */
export const request = async (
  meter: Meter,
  name: FunctionName,
  title: string,
  route: string,
  ask: () => PendingResponse | Promise<PendingResponse>,
): Promise<Operation> => {
  const requireSuccess = async () => {
    const { status, text } = await ask();
    if (status >= 400) throw new Error(`${title} was answered with ${status}: ${text}`);
  };
  await requireSuccess();
  return { title, route, invocations: [await meter.run(name, requireSuccess)], count: 1 };
};

/** Routes that one request cannot measure, with the reason. */
export const unmeasured: Readonly<Record<string, string>> = { testWebhook: 'It is the wait for the receiver, as that of a delivery is.' };

/**
 * Sends a request with its sample body to each route that `stated` lacks. A list returns the
 * account's records; `{id}` is a record that the API created.
 */
export const measureOtherRoutes = async (world: World, stated: readonly Operation[]): Promise<Operation[]> => {
  const meter = createMeter(world);
  const of = async (group: GroupName, route: Route): Promise<Operation> => {
    // As long as a real id, because it is logged.
    const { key } = await createTenant(world, { key: { id: randomId('key', world.clock.now()) } });
    // A record can be deleted only once.
    const ids = [await createTarget(world, route, key), await createTarget(world, route, key)];
    const ask = () => {
      const id = ids.pop();
      return send(world, route, { key, ...(id ? { id } : {}), headers: { 'Idempotency-Key': crypto.randomUUID() } });
    };
    return await request(meter, group, `${route.method} ${route.path}`, routeKey(route), ask);
  };
  const isMissing = (route: Route): boolean =>
    unmeasured[route.operation] === undefined && stated.every((operation) => operation.route !== routeKey(route));
  const measured: Operation[] = [];
  for (const [group, routes] of Object.entries(groups) as [GroupName, readonly Route[]][])
    for (const route of routes.filter(isMissing)) measured.push(await of(group, route));
  return measured;
};
