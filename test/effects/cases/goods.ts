import { type Cases, type Effect, rejects } from '../case.ts';
import type { Scene } from '../scene.ts';
import type { View } from '../snapshot.ts';

const product = {
  name: 'Opera',
  description: '<b>six</b> layers',
  status: 'active',
  storefront_visible: true,
  price: 40,
  currency: 'USD',
  category: 'cakes',
  tags: ['new'],
  images: ['https://img.example.com/1.jpg'],
  variants: [{ id: 'var_s', name: 'Small', price: 20 }],
  allergens: [{ name: 'milk', level: 'contains' }],
  custom_fields: { of_product: 'Lemon' },
};

const supplies = {
  amount: 62.4,
  date: '2026-03-05T00:00:00.000Z',
  category: 'packaging',
  currency: 'USD',
  subcategory: 'boxes',
  description: '<b>boxes</b>',
  notes: '<i>late</i>',
  tags: ['new'],
  supplier: { id: 'sup_1', name: 'Boxer' },
  payment: { method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'R1' },
  tax: { amount: 6.2, rate: 10 },
};

const market = {
  date: '2026-03-05',
  description: '<b>market</b>',
  sale_type: 'market',
  location: 'Square',
  event_name: 'Fair',
  gross_sales: 30,
  gross_cost: 12,
  payment_method: 'cash',
  items: [{ name: 'Roll', quantity: 12, unit_price: 1.5 }],
};

const flour = {
  type: 'ingredient',
  name: 'Flour',
  category: 'dry',
  current_stock: 20,
  reorder_point: 5,
  unit: 'kg',
  supplier_id: 'sup_1',
  supplier_name: 'Mill',
};

const created = (kind: string, input: Readonly<Record<string, unknown>>, events: readonly string[], shows = input): Effect => ({
  input,
  events,
  read: ({ id }) => [`${kind} ${id}`, shows],
});

const changed = (kind: string, { id }: View, changes: Readonly<Record<string, unknown>>, events: readonly string[]): Effect => ({
  input: { id, ...changes },
  events,
  read: () => [`${kind} ${id}`, changes],
});

const removed = (kind: string, { id }: View, events: readonly string[]): Effect => ({ input: { id }, events, gone: [`${kind} ${id}`] });

const save = (one: View, changes: Readonly<Record<string, unknown>>): Effect => ({
  ...changed('product', one, changes, ['product.updated']),
  saved: [`product ${one.id}`],
});

const fee = { order_id: 'ord_1', order_label: 'Cake of Ada', gateway: 'stripe', amount: 0.3, date: '2026-03-05' };
const day = 'expense gateway_fees_2026-03-05';
const line = ({ date: _, ...shown }: typeof fee) => ({ line_items: [shown] });

/** An unbooked fee of a checkout whose day has fees in another currency. */
const unbooked = async (scene: Scene): Promise<View> => {
  await scene.act('account.update', { currency: 'JPY' });
  const today = new Date(scene.t.world.clock.now()).toISOString().slice(0, 10);
  await scene.act('gateway_fee.record', { ...fee, amount: 29, date: today });
  await scene.act('account.update', { currency: 'USD' });
  await scene.sold();
  return (await scene.act('gateway_fee.list_unbooked')).data[0];
};

