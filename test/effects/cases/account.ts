import { atStripe } from '../../checkout-page/stripe-counter.ts';
import { type Cases, type Effect, rejects } from '../case.ts';
import type { Scene } from '../scene.ts';
import type { View } from '../snapshot.ts';

const document = {
  payment_methods: [{ id: 'pm_1', name: 'Cash', enabled: true }],
  event_categories: [{ name: 'Wedding', colour: '#aabbcc' }],
  time_slots: {
    pickup: [{ id: 'ps_1', label: 'Morning', start: '08:00', end: '11:00', multiplier: 1, available_days: [1, 2] }],
    delivery: [{ label: 'Evening', start: '17:00', end: '19:00' }],
  },
  blocked_dates: [{ id: 'bd_1', date: '2030-12-25', reason: 'Holiday', is_holiday: true, holiday_name: 'Christmas' }],
  recurring_rules: [
    { id: 'rr_1', type: 'weekly', days_of_week: [0], enabled: true, start_date: '2030-01-01', end_date: '2030-12-31', reason: 'Closed' },
  ],
  custom_fields: [
    {
      id: 'cf_1',
      key: 'engraving',
      name: 'Engraving',
      type: 'text',
      required: true,
      options: ['a'],
      scopes: ['order'],
      active: true,
      internal: false,
    },
  ],
  search: { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'search-only-key-1234567890' },
  checkout: { gateway: 'sandbox', delivery_fee: 5, branding: { name: 'Crumb', logo: 'https://img.example.com/l.png', accent: '#aa3300' } },
};
const shown = { ...document, search: { ...document.search, search_key: '****7890' } };

const account = (changes: object): Effect => ({
  input: changes as Effect['input'] & object,
  read: () => ['account', changes as Record<string, unknown>],
});

const key = (scene: Scene, fields: object = {}): Promise<View> => scene.act('key.create', { type: 'secret', name: 'Till', ...fields });
const hook = (scene: Scene): Promise<View> =>
  scene.send('POST', '/webhooks', { url: scene.t.service.receiver.hook().url, events: ['order.created'], description: 'Till' });
const onHook = (shows: Readonly<Record<string, unknown>>): Cases[string] =>
  async function changes(scene) {
    const { id } = await hook(scene);
    return { input: { id }, read: () => [`endpoint ${id}`, shows] };
  };

/** An event that its endpoint did not accept. */
const failedDelivery = async (scene: Scene) => {
  const receiver = scene.t.service.receiver.hook(500);
  const { id } = await scene.send('POST', '/webhooks', { url: receiver.url, events: ['expense.created'] });
  scene.t.world.clock.advance(3_000);
  await scene.act('expense.create', { amount: 5, date: '2026-03-05', category: 'rent' });
  await scene.t.service.pipeline.drain();
  const { data } = await scene.act('delivery.list', { endpoint_id: id });
  return { endpoint_id: id, event_id: data[0].id };
};

