import { type ActionName, actionTable } from '../../functions/actions/index.ts';
import type { Receiver } from '../support/receiver.ts';
import { createEndpoint } from '../support/records.ts';
import { orderItemOf, writeCustomer, writeOrder } from '../support/shop.ts';
import type { Dashboard } from './dashboard.ts';
import { addDelivery, addEndpoint } from './deliveries.ts';

export interface ReadyCall {
  readonly account?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The services that prepare a call. */
export interface Ground {
  readonly dashboard: Pick<Dashboard, 'act' | 'openAccount' | 'services' | 'clock' | 'parked'>;
  readonly receiver: Pick<Receiver, 'hook'>;
}

/** An account with an order, its customer and its payment. */
const openTrade = async ({ dashboard }: Ground) => {
  const account = await dashboard.openAccount();
  const customer = await writeCustomer(dashboard.services, account, { total_orders: 2, total_spent: 80 });
  const order = await writeOrder(dashboard.services, account, { items: [orderItemOf()] }, customer);
  const made = await dashboard.act('payment.create', account, { order_id: order.id, amount: 40, method: 'card', status: 'completed' });
  return { account, customer: customer.id, order: order.id, payment: String(made['id']) };
};

/** An account with one record, created by an action. */
const openWith = async ({ dashboard }: Ground, action: string, input: object) => {
  const account = await dashboard.openAccount();
  return { account, id: String((await dashboard.act(action, account, input))['id']) };
};

const openHook = async ({ dashboard, receiver }: Ground) => {
  const account = await dashboard.openAccount();
  const { url } = receiver.hook();
  const { services, clock } = dashboard;
  return { account, endpoint: (await createEndpoint({ store: services.store, clock }, account, url, { enabled_ms: 0 })).id };
};

const openLog = async ({ dashboard }: Ground, failures = 1) => {
  const account = await dashboard.openAccount();
  const endpoint = await addEndpoint(dashboard, account);
  const events: string[] = [];
  for (let i = 0; i < failures; i++) events.push(await addDelivery(dashboard, { account, endpoint }));
  return { account, endpoint_id: endpoint, event_id: String(events[0]) };
};

const fill = async ({ dashboard }: Ground, queue: 'delivery-dead-letters' | 'parking-notices') => {
  const bodies = ['{"event":"evt_1"}', '{"event":"evt_2"}', '{"event":"evt_3"}'];
  await dashboard.services.queues[queue].send(bodies.map((body) => ({ body, groupId: 'acct_1' })));
};

/** An account with a fee that is stored apart. */
const openUnbooked = async ({ dashboard }: Ground): Promise<ReadyCall> => {
  const account = await dashboard.openAccount();
  const { store } = dashboard.services;
  const line = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 0.3, transaction_id: 'txn_1' };
  const fee = { line, day: '2026-03-01', currency: 'USD', at: '2026-03-01T00:00:00.000Z', reason: 'another currency' };
  await store.commit([store.gatewayFees.keepAsideWrite(account, fee)]);
  return { account, input: {} };
};

const flour = { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' };
const tart = { name: 'Tart', price: 4 };
const yeast = { amount: 5, date: '2026-03-01', category: 'ingredients' };
const hook = { url: 'https://hooks.example.com/tokens', events: ['order.created'] };
const fee = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 0.3, date: '2026-03-01' };

const fresh = async ({ dashboard }: Ground, input: ReadyCall['input'] = {}): Promise<ReadyCall> => ({
  account: await dashboard.openAccount(),
  input,
});
const onHook = async (ground: Ground, input: ReadyCall['input'] = {}): Promise<ReadyCall> => {
  const { account, endpoint } = await openHook(ground);
  return { account, input: { id: endpoint, ...input } };
};

/**
 * A successful call of each action on its own data. A new action without a call does not compile.
 */
