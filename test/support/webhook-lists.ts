import { randomUUID } from 'node:crypto';
import { routeOf } from '../../functions/groups.ts';
import { randomId } from '../../shared/core/ids.ts';
import { limitParallel } from '../../shared/core/promises.ts';
import { type DeliveryRecord, type Endpoint, pendingDelivery } from '../../shared/domain/webhook/record.ts';
import type { ListSample } from './list-sample.ts';
import { sampleBody, send } from './requests.ts';

export const webhooks: ListSample<Endpoint> = {
  // One less than an account may have: tests register one more.
  most: 9,
  async fill({ world, key }, count, description = '') {
    const made: Endpoint[] = [];
    for (let i = 0; i < count; i++) {
      const route = routeOf('createWebhook');
      world.clock.advance(1_000);
      made.push((await send(world, route, { key, body: { ...sampleBody(route), description } })).body);
    }
    return made;
  },
  sorts: [{ query: '', by: ({ created_at }) => created_at }],
  filters: {},
  remove: ({ world, key }, { id }) => send(world, routeOf('deleteWebhook'), { key, id }),
  change: { queries: [''], apply: ({ world, key }, { id }) => send(world, routeOf('updateWebhook'), { key, id }) },
};

const refOf = ({ account, endpoint, id: event }: DeliveryRecord) => ({ account, endpoint, event, run: 1, attempt: 0 });
export const deliveries: ListSample<DeliveryRecord> = {
  holdsText: false,
  async fill({ world: { store, clock }, account, id: endpoint = '' }, count) {
    const limited = limitParallel(20);
    const nowMs = clock.now();
    const make = async (i: number): Promise<DeliveryRecord> => {
      const ms = nowMs - Math.floor(i / 2) * 1_000;
      const made = pendingDelivery({ id: randomId('evt', ms), account, endpoint, type: 'expense.created' }, ms);
      await store.deliveries.create(made);
      const status = (['delivered', 'pending', 'failed'] as const)[i % 3] as DeliveryRecord['status'];
      const outcome = { status, attempts: 0, statusCode: 200, error: null, atMs: ms, durationMs: 1, nextAtMs: null };
      if (status !== 'pending') await store.deliveries.finish(refOf(made), randomUUID(), outcome);
      return { ...made, status };
    };
    return Promise.all(Array.from({ length: count }, (_, i) => limited(() => make(i))));
  },
  sorts: [{ query: '', by: ({ created_at }) => created_at }],
  filters: Object.fromEntries(['delivered', 'pending', 'failed'].map((filter) => [`status=${filter}`, ({ status }) => status === filter])),
  change: {
    queries: ['status=pending'],
    apply: ({ world: { store, clock }, account, id: endpoint = '' }, delivery) =>
      store.deliveries.abandon(refOf({ ...delivery, account, endpoint }), 'endpoint_disabled', clock.now()),
  },
};