export const goodsCases = {
  'product.create': {
    'a product with every field': () => created('product', product, ['product.created']),
    'a product with its name and price': () => created('product', { name: 'Bun', price: 1 }, ['product.created']),
    'a hidden draft': () => created('product', { name: 'Bun', price: 1, status: 'draft', storefront_visible: false }, ['product.created']),
  },
  'product.update': {
    'every field': async (scene) => save(await scene.act('product.create', { name: 'Bun', price: 1 }), product),
    'the stored values': async (scene) => save(await scene.act('product.create', product), product),
    'no field': async (scene) => save(await scene.act('product.create', product), {}),
    'a product that leaves the storefront': async (scene) =>
      save(await scene.act('product.create', product), { storefront_visible: false }),
    'an archived product': async (scene) => {
      const { storefront_visible: _, ...rest } = product;
      return save(await scene.act('product.create', rest), { status: 'archived', category: 'old' });
    },
  },
  'product.delete': {
    'a product': async (scene) => removed('product', await scene.act('product.create', product), ['product.deleted']),
  },
  'expense.create': {
    'an expense with every field': () =>
      created('expense', { ...supplies, status: 'approved', source: 'till', external_id: 'ext_1' }, ['expense.created'], {
        ...supplies,
        status: 'approved',
        source: 'till',
      }),
    'a draft': () => ({
      ...created('expense', { amount: 5, date: '2026-03-05', category: 'Bank fees' }, ['expense.created'], {
        amount: 5,
        category: 'bank_fees',
        status: 'draft',
        source: 'dashboard',
      }),
    }),
  },
  'expense.update': {
    'every field': async (scene) => {
      const sent = { ...supplies, status: 'approved', source: 'till' };
      return changed('expense', await scene.act('expense.create', { amount: 5, date: '2026-03-01', category: 'rent' }), sent, [
        'expense.updated',
      ]);
    },
    'the id in another system': async (scene) => {
      const { id } = await scene.act('expense.create', supplies);
      // The specification's shape of an expense has no external_id: its event and the export show it.
      return { input: { id, external_id: 'ext_1' }, events: ['expense.updated'], saved: [`expense ${id}`] };
    },
    'the stored values': async (scene) => changed('expense', await scene.act('expense.create', supplies), supplies, []),
    'an expense that loses its supplier': async (scene) =>
      changed('expense', await scene.act('expense.create', supplies), { supplier: null }, ['expense.updated']),
    'a gateway-fee expense': async (scene) => {
      await scene.act('gateway_fee.record', fee);
      return rejects({ id: 'gateway_fees_2026-03-05', amount: 1 });
    },
  },
  'expense.delete': {
    'an expense': async (scene) => removed('expense', await scene.act('expense.create', supplies), []),
    'a gateway-fee expense': async (scene) => {
      await scene.act('gateway_fee.record', fee);
      return rejects({ id: 'gateway_fees_2026-03-05' });
    },
  },
  'gateway_fee.record': {
    'the first fee of a day': () => ({
      input: { ...fee, transaction_id: 'txn_1' },
      events: ['expense.created'],
      read: () => [day, { ...line(fee), amount: 0.3, metadata: { transaction_count: 1, gateways: ['stripe'] } }],
    }),
    'a later fee of a day': async (scene) => {
      await scene.act('gateway_fee.record', fee);
      return { input: { ...fee, gateway: 'square' }, events: ['expense.updated'], read: () => [day, { amount: 0.6 }] };
    },
    'a transaction that is recorded again': async (scene) => {
      await scene.act('gateway_fee.record', { ...fee, transaction_id: 'txn_1' });
      return { input: { ...fee, transaction_id: 'txn_1', amount: 9, date: '2026-03-06' } };
    },
    'a fee in another currency than the day': async (scene) => {
      await scene.act('gateway_fee.record', fee);
      await scene.act('account.update', { currency: 'JPY' });
      return rejects({ ...fee, amount: 30 });
    },
  },
  'gateway_fee.list_unbooked': { 'a fee that waits': async (scene) => unbooked(scene).then(() => ({})) },
  'gateway_fee.book': {
    'a fee that waits': async (scene) => {
      const { transaction_id } = await unbooked(scene);
      return {
        input: { transaction_id, date: '2026-03-05' },
        events: ['expense.created'],
        gone: [`unbooked_fee ${transaction_id}`],
        read: () => [day, { amount: 0.68 }],
      };
    },
    'a fee that was booked': async (scene) => {
      const { transaction_id } = await unbooked(scene);
      await scene.act('gateway_fee.book', { transaction_id, date: '2026-03-05' });
      return { input: { transaction_id, date: '2026-03-06' } };
    },
  },
  'quick_sale.create': {
    'a sale with every field': () => created('quick_sale', market, ['quick_sale.created']),
    'a sale of a number of pieces': () => created('quick_sale', { gross_sales: 5, items_count: 3 }, ['quick_sale.created']),
  },
  'quick_sale.update': {
    'every field': async (scene) =>
      changed('quick_sale', await scene.act('quick_sale.create', { gross_sales: 5 }), market, ['quick_sale.updated']),
    'the number of pieces': async (scene) =>
      changed('quick_sale', await scene.act('quick_sale.create', { gross_sales: 5 }), { items_count: 3 }, ['quick_sale.updated']),
    'the stored values': async (scene) => changed('quick_sale', await scene.act('quick_sale.create', market), market, []),
  },
  'quick_sale.delete': {
    'a sale': async (scene) => removed('quick_sale', await scene.act('quick_sale.create', market), ['quick_sale.deleted']),
  },
  'inventory.put': {
    'a new item': () => created('inventory_item', flour, []),
    'a new item that is low': () => created('inventory_item', { ...flour, current_stock: 5 }, ['inventory.low']),
    'a new item with an id': () => ({ ...created('inventory_item', { id: 'inv_flour', ...flour }, []) }),
    'an item that becomes low': async (scene) =>
      changed('inventory_item', await scene.act('inventory.put', flour), { ...flour, reorder_point: 30 }, ['inventory.low']),
    'an item that stays low': async (scene) =>
      changed('inventory_item', await scene.act('inventory.put', { ...flour, current_stock: 4 }), { ...flour, current_stock: 3 }, []),
    'the stored values': async (scene) => changed('inventory_item', await scene.act('inventory.put', flour), flour, []),
  },
  'inventory.adjust': {
    'an item that becomes low': async (scene) => {
      const { id } = await scene.act('inventory.put', flour);
      return { input: { id, delta: -15 }, events: ['inventory.low'], read: () => [`inventory_item ${id}`, { current_stock: 5 }] };
    },
    'an item that stays low': async (scene) => {
      const { id } = await scene.act('inventory.put', { ...flour, current_stock: 4 });
      return { input: { id, delta: -1 }, read: () => [`inventory_item ${id}`, { current_stock: 3 }] };
    },
    'an item that rises': async (scene) => {
      const { id } = await scene.act('inventory.put', { ...flour, current_stock: 4 });
      return { input: { id, delta: 2.5 }, read: () => [`inventory_item ${id}`, { current_stock: 6.5 }] };
    },
    'a change by nothing': async (scene) => ({ input: { id: (await scene.act('inventory.put', flour)).id, delta: 0 } }),
  },
} satisfies Record<string, Cases>;

export const goodsRequests: Cases = {
  'POST /expenses with every field': (scene) => ({
    run: () => scene.send('POST', '/expenses', supplies),
    events: ['expense.created'],
    read: ({ id }) => [`expense ${id}`, { ...supplies, status: 'submitted', source: 'api' }],
  }),
  'POST /expenses that is repeated with its Idempotency-Key': async (scene) => {
    const post = async () => (await scene.request('POST', '/expenses', supplies, { 'Idempotency-Key': 'once' })).body;
    await post();
    return { run: post, events: [], read: ({ id }) => [`expense ${id}`, supplies] };
  },
};
