import * as v from 'valibot';
import { record, requiredText } from '../../shared/core/fields.ts';
import { endpointsPerAccount } from '../../shared/domain/webhook/record.ts';
import type { AccountAction } from './action.ts';

const input = record({ id: v.exactOptional(requiredText()) });

/** Pending deliveries are counted up to this for each endpoint: a reading never costs more for a larger backlog. */
const mostPending = 100;
/** Nobody counts the orders of an account without a limit as they are made: they are read. */
const mostOrders = 10_000;

export const accountUsage: AccountAction<typeof input> = {
  summary: 'Shows what an account uses: orders of the month, endpoints, keys, pending deliveries (to 100 an endpoint).',
  account: 'self',
  input,
  async read({ store, clock }, _input, account) {
    const nowMs = clock.now();
    const month = new Date(nowMs).toISOString().slice(0, 7);
    const [orders, endpoints, keys] = await Promise.all([
      account.order_limit === null
        ? store.orderLimits.countUpTo(account.id, month, mostOrders)
        : store.counters.ordersIn(account.id, month),
      store.endpoints.all(account.id),
      store.apiKeys.list(account.id),
    ]);
    const pending = await Promise.all(
      endpoints.map(async ({ id, enabled }) => {
        const { count, orMore } = await store.deliveries.countPending(account.id, id, mostPending);
        return { endpoint_id: id, enabled, pending: count, or_more: orMore };
      }),
    );
    const usable = keys.filter(
      ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs),
    );
    return {
      id: account.id,
      plan: account.plan,
      status: account.status,
      orders: { month, count: orders, or_more: account.order_limit === null && orders === mostOrders, limit: account.order_limit },
      webhook_endpoints: {
        count: endpoints.length,
        enabled: endpoints.filter(({ enabled }) => enabled).length,
        limit: endpointsPerAccount,
      },
      api_keys: { count: keys.length, usable: usable.length },
      deliveries: pending,
    };
  },
};