export const readyCalls: Readonly<Record<string, (ground: Ground) => Promise<ReadyCall>>> = {
  'account.create': async () => ({ input: { name: 'Crumb', plan: 'business' } }),
  'account.get': (ground) => fresh(ground),
  'account.update': (ground) => fresh(ground, { name: 'Crust' }),
  'account.create_sandbox': (ground) => fresh(ground, { name: 'Crumb, tests' }),
  'account.reindex': async (ground) => ({ account: (await openTrade(ground)).account, input: {} }),
  'account.export': async (ground) => ({ account: (await openTrade(ground)).account, input: {} }),
  'account.erase': async (ground) => ({ account: (await openTrade(ground)).account, input: {} }),
  'account.usage': (ground) => fresh(ground),
  'search.reindex': async ({ dashboard, receiver }) => {
    const account = await dashboard.openAccount();
    const host = receiver.hook({ status: 200, body: '{"hits":[]}' }).url;
    const search = { provider: 'typesense', host, collection: 'products', search_key: 'search-key', admin_key: 'admin-key' };
    await dashboard.act('settings.put', account, { search });
    return { account, input: {} };
  },
  'settings.get': (ground) => fresh(ground),
  'settings.put': (ground) => fresh(ground, { payment_methods: [{ id: 'pm_1', name: 'Cash', enabled: true }] }),
  'settings.update': (ground) => fresh(ground, { event_categories: [{ name: 'Wedding' }] }),
  'key.create': (ground) => fresh(ground, { type: 'secret', name: 'Till', expires_at: '2099-12-31' }),
  'key.replace': async (ground) => {
    const { account, id } = await openWith(ground, 'key.create', { type: 'secret' });
    return { account, input: { id, old_key_hours: 24 } };
  },
  'key.list': (ground) => fresh(ground),
  'key.update': async (ground) => {
    const { account, id } = await openWith(ground, 'key.create', { type: 'secret', expires_at: '2099-12-31' });
    return { account, input: { id, name: 'Counter', expires_at: '2099-06-30' } };
  },
  'key.revoke': async (ground) => {
    const { account, id } = await openWith(ground, 'key.create', { type: 'secret' });
    return { account, input: { id } };
  },
  'order.update': async (ground) => {
    const { account, order } = await openTrade(ground);
    return { account, input: { id: order, notes: 'Ring twice' } };
  },
  'order.set_status': async (ground) => {
    const { account, order } = await openTrade(ground);
    return { account, input: { id: order, status: 'cancelled' } };
  },
  'order.delete': async (ground) => {
    const { account, order, payment } = await openTrade(ground);
    await ground.dashboard.act('payment.void', account, { id: payment });
    return { account, input: { id: order } };
  },
  'customer.update': async (ground) => {
    const { account, customer } = await openTrade(ground);
    return { account, input: { id: customer, email: 'moved@example.com' } };
  },
  'customer.erase': async (ground) => {
    const { account, customer } = await openTrade(ground);
    return { account, input: { id: customer } };
  },
  'checkout.check': (ground) => fresh(ground, {}),
  'customer.export': async (ground) => {
    const { account, customer } = await openTrade(ground);
    return { account, input: { id: customer } };
  },
  'expense.create': (ground) => fresh(ground, yeast),
  'expense.update': async (ground) => {
    const { account, id } = await openWith(ground, 'expense.create', yeast);
    return { account, input: { id, amount: 6 } };
  },
  'expense.delete': async (ground) => {
    const { account, id } = await openWith(ground, 'expense.create', yeast);
    return { account, input: { id } };
  },
  'gateway_fee.record': (ground) => fresh(ground, fee),
  'gateway_fee.list_unbooked': openUnbooked,
  'gateway_fee.book': async (ground) => ({ ...(await openUnbooked(ground)), input: { transaction_id: 'txn_1', date: '2026-03-02' } }),
  'product.create': (ground) => fresh(ground, tart),
  'product.update': async (ground) => {
    const { account, id } = await openWith(ground, 'product.create', tart);
    return { account, input: { id, price: 5 } };
  },
  'product.delete': async (ground) => {
    const { account, id } = await openWith(ground, 'product.create', tart);
    return { account, input: { id } };
  },
  'payment.create': async (ground) => {
    const { account, order } = await openTrade(ground);
    return { account, input: { order_id: order, amount: 10, method: 'cash', status: 'completed' } };
  },
  'payment.set_status': async (ground) => {
    const { account, payment } = await openTrade(ground);
    return { account, input: { id: payment, status: 'approved' } };
  },
  'payment.void': async (ground) => {
    const { account, payment } = await openTrade(ground);
    return { account, input: { id: payment } };
  },
  'payment.correct_amount': async (ground) => {
    const { account, payment } = await openTrade(ground);
    return { account, input: { id: payment, amount: 41 } };
  },
  'payment.refund': async (ground) => {
    const { account, payment } = await openTrade(ground);
    return { account, input: { id: payment, amount: 10 } };
  },
  'quick_sale.create': (ground) => fresh(ground, { gross_sales: 5 }),
  'quick_sale.update': async (ground) => {
    const { account, id } = await openWith(ground, 'quick_sale.create', { gross_sales: 5 });
    return { account, input: { id, gross_sales: 6 } };
  },
  'quick_sale.delete': async (ground) => {
    const { account, id } = await openWith(ground, 'quick_sale.create', { gross_sales: 5 });
    return { account, input: { id } };
  },
  'inventory.put': (ground) => fresh(ground, flour),
  'inventory.adjust': async (ground) => {
    const { account, id } = await openWith(ground, 'inventory.put', flour);
    return { account, input: { id, delta: -3 } };
  },
  'webhook.create': (ground) => fresh(ground, hook),
  'webhook.list': async (ground) => ({ account: (await openHook(ground)).account, input: {} }),
  'webhook.update': (ground) => onHook(ground, { description: 'Till' }),
  'webhook.delete': (ground) => onHook(ground),
  'webhook.test': (ground) => onHook(ground),
  'webhook.rotate_secret': (ground) => onHook(ground),
  'webhook.enable': async (ground) => {
    const call = await onHook(ground);
    await ground.dashboard.act('webhook.disable', call.account, call.input);
    return call;
  },
  'webhook.disable': (ground) => onHook(ground),
  'webhook.redeliver': async (ground) => {
    const { account, ...input } = await openLog(ground);
    return { account, input };
  },
  'webhook.redeliver_failed': async (ground) => {
    const { account, endpoint_id } = await openLog(ground, 3);
    return { account, input: { endpoint_id, since: '2020-01-01T00:00:00Z', limit: 1 } };
  },
  'delivery.find': async (ground) => {
    const { account, event_id } = await openLog(ground);
    return { account, input: { event_id } };
  },
  'delivery.get': async (ground) => {
    const { account, ...input } = await openLog(ground);
    return { account, input };
  },
  'delivery.list': async (ground) => {
    const { account, endpoint_id } = await openLog(ground);
    return { account, input: { endpoint_id } };
  },
  'request.list': async ({ dashboard }) => ({ account: await dashboard.openAccount(), input: {} }),
  'notice.list': async ({ dashboard }) => ({ account: await dashboard.openAccount(), input: {} }),
  'delivery.requeue_overdue': async (ground) => {
    const { dashboard } = ground;
    const account = await dashboard.openAccount();
    const endpoint = await addEndpoint(dashboard, account);
    await addDelivery(dashboard, { account, endpoint }, { status: 'pending', attempts: 0 });
    dashboard.clock.advance(3_600_000);
    return { input: { account_id: account } };
  },
  'queue.status': async () => ({ input: {} }),
  'queue.peek': async (ground) => {
    await fill(ground, 'delivery-dead-letters');
    return { input: { queue: 'delivery-dead-letters' } };
  },
  'queue.redrive': async (ground) => {
    await fill(ground, 'delivery-dead-letters');
    return { input: { queue: 'delivery-dead-letters', limit: 1 } };
  },
  'queue.discard': async (ground) => {
    await fill(ground, 'parking-notices');
    const { data } = (await ground.dashboard.act('queue.peek', undefined, { queue: 'parking-notices' })) as { data: { id: string }[] };
    return { input: { queue: 'parking-notices', id: data[0]?.id } };
  },
  'stream.check_parking': async () => ({ input: {} }),
  'stream.replay': async ({ dashboard }) => {
    dashboard.parked.set('stream/1.json', '{"eventID":"1"}');
    return { input: { key: 'stream/1.json' } };
  },
} satisfies Record<ActionName, (ground: Ground) => Promise<ReadyCall>>;

/** Returns the form of an action's work (`functions/actions/action.ts`). */
export const kindOf = (name: string): 'read' | 'decide' | 'decideAlone' | 'run' | 'resume' => {
  const action = actionTable[name] ?? {};
  // The calls of this file concern no gateway, so what is chosen is a decision.
  if ('choose' in action) return 'decide';
  const kind = (['read', 'decide', 'decideAlone', 'run', 'resume'] as const).find((one) => one in action);
  if (!kind) throw new Error(`${name} says no way to work.`);
  return kind;
};
