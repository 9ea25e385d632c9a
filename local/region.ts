import type { ActionServices } from '../functions/actions/action.ts';
import { checkout } from '../functions/checkout/app.ts';
import { routes as checkoutRoutes } from '../functions/checkout/routes.ts';
import { checkoutPage } from '../functions/checkout-page/app.ts';
import { gatewayOpener } from '../functions/checkout-page/gateway.ts';
import { routes as pageRoutes } from '../functions/checkout-page/routes.ts';
import { customers } from '../functions/customers/app.ts';
import { routes as customerRoutes } from '../functions/customers/routes.ts';
import { deliver } from '../functions/deliver/app.ts';
import { expenses } from '../functions/expenses/app.ts';
import { routes as expenseRoutes } from '../functions/expenses/routes.ts';
import { fallback } from '../functions/fallback/app.ts';
import { fanOut } from '../functions/fan-out/app.ts';
import { orders } from '../functions/orders/app.ts';
import { routes as orderRoutes } from '../functions/orders/routes.ts';
import { products } from '../functions/products/app.ts';
import { routes as productRoutes } from '../functions/products/routes.ts';
import { reference } from '../functions/reference/app.ts';
import { routes as referenceRoutes } from '../functions/reference/routes.ts';
import { searchSync } from '../functions/search-sync/app.ts';
import { sweep } from '../functions/sweep/app.ts';
import { webhooks } from '../functions/webhooks/app.ts';
import { routes as webhookRoutes } from '../functions/webhooks/routes.ts';
import type { Clock } from '../shared/core/clock.ts';
import { randomId } from '../shared/core/ids.ts';
import type { Log } from '../shared/core/log.ts';
import { systemRandom } from '../shared/core/random.ts';
import type { Region } from '../shared/core/regions.ts';
import type { ParkingLot } from '../shared/providers/parking.ts';
import type { Queue } from '../shared/providers/queue.ts';
import type { Scheduler } from '../shared/providers/scheduler.ts';
import type { Secrets } from '../shared/providers/secrets.ts';
import { connectStore } from '../shared/table/store.ts';
import { createSender } from '../shared/webhooks/attempt.ts';
import type { DeliveryPolicy } from '../shared/webhooks/policy.ts';
import type { Engine } from './engine/dynamodb.ts';
import type { Tables } from './engine/tables.ts';
import type { HttpFunction } from './gateway/handle.ts';
import type { ActionCall } from './gateway/own-endpoints.ts';
import { createRouter } from './gateway/routing.ts';
import { onlyOnce } from './only-once.ts';

export interface RegionServices {
  readonly region: Region;
  readonly client: Engine['client'];
  readonly tables: Tables;
  readonly queue: Queue;
  readonly searchQueue: Queue;
  readonly queues: ActionServices['queues'];
  readonly scheduler: Scheduler;
  readonly parking: ParkingLot;
  readonly secrets: Secrets;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

/** The deployed functions of one region on local services: the only place where they are put together. */
export const composeRegion = ({
  region,
  client,
  tables,
  queue,
  searchQueue,
  queues,
  scheduler,
  parking,
  secrets,
  policy,
  clock,
  log,
}: RegionServices) => {
  const { tableName, bucketsTableName } = tables;
  const store = connectStore({ tableName, bucketsTableName, clock, random: systemRandom, client });
  const sender = createSender({ policy });
  const services = { region, store, clock, random: systemRandom, newId: randomId, log };
  const toFanOut = fanOut({ store, queue, searchQueue, parking, clock, log });
  const replay = async (json: string) => {
    const { batchItemFailures } = await toFanOut({ Records: [JSON.parse(json)] });
    if (batchItemFailures.length > 0) throw new Error('The record could not be read; it stays parked.');
  };
  let loaded: Promise<ReturnType<typeof import('../functions/actions/app.ts').actions>> | undefined;
  // Loaded at the first action: a fifth of the whole source.
  const loadActions = () => {
    loaded ??= import('../functions/actions/app.ts').then(({ actions }) =>
      actions({ ...services, queue, queues, parking, replay, sender, policy }),
    );
    return loaded;
  };
  return {
    router: createRouter<HttpFunction>(
      [
        { routes: checkoutRoutes, target: checkout({ ...services, allowLoopbackUrls: policy.allowLoopback }) },
        { routes: customerRoutes, target: customers(services) },
        { routes: expenseRoutes, target: expenses(services) },
        { routes: orderRoutes, target: orders(services) },
        { routes: productRoutes, target: products({ ...services, secrets }) },
        { routes: referenceRoutes, target: reference(services) },
        { routes: webhookRoutes, target: webhooks({ ...services, sender, policy }) },
      ],
      [
        {
          routes: pageRoutes,
          target: checkoutPage({ ...services, openGateway: gatewayOpener({ clock, secrets }) }),
        },
      ],
    ),
    fallback: fallback({ log }),
    fanOut: toFanOut,
    actions: async (call: ActionCall) => (await loadActions())(call),
    deliver: deliver({ store, queue, scheduler, sender, policy, clock, random: systemRandom, log, onlyOnce: onlyOnce() }),
    searchSync: searchSync({ store, secrets, sender, log }),
    sweep: sweep({ store, queue, policy, clock, log }),
    close: () => sender.close(),
  };
};