export const accountCases = {
  'account.create': {
    'another account': ({ t }) => ({ run: () => t.service.act('account.create', undefined, { name: 'Crust', plan: 'business' }) }),
  },
  'account.get': { 'the account': () => ({}) },
  'account.update': {
    'name, limit and time zone': () => account({ name: 'Crust', order_limit: 500, timezone: 'Europe/Berlin' }),
    'the currency': () => account({ currency: 'EUR' }),
    'the status grace': () => account({ status: 'grace' }),
    'the status closed': () => account({ status: 'closed' }),
    'the plan': () => account({ plan: 'starter' }),
    'the stored values': () => account({ plan: 'business', status: 'active', currency: 'USD' }),
  },
  'account.create_sandbox': {
    'another account': ({ t, account: of }) => ({ run: () => t.service.act('account.create_sandbox', of, { name: 'Crust' }) }),
  },
  'account.export': { 'the account': () => ({}) },
  'account.erase': { 'the account': () => ({ read: () => ['account', { status: 'closed' }] }) },
  'account.reindex': { 'the account': () => ({}) },
  'account.usage': { 'the account': () => ({}) },
  'search.reindex': { 'an account without search': () => rejects() },
  'settings.get': { 'the settings': () => ({}) },
  'settings.put': {
    'every field': () => ({ input: document, read: () => ['settings', shown] }),
    'every field, repeated': async (scene) => {
      await scene.act('settings.put', document);
      return { input: document, read: () => ['settings', shown] };
    },
    'what settings.get shows': async (scene) => {
      await scene.act('settings.put', document);
      return { input: shown, read: () => ['settings', shown] };
    },
    'a name that the document does not have': () => rejects({ payment_method: [] }, 'payment_method', 400),
    'the document without checkout': () => rejects({ payment_methods: [] }, 'checkout', 400),
    'checkout without its secrets': () => rejects({ checkout: { gateway: 'stripe' } }, 'checkout.secret_key', 400),
    'a slot that ends before it starts': () =>
      rejects({ checkout: atStripe, time_slots: { pickup: [{ start: '11:00', end: '08:00' }] } }, 'time_slots.pickup.0.end', 400),
  },
  'settings.update': {
    'one field': () => ({
      input: { payment_methods: document.payment_methods },
      read: () => ['settings', { payment_methods: document.payment_methods, checkout: { gateway: 'stripe' } }],
    }),
    'every field': () => ({ input: document, read: () => ['settings', shown] }),
    'a field that it removes': () => ({ input: { time_slots: null }, read: () => ['settings', { time_slots: undefined }] }),
    'a name that the document does not have': () => rejects({ payment_method: [] }, 'payment_method', 400),
    'a slot that ends before it starts': () =>
      rejects({ time_slots: { pickup: [{ start: '11:00', end: '08:00' }] } }, 'time_slots.pickup.0.end', 400),
  },
  'checkout.check': { 'the settings': () => ({}) },
  'key.create': {
    'a secret key of a group': () => {
      const input = { type: 'secret', name: 'Till', group: 'readOnly', expires_at: '2099-12-31T00:00:00.000Z' };
      return { input: { ...input, legacy: true }, read: ({ id }) => [`key ${id}`, input] };
    },
    'a secret key with scopes': () => ({
      input: { type: 'secret', name: 'Till', scopes: ['orders:read'] },
      read: ({ id }) => [`key ${id}`, { type: 'secret', name: 'Till', scopes: ['orders:read'], group: null }],
    }),
    'a publishable key': () => ({ input: { type: 'publishable', name: 'Shop' }, read: ({ id }) => [`key ${id}`] }),
  },
  'key.replace': {
    'a key with an end': async (scene) => {
      const old = await key(scene, { expires_at: '2099-12-31T00:00:00.000Z', group: 'readOnly' });
      return {
        input: { id: old.id, old_key_hours: 24, name: 'Counter' },
        read: ({ id }) => [`key ${id}`, { name: 'Counter', group: 'readOnly', expires_at: '2099-12-31T00:00:00.000Z' }],
      };
    },
    'a key that was replaced before': async (scene) => {
      const old = await key(scene);
      await scene.act('key.replace', { id: old.id, old_key_hours: 24 });
      return { input: { id: old.id, old_key_hours: 24 }, read: ({ id }) => [`key ${id}`, { expires_at: null }] };
    },
  },
  'key.list': { 'the keys': () => ({}) },
  'key.update': {
    'name, rights and end': async (scene) => {
      const changes = { name: 'Counter', scopes: ['orders:read'], expires_at: '2099-06-30T00:00:00.000Z' };
      const { id } = await key(scene);
      return { input: { id, ...changes }, read: () => [`key ${id}`, changes] };
    },
    'the stored values': async (scene) => ({ input: { id: (await key(scene)).id, name: 'Till' } }),
  },
  'key.revoke': {
    'a key': async (scene) => ({ input: { id: (await key(scene)).id } }),
    'a key that was revoked': async (scene) => {
      const { id } = await key(scene);
      await scene.act('key.revoke', { id });
      return { input: { id } };
    },
  },
  'webhook.create': {
    'an endpoint with every field': () => ({
      input: { url: 'https://hooks.example.com/effects', events: ['order.created'], description: '<b>till</b>' },
      read: ({ id }) => [`endpoint ${id}`],
    }),
  },
  'webhook.list': { 'the endpoints': () => ({}) },
  'webhook.update': {
    'every field': async (scene) => {
      const changes = { url: 'https://hooks.example.com/moved', events: ['order.updated'], description: 'Counter' };
      const { id } = await hook(scene);
      return { input: { id, ...changes }, read: () => [`endpoint ${id}`, changes] };
    },
    'the stored values': async (scene) => {
      const { id, url, events } = await hook(scene);
      return { input: { id, url, events, description: 'Till' } };
    },
  },
  'webhook.delete': {
    'an endpoint': async (scene) => {
      const { id } = await hook(scene);
      return { input: { id }, gone: [`endpoint ${id}`] };
    },
  },
  'webhook.test': { 'an endpoint': onHook({ enabled: true }) },
  'webhook.rotate_secret': {
    'an endpoint': async (scene) => {
      const { id } = await hook(scene);
      return { input: { id }, saved: [`endpoint ${id}`] };
    },
  },
  'webhook.enable': {
    'a disabled endpoint': async (scene) => {
      const { id } = await hook(scene);
      await scene.act('webhook.disable', { id });
      return { input: { id }, read: () => [`endpoint ${id}`, { enabled: true, status: 'active', disabled_reason: null }] };
    },
    'an enabled endpoint': onHook({ enabled: true }),
  },
  'webhook.disable': {
    'an enabled endpoint': onHook({ enabled: false, status: 'disabled', disabled_reason: null }),
    'a disabled endpoint': async (scene) => {
      const { id } = await hook(scene);
      await scene.act('webhook.disable', { id });
      return { input: { id }, read: () => [`endpoint ${id}`, { enabled: false }] };
    },
  },
  'webhook.redeliver': { 'a failed delivery': async (scene) => ({ input: await failedDelivery(scene) }) },
  'webhook.redeliver_failed': {
    'a failed delivery': async (scene) => ({ input: { endpoint_id: (await failedDelivery(scene)).endpoint_id, since: '2020-01-01' } }),
  },
  'delivery.find': { 'an event': async (scene) => ({ input: { event_id: (await failedDelivery(scene)).event_id } }) },
  'delivery.get': { 'a delivery': async (scene) => ({ input: await failedDelivery(scene) }) },
  'delivery.list': { 'the deliveries': async (scene) => ({ input: { endpoint_id: (await failedDelivery(scene)).endpoint_id } }) },
  'delivery.requeue_overdue': {
    'no delivery': (scene) => ({ run: () => scene.t.service.act('delivery.requeue_overdue', undefined, { account_id: scene.account }) }),
  },
  'request.list': { 'the requests': () => ({}) },
  'notice.list': { 'the notices': () => ({}) },
} satisfies Record<string, Cases>;

export const accountRequests: Cases = {
  'POST /webhooks with every field': (scene) => {
    const body = { url: 'https://hooks.example.com/effects', events: ['order.created'], description: '<b>till</b>' };
    return { run: () => scene.send('POST', '/webhooks', body), read: ({ id }) => [`endpoint ${id}`, body] };
  },
  'PATCH /webhooks/{id} with every field': async (scene) => {
    const changes = { url: 'https://hooks.example.com/moved', events: ['order.updated'], description: 'Counter', enabled: false };
    const { id } = await hook(scene);
    return { run: () => scene.send('PATCH', `/webhooks/${id}`, changes), read: () => [`endpoint ${id}`, changes] };
  },
  'PATCH /webhooks/{id} with the stored values': async (scene) => {
    const { id, url, events } = await hook(scene);
    return { run: () => scene.send('PATCH', `/webhooks/${id}`, { url, events, description: 'Till', enabled: true }) };
  },
  'DELETE /webhooks/{id}': async (scene) => {
    const { id } = await hook(scene);
    return { run: () => scene.send('DELETE', `/webhooks/${id}`), gone: [`endpoint ${id}`] };
  },
  'POST /webhooks/{id}/rotate-secret': async (scene) => {
    const { id } = await hook(scene);
    return { run: () => scene.send('POST', `/webhooks/${id}/rotate-secret`), saved: [`endpoint ${id}`] };
  },
  'POST /checkout': (scene) => ({
    run: async () => {
      const { body } = await scene.shop.open({
        customer: { first_name: 'Zyx', last_name: 'Crumb', email: 'zyx@example.com' },
        notes: 'Ring',
        external_id: 'cart 7',
        metadata: { till: '7' },
      });
      return body;
    },
    read: ({ id }) => [`session ${id}`, { notes: 'Ring', external_id: 'cart 7', metadata: { till: '7' }, status: 'open' }],
  }),
};
